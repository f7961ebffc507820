//! Data races: two threads stand before conflicting accesses, not both atomic, at the same moment.
//!
//! Where all atomics synchronise, a program has a data race if and only if it has such a moment in an execution in which
//! steps come one after the other. If the two accesses come right after one another, nothing orders them: they race. And let
//! there be a race, in an execution that has no earlier one. Up to there every thread reads what it would
//! read if the steps were in any other order that respects happens-before. Leave out everything that does not happen before one
//! of the two accesses: what is left ends with both threads standing before them. (For weaker atomics the first half holds
//! and the second does not; the unfolding has a limit there.)
//!
//! Moments are the ends of executions that stop somewhere. So for each place where a thread stands before an access that
//! may race there is an unknown that says whether it goes on, and whatever it does later takes part only if
//! it does. What it reads in an atomic step that it stands before takes part, after all that the other thread has done: that
//! decides which memory the step is to.

use crate::marks::{new_cell, sees};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tp_ir::{PlaceId, Program, Property, Width};
use tp_machine::{Identity, Line, line_of};
use tp_solver::{Model, Term};
use tp_unfold::{CellId, NodeId, ObjectId, ThreadId, Touch, Unfolded, Write};

/// The question whether there is a race.
pub(crate) struct Races {
    /// Accesses that may race, each with the condition that its thread stands before it when everything stops.
    standing: Vec<(Touch, Term)>,
    /// There is a race.
    pub goal: Term,
    /// By place: the line, where races are left out that are known by their lines.
    lines: FxHashMap<PlaceId, Line>,
    /// Races that are left out, by their lines.
    left_out: Vec<Identity>,
}

/// Two accesses that race in an execution; of an atomic one and an ordinary one, the atomic one first, and what ends the
/// object last.
pub(crate) type Pair = (Touch, Touch);

impl Races {
    /// Turns an unfolded program into one in which threads can stop before accesses that may race; its claims and limits
    /// are gone. Races that are `known` are left out. `None`: nothing can race.
    pub fn new(program: &mut Unfolded, source: &Program, known: &[Identity]) -> Option<Races> {
        let touches = may_race(program);
        if touches.is_empty() {
            return None;
        }
        let stops = Stops::new(program, &touches);
        let standing: Vec<(Touch, Term)> =
            touches.into_iter().map(|touch| (touch, stops.standing(program, &touch))).collect();
        stops.apply(program);
        at_the_end(program, &standing);
        let places = standing.iter().map(|(touch, _)| touch.place);
        let lines = places.filter_map(|place| Some((place, line_of(source, place)?))).collect();
        let left_out = known.iter().filter(|k| k.property == Property::Race).cloned().collect();
        let mut races = Races { standing, goal: program.terms.bool(false), lines, left_out };
        races.goal = races.any(program);
        Some(races)
    }

    /// From now on, all races between these two lines as well.
    pub fn leave_out(&mut self, program: &mut Unfolded, (a, b): Pair) {
        self.left_out.push(self.identity(a.place, b.place));
        self.goal = self.any(program);
    }

    fn identity(&self, a: PlaceId, b: PlaceId) -> Identity {
        let lines = [a, b].into_iter().filter_map(|place| self.lines.get(&place).copied());
        Identity::new(Property::Race, lines.collect())
    }

    fn is_left_out(&self, a: PlaceId, b: PlaceId) -> bool {
        !self.left_out.is_empty() && self.left_out.contains(&self.identity(a, b))
    }

    /// The race of an execution in which the goal holds.
    pub fn pair(&self, program: &Unfolded, model: &mut Model) -> Option<Pair> {
        let at: Vec<&Touch> =
            self.standing.iter().filter(|(_, at)| model.holds(&program.terms, *at)).map(|(t, _)| t).collect();
        let pairs = at.iter().flat_map(|a| at.iter().map(move |b| (**a, **b)));
        let mut racing = pairs
            .filter(|(a, b)| a.thread < b.thread && conflict(a, b) && !self.is_left_out(a.place, b.place));
        racing.next().map(|(a, b)| if b.is_plain && !a.frees { (a, b) } else { (b, a) })
    }
}

/// Both are to the same memory, one writes, and not both are atomic.
fn conflict(a: &Touch, b: &Touch) -> bool {
    let same = match (a.cell, b.cell) {
        (Some(x), Some(y)) => x == y,
        _ => a.object == b.object,
    };
    same && (a.is_write || b.is_write) && (a.is_plain || b.is_plain)
}

