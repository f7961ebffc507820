//! Data races: at the same moment, two threads are about to make conflicting accesses, not both atomic.
//!
//! Where all atomics synchronise, a program has a data race if and only if some interleaving of its steps has such a
//! moment. If: the two accesses can then follow each other immediately, and nothing orders them. Only if: take an
//! execution up to its first race. Up to there every thread reads the same in any other order that respects
//! happens-before. Leave out everything that does not happen before one of the two accesses: what is left ends with
//! both threads about to make them. The exception is a second access in a step that waits for what the first one
//! writes: there the first access has been made, and the other thread is about to take that step.
//!
//! For weaker atomics the first half holds and the second does not: a thread may read what another has written without
//! being ordered after what that thread did before. There, a race is an execution in which one thread has made its
//! access, another is about to make its own, and the first access does not happen before the second (`happens_before`).
//! Every race that the machine would find is such an execution, cut off before the second access; and the machine finds
//! every such race.
//!
//! Such moments are the ends of executions that stop somewhere. So for each place where a thread is about to make an
//! access that may race, there is an unknown that says whether the thread goes on, and whatever it does later takes
//! part only if it does. What it reads in an atomic step that it is about to take does take part, after everything that
//! the other thread has done: these reads decide which memory the step accesses.
//!
//! Under a bound on context switches, both threads get to that moment within the bound: what is left out of an execution
//! takes no switches, and neither of the two accesses was made. Two contexts are added for what is not part of the run.
//! One is for the reads of the step, which come after all that the other thread has done. The other is for the edge that
//! says so: it starts at the last node of that thread, whether or not the thread takes part in it.

mod goal;

use crate::counted::Counted;
use crate::happens_before::AccessKnowledge;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tp_events::{CellId, NodeId, ObjectId, PendingAccess, Query, ThreadId};
use tp_ir::{PlaceId, Program, Property, Width};
use tp_machine::{Identity, Line, line_of};
use tp_terms::{Model, Term};

/// The question whether there is a race.
pub(crate) struct Races {
    ways: Vec<RaceForm>,
    /// There is a race.
    pub goal: Term,
    /// By place: its line. Known races are excluded by their lines.
    lines: FxHashMap<PlaceId, Line>,
    /// Excluded races, by their lines.
    left_out: Vec<Identity>,
}

/// A form of race: an access of the first list and one of the second, each under its condition.
struct RaceForm {
    firsts: Vec<(PendingAccess, Term)>,
    seconds: Vec<(PendingAccess, Term)>,
    kind: RaceKind,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum RaceKind {
    /// Both threads are about to make their accesses when the execution stops; the two lists are equal.
    Standing,
    /// The first access was made, another thread is about to make the second, and the first does not happen before it.
    Unknown,
}

/// Two accesses that race in an execution. Where either can come first: the atomic one before the ordinary one, and a
/// free last.
pub(crate) type Pair = (PendingAccess, PendingAccess);

impl Races {
    /// The bound for the query, from that for executions.
    pub fn switches(switches: Option<u32>) -> Option<u32> {
        switches.map(|switches| switches.saturating_add(2))
    }

    /// Lets threads stop before those of the `touches` that may race. `known` races are excluded. `None`: nothing can
    /// race.
    pub fn new(
        query: &mut Query<'_>,
        touches: impl Iterator<Item = PendingAccess>,
        (source, known): (&Program, &[Identity]),
        counted: &Counted,
    ) -> Option<Races> {
        let touches = may_race(query, touches);
        if touches.is_empty() {
            return None;
        }
        let stops = Stops::new(query, &touches);
        let standing: Vec<(PendingAccess, Term)> =
            touches.into_iter().map(|touch| (touch, stops.standing(query, &touch, counted))).collect();
        stops.apply(query);
        let places: Vec<PlaceId> = standing.iter().map(|(touch, _)| touch.place).collect();
        let mut ways = Vec::new();
        if query.graph().has_weak_atomics() {
            let all: Vec<PendingAccess> = standing.iter().map(|s| s.0).collect();
            ways.push(unordered_with_made(query, (&stops, counted), &all, standing));
        } else {
            let (waiting, others) = awaited_accesses(&standing);
            if !others.is_empty() {
                ways.push(unordered_with_made(query, (&stops, counted), &others, waiting));
            }
            ways.push(RaceForm { firsts: standing.clone(), seconds: standing, kind: RaceKind::Standing });
        }
        ways.iter().for_each(|way| order_steps_last(query, &way.seconds, &way.firsts));
        let places = places.into_iter();
        let lines = places.filter_map(|place| Some((place, line_of(source, place)?))).collect();
        let left_out = known.iter().filter(|k| k.property == Property::Race).cloned().collect();
        let mut races = Races { ways, goal: query.terms.bool(false), lines, left_out };
        races.goal = races.any(query);
        Some(races)
    }

