//! Data races: two threads stand before conflicting accesses, not both atomic, at the same moment.
//!
//! Where all atomics synchronise, a program has a data race if and only if it has such a moment in an execution in which
//! steps come one after the other. If the two accesses come right after one another, nothing orders them: they race. And let
//! there be a race, in an execution that has no earlier one. Up to there every thread reads what it would
//! read if the steps were in any other order that respects happens-before. Leave out everything that does not happen before one
//! of the two accesses: what is left ends with both threads standing before them. Or the second is in a step that waits for
//! what the first one writes: then the first was made, and the other thread stands before that step.
//!
//! For weaker atomics the first half holds and the second does not: a thread reads what another has written without
//! knowing what that one did before. There a race is an execution in which one thread has made its access, the other
//! one stands before its own, and the first access does not happen before that (`happens_before`). Every race that the machine
//! would find is such an execution, cut off before the second access; and the machine finds every such race.
//!
//! Moments are the ends of executions that stop somewhere. So for each place where a thread stands before an access that
//! may race there is an unknown that says whether it goes on, and whatever it does later takes part only if
//! it does. What it reads in an atomic step that it stands before takes part, after all that the other thread has done: that
//! decides which memory the step is to.

mod goal;

use crate::happens_before::Knowledge;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tp_events::{CellId, NodeId, ObjectId, Query, ThreadId, Touch};
use tp_ir::{PlaceId, Program, Property, Width};
use tp_machine::{Identity, Line, line_of};
use tp_terms::{Model, Term};

/// The question whether there is a race.
pub(crate) struct Races {
    ways: Vec<Way>,
    /// There is a race.
    pub goal: Term,
    /// By place: the line, where races are left out that are known by their lines.
    lines: FxHashMap<PlaceId, Line>,
    /// Races that are left out, by their lines.
    left_out: Vec<Identity>,
}

/// A way to race: an access of one list and one of the other, each with its condition.
struct Way {
    firsts: Vec<(Touch, Term)>,
    seconds: Vec<(Touch, Term)>,
    kind: WayKind,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum WayKind {
    /// Both threads stand before their accesses when everything stops; the lists are the same.
    Standing,
    /// The first was made, and the thread that stands before the second does not know of it.
    Unknown,
}

/// Two accesses that race in an execution; of an atomic one and an ordinary one, the atomic one first, and what ends the
/// object last.
pub(crate) type Pair = (Touch, Touch);

impl Races {
    /// Lets threads stop before accesses that may race, which are among `touches`. Races that are `known` are left out.
    /// `None`: nothing can race.
    pub fn new(
        query: &mut Query<'_>,
        touches: impl Iterator<Item = Touch>,
        source: &Program,
        known: &[Identity],
    ) -> Option<Races> {
        let touches = may_race(query, touches);
        if touches.is_empty() {
            return None;
        }
        let stops = Stops::new(query, &touches);
        let standing: Vec<(Touch, Term)> =
            touches.into_iter().map(|touch| (touch, stops.standing(query, &touch))).collect();
        stops.apply(query);
        let places: Vec<PlaceId> = standing.iter().map(|(touch, _)| touch.place).collect();
        let mut ways = Vec::new();
        if query.graph().has_weak_atomics() {
            let all: Vec<Touch> = standing.iter().map(|s| s.0).collect();
            ways.push(without_knowing(query, &stops, &all, standing));
        } else {
            let (waiting, others) = what_steps_wait_for(&standing);
            if !others.is_empty() {
                ways.push(without_knowing(query, &stops, &others, waiting));
            }
            ways.push(Way { firsts: standing.clone(), seconds: standing, kind: WayKind::Standing });
        }
        ways.iter().for_each(|way| at_the_end(query, &way.seconds, &way.firsts));
        let places = places.into_iter();
        let lines = places.filter_map(|place| Some((place, line_of(source, place)?))).collect();
        let left_out = known.iter().filter(|k| k.property == Property::Race).cloned().collect();
        let mut races = Races { ways, goal: query.terms.bool(false), lines, left_out };
        races.goal = races.any(query);
        Some(races)
    }

    /// From now on, all races between these two lines as well.
    pub fn leave_out(&mut self, query: &mut Query<'_>, (a, b): Pair) {
        self.left_out.push(self.identity(a.place, b.place));
        self.goal = self.any(query);
    }