/// The accesses for which there is another one, of another thread, that conflicts with it; those to whole objects
/// as accesses to each cell.
fn may_race(program: &mut Unfolded) -> Vec<Touch> {
    let mut cells: FxHashMap<ObjectId, Vec<CellId>> = FxHashMap::default();
    for (id, cell) in &program.cells {
        cells.entry(cell.object).or_default().push(id);
    }
    let mut all = Vec::new();
    for touch in std::mem::take(&mut program.touches) {
        if program.terms.as_const(touch.guard) == Some(0) {
            continue;
        }
        match touch.cell {
            Some(_) => all.push(touch),
            None => {
                let of_object = cells.get(&touch.object).into_iter().flatten();
                all.extend(of_object.map(|&cell| Touch { cell: Some(cell), ..touch }));
            }
        }
    }
    let mut by_cell: FxHashMap<Option<CellId>, FxHashSet<(ThreadId, bool, bool)>> = FxHashMap::default();
    for touch in &all {
        by_cell.entry(touch.cell).or_default().insert((touch.thread, touch.is_write, touch.is_plain));
    }
    all.retain(|touch| {
        by_cell[&touch.cell].iter().any(|&(thread, is_write, is_plain)| {
            thread != touch.thread && conflict(touch, &Touch { is_write, is_plain, ..*touch })
        })
    });
    all
}

/// Where threads can stop, and what takes part then.
struct Stops {
    /// By thread: that the thread goes on, from each node before which it can stop, with all that this needs.
    going: Vec<BTreeMap<NodeId, Going>>,
    /// By thread: that it has been started.
    started: Vec<Term>,
}

#[derive(Copy, Clone)]
struct Going {
    /// The unknown.
    here: Term,
    /// It has not stopped, here and before.
    so_far: Term,
}

impl Stops {
    fn new(program: &mut Unfolded, touches: &[Touch]) -> Stops {
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); program.threads.len()];
        for touch in touches {
            nodes[touch.thread.as_u32() as usize].push(touch.node);
        }
        let mut stops = Stops { going: Vec::new(), started: Vec::new() };
        // A thread is after the one that started it.
        for (thread, mut nodes) in program.threads.keys().zip(nodes) {
            let always = program.terms.bool(true);
            let parent = program.threads[thread].parent;
            let started = parent.map_or(always, |node| stops.after(program, node));
            nodes.sort_unstable();
            nodes.dedup();
            let mut so_far = started;
            let mut going = BTreeMap::new();
            for node in nodes {
                let here = program.terms.variable(Width::BOOL);
                so_far = program.terms.and(so_far, here);
                going.insert(node, Going { here, so_far });
            }
            stops.started.push(started);
            stops.going.push(going);
        }
        stops
    }

    fn of(&self, thread: ThreadId) -> (&BTreeMap<NodeId, Going>, Term) {
        let thread = thread.as_u32() as usize;
        (&self.going[thread], self.started[thread])
    }

    /// The thread of a node goes on after it.
    fn after(&self, program: &Unfolded, node: NodeId) -> Term {
        let (going, started) = self.of(program.nodes[node].thread);
        going.range(..=node).next_back().map_or(started, |(_, g)| g.so_far)
    }

    /// The thread comes to a node, and may stop there.
    fn before(&self, thread: ThreadId, node: NodeId) -> Term {
        let (going, started) = self.of(thread);
        going.range(..node).next_back().map_or(started, |(_, g)| g.so_far)
    }

    fn standing(&self, program: &mut Unfolded, touch: &Touch) -> Term {
        let comes = self.before(touch.thread, touch.node);
        let comes = program.terms.and(touch.guard, comes);
        let Some(going) = self.of(touch.thread).0.get(&touch.node) else { return comes };
        let stops = program.terms.not(going.here);
        program.terms.and(comes, stops)
    }

    fn apply(&self, program: &mut Unfolded) {
        for i in 0..program.reads.len() {
            let node = program.reads[i].node;
            let comes = self.before(program.nodes[node].thread, node);
            program.reads[i].guard = program.terms.and(program.reads[i].guard, comes);
        }
        // Nobody sees what a step does with which the program ends.
        let mut ends: FxHashMap<NodeId, Term> = FxHashMap::default();
        for &(node, ended) in &program.exits {
            let before = ends.get(&node).copied().unwrap_or_else(|| program.terms.bool(false));
            ends.insert(node, program.terms.or(before, ended));
        }
        for i in 0..program.writes.len() {
            let mut goes = self.after(program, program.writes[i].node);
            if let Some(&ended) = ends.get(&program.writes[i].node) {
                let goes_on = program.terms.not(ended);
                goes = program.terms.and(goes, goes_on);
            }
            program.writes[i].guard = program.terms.and(program.writes[i].guard, goes);
        }
        for i in 0..program.started.len() {
            let goes = self.after(program, program.started[i].node);
            program.started[i].guard = program.terms.and(program.started[i].guard, goes);
        }
        let nodes: Vec<NodeId> = program.nodes.keys().collect();
        for node in nodes {
            let comes = self.before(program.nodes[node].thread, node);
            program.nodes[node].guard = program.terms.and(program.nodes[node].guard, comes);
        }
        program.claims.clear();
        program.limits.clear();
    }
}