    /// From now on, excludes all races between the lines of these two accesses as well.
    pub fn exclude(&mut self, query: &mut Query<'_>, (a, b): Pair) {
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

    /// The race of an execution in which the goal holds, and its form.
    pub fn pair(&self, query: &Query<'_>, model: &mut Model) -> Option<(Pair, RaceKind)> {
        let mut holds = |list: &[(PendingAccess, Term)]| -> Vec<PendingAccess> {
            list.iter().filter(|(_, when)| model.holds(&query.terms, *when)).map(|(t, _)| *t).collect()
        };
        self.ways.iter().find_map(|way| {
            let (firsts, seconds) = (holds(&way.firsts), holds(&way.seconds));
            let pairs = firsts.iter().flat_map(|a| seconds.iter().map(move |b| (*a, *b)));
            let mut racing = pairs.filter(|(a, b)| {
                a.thread != b.thread && conflict(a, b) && !self.is_left_out(a.place, b.place)
            });
            // Neither access has been made, so either can be the first.
            let is_open = way.kind == RaceKind::Standing;
            let (a, b) = racing.next()?;
            let is_turned = a.frees || (!b.frees && !b.is_plain);
            Some((if is_open && is_turned { (b, a) } else { (a, b) }, way.kind))
        })
    }
}

/// One access was made; another thread is about to make the second one, and the first does not happen before it.
fn unordered_with_made(
    query: &mut Query<'_>,
    (stops, counted): (&Stops, &Counted),
    firsts: &[PendingAccess],
    mut seconds: Vec<(PendingAccess, Term)>,
) -> RaceForm {
    let firsts = stops.made(query, firsts, counted);
    let knowledge = AccessKnowledge::spread(query, &firsts);
    for (touch, at) in &mut seconds {
        let known = match touch.in_step {
            true => knowledge.at(touch.thread, touch.node),
            false => knowledge.before(touch.thread, touch.node),
        };
        let ignorant = query.terms.not(known);
        *at = query.terms.and(*at, ignorant);
    }
    RaceForm { firsts, seconds, kind: RaceKind::Unknown }
}

/// Accesses in steps that wait, and the ordinary accesses that conflict with them, which such a step may wait for.
fn awaited_accesses(standing: &[(PendingAccess, Term)]) -> (Vec<(PendingAccess, Term)>, Vec<PendingAccess>) {
    let waiting: Vec<(PendingAccess, Term)> = standing.iter().filter(|(t, _)| t.waits).copied().collect();
    let mut cells: FxHashMap<Option<CellId>, Vec<&PendingAccess>> = FxHashMap::default();
    for (touch, _) in &waiting {
        cells.entry(touch.cell).or_default().push(touch);
    }
    let may_be_awaited = |t: &&PendingAccess| {
        let there = cells.get(&t.cell).into_iter().flatten();
        t.is_plain && there.into_iter().any(|w| w.thread != t.thread && conflict(w, t))
    };
    let others = standing.iter().map(|s| &s.0).filter(may_be_awaited).copied().collect();
    (waiting, others)
}

/// Both are to the same memory, one writes, and not both are atomic.
fn conflict(a: &PendingAccess, b: &PendingAccess) -> bool {
    let same = match (a.cell, b.cell) {
        (Some(x), Some(y)) => x == y,
        _ => a.object == b.object,
    };
    same && (a.is_write || b.is_write) && (a.is_plain || b.is_plain)
}

/// The accesses that conflict with some access of another thread. One to a whole object counts as one to each of its
/// cells.
fn may_race(query: &Query<'_>, touches: impl Iterator<Item = PendingAccess>) -> Vec<PendingAccess> {
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
                all.extend(of_object.map(|&cell| PendingAccess { cell: Some(cell), ..touch }));
            }
        }
    }
    let mut by_cell: FxHashMap<Option<CellId>, FxHashSet<(ThreadId, bool, bool)>> = FxHashMap::default();
    for touch in &all {
        by_cell.entry(touch.cell).or_default().insert((touch.thread, touch.is_write, touch.is_plain));
    }
    all.retain(|touch| {
        by_cell[&touch.cell].iter().any(|&(thread, is_write, is_plain)| {
            thread != touch.thread && conflict(touch, &PendingAccess { is_write, is_plain, ..*touch })
        })
    });
    all
}