    fn identity(&self, a: PlaceId, b: PlaceId) -> Identity {
        let lines = [a, b].into_iter().filter_map(|place| self.lines.get(&place).copied());
        Identity::new(Property::Race, lines.collect())
    }

    fn is_left_out(&self, a: PlaceId, b: PlaceId) -> bool {
        !self.left_out.is_empty() && self.left_out.contains(&self.identity(a, b))
    }

    /// The race of an execution in which the goal holds, and which way that is.
    pub fn pair(&self, query: &Query<'_>, model: &mut Model) -> Option<(Pair, WayKind)> {
        let mut holds = |list: &[(Touch, Term)]| -> Vec<Touch> {
            list.iter().filter(|(_, when)| model.holds(&query.terms, *when)).map(|(t, _)| *t).collect()
        };
        self.ways.iter().find_map(|way| {
            let (firsts, seconds) = (holds(&way.firsts), holds(&way.seconds));
            let pairs = firsts.iter().flat_map(|a| seconds.iter().map(move |b| (*a, *b)));
            let mut racing = pairs.filter(|(a, b)| {
                a.thread != b.thread && conflict(a, b) && !self.is_left_out(a.place, b.place)
            });
            // Neither access has been made, so either can be the first.
            let is_open = way.kind == WayKind::Standing;
            let (a, b) = racing.next()?;
            let is_turned = a.frees || (!b.frees && !b.is_plain);
            Some((if is_open && is_turned { (b, a) } else { (a, b) }, way.kind))
        })
    }
}

/// One access was made; another thread is about to make the second one, and the first does not happen before it.
fn without_knowing(
    query: &mut Query<'_>,
    stops: &Stops,
    firsts: &[Touch],
    mut seconds: Vec<(Touch, Term)>,
) -> Way {
    let firsts = stops.made(query, firsts);
    let knowledge = Knowledge::spread(query, &firsts);
    for (touch, at) in &mut seconds {
        let known = match touch.in_step {
            true => knowledge.at(touch.thread, touch.node),
            false => knowledge.before(touch.thread, touch.node),
        };
        let ignorant = query.terms.not(known);
        *at = query.terms.and(*at, ignorant);
    }
    Way { firsts, seconds, kind: WayKind::Unknown }
}

/// Accesses of steps that wait, and the ordinary ones that conflict with them: a step may wait for these.
fn what_steps_wait_for(standing: &[(Touch, Term)]) -> (Vec<(Touch, Term)>, Vec<Touch>) {
    let waiting: Vec<(Touch, Term)> = standing.iter().filter(|(t, _)| t.waits).copied().collect();
    let mut cells: FxHashMap<Option<CellId>, Vec<&Touch>> = FxHashMap::default();
    for (touch, _) in &waiting {
        cells.entry(touch.cell).or_default().push(touch);
    }
    let may_be_awaited = |t: &&Touch| {
        let there = cells.get(&t.cell).into_iter().flatten();
        t.is_plain && there.into_iter().any(|w| w.thread != t.thread && conflict(w, t))
    };
    let others = standing.iter().map(|s| &s.0).filter(may_be_awaited).copied().collect();
    (waiting, others)
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
fn may_race(query: &Query<'_>, touches: impl Iterator<Item = Touch>) -> Vec<Touch> {
    let mut cells: FxHashMap<ObjectId, Vec<CellId>> = FxHashMap::default();
    for (id, cell) in query.cells() {
        cells.entry(cell.object).or_default().push(id);
    }
    let mut all = Vec::new();
    for touch in touches {
        if query.terms.as_const(touch.guard) == Some(0) {
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
    fn new(query: &mut Query<'_>, touches: &[Touch]) -> Stops {
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); query.threads().len()];
        for touch in touches {
            nodes[touch.thread.as_u32() as usize].push(touch.node);
        }
        let mut stops = Stops { going: Vec::new(), started: Vec::new() };
        // A thread is after the one that started it.
        for (thread, mut nodes) in query.threads().zip(nodes) {
            let always = query.terms.bool(true);
            let parent = query.parent(thread);
            let started = parent.map_or(always, |node| stops.after(query.nodes()[node].thread, node));
            nodes.sort_unstable();
            nodes.dedup();
            let mut so_far = started;
            let mut going = BTreeMap::new();
            for node in nodes {
                let here = query.terms.variable(Width::BOOL);
                so_far = query.terms.and(so_far, here);
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
    fn after(&self, thread: ThreadId, node: NodeId) -> Term {
        let (going, started) = self.of(thread);
        going.range(..=node).next_back().map_or(started, |(_, g)| g.so_far)
    }

    /// The thread comes to a node, and may stop there.
    fn before(&self, thread: ThreadId, node: NodeId) -> Term {
        let (going, started) = self.of(thread);
        going.range(..node).next_back().map_or(started, |(_, g)| g.so_far)
    }

    fn standing(&self, query: &mut Query<'_>, touch: &Touch) -> Term {
        let comes = self.before(touch.thread, touch.node);
        let comes = query.terms.and(touch.guard, comes);
        let Some(going) = self.of(touch.thread).0.get(&touch.node) else { return comes };
        let stops = query.terms.not(going.here);
        query.terms.and(comes, stops)
    }

    /// When each access is made and is one of those whose races are looked for.
    fn made(&self, query: &mut Query<'_>, touches: &[Touch]) -> Vec<(Touch, Term)> {
        let mut made = Vec::with_capacity(touches.len());
        for touch in touches {
            let (going, started) = self.of(touch.thread);
            let passes = going.range(..=touch.node).next_back().map_or(started, |(_, g)| g.so_far);
            let passes = query.terms.and(touch.guard, passes);
            let picked = query.terms.variable(Width::BOOL);
            made.push((*touch, query.terms.and(passes, picked)));
        }
        made
    }

    fn apply(&self, query: &mut Query<'_>) {
        let threads: Vec<ThreadId> = query.nodes().values().map(|node| node.thread).collect();
        let thread_of = |node: NodeId| threads[node.as_u32() as usize];
        let comes = |node: NodeId| self.before(thread_of(node), node);
        let goes = |node: NodeId| self.after(thread_of(node), node);
        query.restrict_reads(comes);
        // Writes of the step that ends the program are not visible.
        let mut ends: FxHashMap<NodeId, Term> = FxHashMap::default();
        for &(node, ended) in query.graph().exits() {
            let before = ends.get(&node).copied().unwrap_or_else(|| query.terms.bool(false));
            ends.insert(node, query.terms.or(before, ended));
        }
        query.restrict_writes(|terms, node| match ends.get(&node) {
            Some(&ended) => {
                let goes_on = terms.not(ended);
                terms.and(goes(node), goes_on)
            }
            None => goes(node),
        });
        query.restrict_started(goes);
        query.restrict_nodes(comes);
    }
}

/// The step before which a thread stops reads what is there when the other thread has stopped: it comes after all that the
/// other has done. An edge from the other's last node before its access says so.
fn at_the_end(query: &mut Query<'_>, standing: &[(Touch, Term)], others: &[(Touch, Term)]) {
    let nodes = query.nodes_by_thread();
    let last_before = |query: &Query<'_>, touch: &Touch| {
        let own = &nodes[touch.thread.as_u32() as usize];
        let before = own[..own.partition_point(|n| *n < touch.node)].last().copied();
        before.or(query.parent(touch.thread))
    };
    let mut both: BTreeMap<(NodeId, NodeId), Term> = BTreeMap::new();
    // An access that is no event, and comes after all that are, has a node that may be another thread's, or nobody's.
    let is_step = |x: &Touch| query.nodes().get(x.node).is_some_and(|node| node.thread == x.thread);
    let steps: Vec<_> = standing.iter().filter(|(x, _)| !x.is_plain && is_step(x)).collect();
    for (x, at_x) in steps {
        for (y, at_y) in others.iter().filter(|(y, _)| y.thread != x.thread && conflict(x, y)) {
            let Some(last) = last_before(query, y) else { continue };
            let never = query.terms.bool(false);
            let term = both.entry((last, x.node)).or_insert(never);
            let now = query.terms.and(*at_x, *at_y);
            *term = query.terms.or(*term, now);
        }
    }
    for ((earlier, later), when) in both {
        query.add_edge(earlier, later, when);
    }
}