/// A step that is stood before reads what is there when the other thread stands before its access: it comes after all
/// that the other has done. That is said by a read of something that the other's last node before its access writes.
fn at_the_end(program: &mut Unfolded, standing: &[(Touch, Term)]) {
    let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); program.threads.len()];
    for (id, node) in &program.nodes {
        nodes[node.thread.as_u32() as usize].push(id);
    }
    let last_before = |program: &Unfolded, touch: &Touch| {
        let own = &nodes[touch.thread.as_u32() as usize];
        let before = own[..own.partition_point(|n| *n < touch.node)].last().copied();
        before.or(program.threads[touch.thread].parent)
    };
    let mut both: BTreeMap<(NodeId, NodeId), Term> = BTreeMap::new();
    for (x, at_x) in standing.iter().filter(|(x, _)| !x.is_plain && program.nodes.is_valid(x.node)) {
        for (y, at_y) in standing.iter().filter(|(y, _)| y.thread != x.thread && conflict(x, y)) {
            let Some(last) = last_before(program, y) else { continue };
            let never = program.terms.bool(false);
            let term = both.entry((last, x.node)).or_insert(never);
            let now = program.terms.and(*at_x, *at_y);
            *term = program.terms.or(*term, now);
        }
    }
    for ((earlier, later), when) in both {
        happens_before(program, earlier, later, when);
    }
}

/// One node comes before another if a condition holds.
fn happens_before(program: &mut Unfolded, earlier: NodeId, later: NodeId, when: Term) {
    let (cell, _) = new_cell(program, Width::W8);
    let (one, always) = (program.terms.constant(Width::W8, 1), program.terms.bool(true));
    program.writes.push(Write { node: earlier, cell, guard: always, value: one });
    sees(program, later, cell, when, one);
}

/// What the threads that stand before accesses to a cell would do there.
#[derive(Copy, Clone)]
struct Standing {
    /// An ordinary write; an ordinary access; any write; any access.
    plain_write: Term,
    plain: Term,
    write: Term,
    any: Term,
}

/// Whose: a thread, and where, if races between some places are left out.
type Who = (ThreadId, Option<PlaceId>);

impl Races {
    /// That two threads stand before conflicting accesses.
    fn any(&self, program: &mut Unfolded) -> Term {
        let terms = &mut program.terms;
        let nothing = terms.bool(false);
        let mut cells: BTreeMap<Option<CellId>, BTreeMap<Who, Standing>> = BTreeMap::new();
        for &(touch, at) in &self.standing {
            let none = Standing { plain_write: nothing, plain: nothing, write: nothing, any: nothing };
            let who = (touch.thread, (!self.left_out.is_empty()).then_some(touch.place));
            let entry = cells.entry(touch.cell).or_default().entry(who).or_insert(none);
            entry.any = terms.or(entry.any, at);
            if touch.is_write {
                entry.write = terms.or(entry.write, at);
            }
            if touch.is_plain {
                entry.plain = terms.or(entry.plain, at);
            }
            if touch.is_write && touch.is_plain {
                entry.plain_write = terms.or(entry.plain_write, at);
            }
        }
        let mut goal = nothing;
        for threads in cells.values() {
            let all: Vec<(Who, Standing)> = threads.iter().map(|(who, at)| (*who, *at)).collect();
            for (i, ((thread, at), a)) in all.iter().enumerate() {
                let others = all[i + 1..].iter().filter(|((other, _), _)| other != thread);
                for ((_, other_at), b) in others {
                    if at.zip(*other_at).is_some_and(|(x, y)| self.is_left_out(x, y)) {
                        continue;
                    }
                    for (x, y) in [
                        (a.plain_write, b.any),
                        (a.any, b.plain_write),
                        (a.plain, b.write),
                        (a.write, b.plain),
                    ] {
                        let both = terms.and(x, y);
                        goal = terms.or(goal, both);
                    }
                }
            }
        }
        goal
    }
}