/// Where threads can stop, and what takes part then.
struct Stops {
    /// By thread: for each node before which it can stop, whether it goes on.
    going: Vec<BTreeMap<NodeId, Going>>,
    /// By thread: whether it is started.
    started: Vec<Term>,
}

#[derive(Copy, Clone)]
struct Going {
    /// The unknown: it does not stop here.
    here: Term,
    /// It was started, and has stopped neither here nor before.
    so_far: Term,
}

impl Stops {
    fn new(query: &mut Query<'_>, touches: &[PendingAccess]) -> Stops {
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); query.threads().len()];
        for touch in touches {
            nodes[touch.thread.as_u32() as usize].push(touch.node);
        }
        let mut stops = Stops { going: Vec::new(), started: Vec::new() };
        // Parents come before their children.
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

    /// The thread goes on past the node.
    fn after(&self, thread: ThreadId, node: NodeId) -> Term {
        let (going, started) = self.of(thread);
        going.range(..=node).next_back().map_or(started, |(_, g)| g.so_far)
    }

    /// The thread reaches the node, before which it may stop.
    fn before(&self, thread: ThreadId, node: NodeId) -> Term {
        let (going, started) = self.of(thread);
        going.range(..node).next_back().map_or(started, |(_, g)| g.so_far)
    }

    fn standing(&self, query: &mut Query<'_>, touch: &PendingAccess, counted: &Counted) -> Term {
        let comes = self.before(touch.thread, touch.node);
        let comes = query.terms.and(touch.guard, comes);
        let there = is_counted(query, touch, counted);
        let comes = query.terms.and(comes, there);
        let Some(going) = self.of(touch.thread).0.get(&touch.node) else { return comes };
        let stops = query.terms.not(going.here);
        query.terms.and(comes, stops)
    }

    /// The condition under which each access is made and picked as the first of a race.
    fn made(
        &self,
        query: &mut Query<'_>,
        touches: &[PendingAccess],
        counted: &Counted,
    ) -> Vec<(PendingAccess, Term)> {
        let mut made = Vec::with_capacity(touches.len());
        for touch in touches {
            let (going, started) = self.of(touch.thread);
            let passes = going.range(..=touch.node).next_back().map_or(started, |(_, g)| g.so_far);
            let passes = query.terms.and(touch.guard, passes);
            let there = is_counted(query, touch, counted);
            let passes = query.terms.and(passes, there);
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

/// The thread gets to the access within the bound. Inside a step, what the step reads decides about the access.
fn is_counted(query: &mut Query<'_>, touch: &PendingAccess, counted: &Counted) -> Term {
    match touch.in_step {
        true => counted.up_to(query, touch.thread, touch.node),
        false => counted.before(query, touch.thread, touch.node),
    }
}

/// The atomic step that a thread is about to take reads memory as it is when the other thread has stopped. An edge from
/// the other's last node before its access orders the step after everything that the other has done.
fn order_steps_last(
    query: &mut Query<'_>,
    standing: &[(PendingAccess, Term)],
    others: &[(PendingAccess, Term)],
) {
    let nodes = query.nodes_by_thread();
    let last_before = |query: &Query<'_>, touch: &PendingAccess| {
        let own = &nodes[touch.thread.as_u32() as usize];
        let before = own[..own.partition_point(|n| *n < touch.node)].last().copied();
        before.or(query.parent(touch.thread))
    };
    let mut both: BTreeMap<(NodeId, NodeId), Term> = BTreeMap::new();
    // An access that is not an event and comes after the last node of its thread may have the node of another thread,
    // or one that does not exist.
    let is_step = |x: &PendingAccess| query.nodes().get(x.node).is_some_and(|node| node.thread == x.thread);
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
