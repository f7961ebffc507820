//! Deadlocks: threads that wait and never get further. And threads that are stuck in loops that wait.
//!
//! Either every thread has ended or waits; or some threads wait for each other in a cycle, whatever the others do. A
//! thread waits where its attempt at a step finds the condition false. An attempt changes nothing, so it can be made
//! when all other threads have done what they do: then it is the last one, and the thread waits for ever. So attempts
//! are nodes that only read, ordered after every write to the cells that they read. A ghost node enforces this: it
//! reads, for each thread, which of its writes was the last, and every attempt reads what the ghost node writes.
//!
//! If a loop iteration returns to the state that it started in, and no thread writes any more what it has read, then
//! the next iteration reads the same. So such an iteration is ordered last as well, and the thread stays in the loop.
//!
//! In a cycle, each thread waits for one that holds what it needs, alone or with others. None of them can go on,
//! whatever other threads do: those may run on, or end the program later. At every attempt, the program still runs.
//!
//! Under a bound on context switches, all this is about the counted nodes (`counted`): a thread rests where it has got to
//! within the bound, and only counted writes come before the attempts. If every thread rests, nothing is left for the tail;
//! and a cycle stays, whatever the tail does. Attempts and the ghost node are not part of a run. They come last, each
//! thread's in one context, so they take a context for each thread and one more.

use crate::counted::Counted;
use std::collections::BTreeMap;
use tp_events::{CellId, EventGraph, NodeId, Query, Spin, ThreadId, Wait, Write};
use tp_ir::{Checks, PlaceId, Program, Property, Width};
use tp_machine::{Identity, line_of};
use tp_terms::{Model, Term};

/// The question whether there is a deadlock.
pub(crate) struct Deadlocks {
    /// Attempts that fail while the program runs.
    waits: Vec<Wait>,
    /// By thread: it is in a cycle of threads that wait for each other.
    cycle: BTreeMap<ThreadId, Term>,
    /// How many reads are of the program itself or of attempts; these come first.
    pub reads: usize,
    /// There is a deadlock.
    pub goal: Term,
}

impl Deadlocks {
    /// The bound for the query, from that for executions.
    pub fn switches(graph: &EventGraph, switches: Option<u32>) -> Option<u32> {
        let last = u32::try_from(graph.threads().len()).unwrap_or(u32::MAX).saturating_add(1);
        switches.map(|switches| switches.saturating_add(last))
    }

    /// Lets failing attempts at steps take part. `None`: no thread ever waits.
    pub fn new(query: &mut Query<'_>, checks: Checks, counted: &Counted) -> Option<Deadlocks> {
        let mut waits = query.graph().waits().to_vec();
        waits.retain(|w| query.terms.as_const(w.blocked) != Some(0));
        let mut spins = query.graph().spins().to_vec();
        spins.retain(|s| query.terms.as_const(s.guard) != Some(0));
        if waits.is_empty() && spins.is_empty() {
            return None;
        }
        let mut last = attempts(query, &waits);
        rounds(query, &spins, &mut last);
        let reads = query.reads().len();
        come_last(query, &last, counted);
        for wait in &mut waits {
            let blocked = query.while_running(wait.node, wait.blocked);
            wait.blocked = counted.with(query, wait.node, blocked);
        }
        for spin in &mut spins {
            let there = counted.before(query, spin.thread, spin.to);
            spin.guard = query.terms.and(spin.guard, there);
        }
        let mut cycle = BTreeMap::new();
        let mut goal = query.terms.bool(false);
        if checks.has(Property::Deadlock) {
            cycle = in_cycle(query, &waits);
            let nobody = all_blocked(query, &waits, &[], counted);
            let somebody = any_waits(query, &waits);
            let nobody = query.terms.and(nobody, somebody);
            goal = cycle.values().fold(nobody, |any, &t| query.terms.or(any, t));
        }
        if checks.has(Property::Stuck) && !spins.is_empty() {
            let nobody = all_blocked(query, &waits, &spins, counted);
            let left = any_spins(query, &spins);
            let nobody = query.terms.and(nobody, left);
            goal = query.terms.or(goal, nobody);
        }
        Some(Deadlocks { waits, cycle, reads, goal })
    }

    /// The threads of a deadlock in an execution in which the goal holds: those of a cycle, or all of them.
    pub fn threads(&self, query: &mut Query<'_>, model: &mut Model) -> Vec<ThreadId> {
        let start = self.cycle.iter().find(|(_, t)| model.holds(&query.terms, **t)).map(|(id, _)| *id);
        match start.and_then(|start| self.round(query, model, start)) {
            Some(cycle) => cycle,
            None => {
                let terms = &query.terms;
                let started = query.started().iter().filter(|s| model.holds(terms, s.guard));
                query.threads().take(1).chain(started.filter_map(|s| s.thread)).collect()
            }
        }
    }

    /// Where some thread waits; otherwise the place of the first node.
    pub fn place(&self, query: &Query<'_>, model: &mut Model) -> Option<PlaceId> {
        let wait = self.waits.iter().find(|w| model.holds(&query.terms, w.blocked));
        let node = wait.map(|w| w.node).or_else(|| query.nodes().keys().next())?;
        Some(query.nodes()[node].place)
    }

    /// Where these threads wait in an execution.
    pub fn identity(
        &self,
        source: &Program,
        query: &Query<'_>,
        model: &mut Model,
        threads: &[ThreadId],
    ) -> Identity {
        let is_of_them = |w: &&Wait| threads.contains(&query.nodes()[w.node].thread);
        let waits = self.waits.iter().filter(is_of_them);
        let here = waits.filter(|w| model.holds(&query.terms, w.blocked));
        let lines = here.filter_map(|w| line_of(source, query.nodes()[w.node].place));
        Identity::new(Property::Deadlock, lines.collect())
    }

    /// From now on, excludes deadlocks in which threads wait at all of these lines.
    pub fn exclude(&mut self, source: &Program, query: &mut Query<'_>, known: &Identity) {
        let mut all = query.terms.bool(true);
        for line in &known.lines {
            let never = query.terms.bool(false);
            let here = |w: &&Wait| line_of(source, query.nodes()[w.node].place) == Some(*line);
            let waits: Vec<Term> = self.waits.iter().filter(here).map(|w| w.blocked).collect();
            let any = waits.into_iter().fold(never, |any, blocked| query.terms.or(any, blocked));
            all = query.terms.and(all, any);
        }
        let other = query.terms.not(all);
        self.goal = query.terms.and(self.goal, other);
    }

    /// A thread of the cycle that holds what this attempt waits for.
    fn waited_for(&self, query: &mut Query<'_>, model: &mut Model, wait: &Wait) -> Option<ThreadId> {
        let mut threads = self.cycle.iter();
        let found = threads.find(|&(&thread, &is_in)| {
            let waits_for = waits_for(query, wait, thread, &self.waits);
            model.holds(&query.terms, is_in) && model.holds(&query.terms, waits_for)
        });
        found.map(|(&thread, _)| thread)
    }

    /// Follows each thread to the one it waits for, until a thread is met again.
    fn round(&self, query: &mut Query<'_>, model: &mut Model, start: ThreadId) -> Option<Vec<ThreadId>> {
        let mut way = vec![start];
        loop {
            let last = *way.last()?;
            let here = |w: &&Wait| query.nodes()[w.node].thread == last;
            let wait = self.waits.iter().filter(here).find(|w| model.holds(&query.terms, w.blocked))?;
            let next = self.waited_for(query, model, wait)?;
            if let Some(first) = way.iter().position(|t| *t == next) {
                return Some(way.split_off(first));
            }
            way.push(next);
        }
    }
}

fn waits_of<'a>(query: &Query<'_>, waits: &'a [Wait], thread: ThreadId) -> Vec<&'a Wait> {
    waits.iter().filter(|w| query.nodes()[w.node].thread == thread).collect()
}

/// When an attempt waits for `thread`: it is the owner, or it waits as well and holds the lock together with others.
fn waits_for(query: &mut Query<'_>, wait: &Wait, thread: ThreadId, waits: &[Wait]) -> Term {
    let number = query.terms.constant(Width::W32, query.graph().threads()[thread].number as u128);
    let mut any = query.terms.eq(wait.owner, number);
    for other in waits_of(query, waits, thread) {
        for &(lock, is_held) in &other.holds {
            let same = query.terms.eq(lock, wait.object);
            let holds = query.terms.and(same, is_held);
            let there = query.terms.and(other.blocked, holds);
            any = query.terms.or(any, there);
        }
    }
    any
}

/// Lets attempts take part, with their reads. By node: when it is an attempt that fails.
fn attempts(query: &mut Query<'_>, waits: &[Wait]) -> BTreeMap<NodeId, Term> {
    let mut attempts: BTreeMap<NodeId, Term> = BTreeMap::new();
    for wait in waits {
        let never = query.terms.bool(false);
        let any = attempts.entry(wait.node).or_insert(never);
        *any = query.terms.or(*any, wait.blocked);
    }
    for &(i, guard) in query.graph().attempted() {
        if let Some(&fails) = attempts.get(&query.reads()[i].node) {
            let tried = query.terms.and(guard, fails);
            query.let_read(i, tried);
        }
    }
    for (&node, &fails) in &attempts {
        query.let_node(node, fails);
    }
    attempts
}

/// Adds the nodes of loop iterations that return to their starting state, each with its condition.
fn rounds(query: &mut Query<'_>, spins: &[Spin], last: &mut BTreeMap<NodeId, Term>) {
    for spin in spins {
        for i in spin.from.as_u32()..spin.to.as_u32() {
            let node = NodeId::from_u32(i);
            if query.nodes()[node].thread == spin.thread {
                let never = query.terms.bool(false);
                let here = query.terms.and(spin.guard, query.nodes()[node].guard);
                let any = last.entry(node).or_insert(never);
                *any = query.terms.or(*any, here);
            }
        }
    }
}

/// Orders each node, under its condition, after every counted write to the cells that it reads.
fn come_last(query: &mut Query<'_>, nodes: &BTreeMap<NodeId, Term>, counted: &Counted) {
    let mut is_read = vec![false; query.cells().len()];
    for read in query.reads().iter().filter(|r| nodes.contains_key(&r.node)) {
        is_read[read.cell.as_u32() as usize] = true;
    }
    // A step with a claim or a limit also reads whether the program still runs. The program may end afterwards.
    if let Some(running) = query.graph().running() {
        is_read[running.as_u32() as usize] = false;
    }
    let mut writes: BTreeMap<(ThreadId, NodeId), Term> = BTreeMap::new();
    for i in 0..query.writes().len() {
        let Write { node, cell, guard, .. } = query.writes()[i];
        if is_read[cell.as_u32() as usize] {
            let never = query.terms.bool(false);
            // An iteration without effect may write the values that the cells already have.
            let changes = nodes.get(&node).map(|last| query.terms.not(*last));
            let guard = changes.map_or(guard, |changes| query.terms.and(guard, changes));
            let guard = counted.with(query, node, guard);
            let any = writes.entry((query.nodes()[node].thread, node)).or_insert(never);
            *any = query.terms.or(*any, guard);
        }
    }
    let never = query.terms.bool(false);
    let guard = nodes.values().fold(never, |any, &fails| query.terms.or(any, fails));
    let thread = query.add_thread();
    let Some(place) = nodes.keys().next().map(|n| query.nodes()[*n].place) else { return };
    let end = query.add_node(thread, guard, place);
    let mut last: BTreeMap<ThreadId, (CellId, Term, u128)> = BTreeMap::new();
    for ((thread, node), guard) in writes {
        let (cell, mut now, count) = match last.get(&thread) {
            Some(known) => *known,
            None => {
                let (cell, first) = query.add_cell(Width::W32);
                (cell, first, 0)
            }
        };
        let value = query.terms.constant(Width::W32, count + 1);
        query.add_write(node, cell, guard, value);
        now = query.terms.ite(guard, value, now);
        last.insert(thread, (cell, now, count + 1));
    }
    for (cell, value, _) in last.into_values() {
        query.expect(end, cell, guard, value);
    }
    let (cell, _) = query.add_cell(Width::W8);
    let one = query.terms.constant(Width::W8, 1);
    query.add_write(end, cell, guard, one);
    for (&node, &fails) in nodes {
        query.expect(node, cell, fails, one);
    }
}

/// An unknown for each thread: it waits for a thread whose unknown holds as well.
fn in_cycle(query: &mut Query<'_>, waits: &[Wait]) -> BTreeMap<ThreadId, Term> {
    let mut cycle: BTreeMap<ThreadId, Term> = BTreeMap::new();
    for wait in waits {
        let thread = query.nodes()[wait.node].thread;
        cycle.entry(thread).or_insert_with(|| query.terms.variable(Width::BOOL));
    }
    for (&thread, &is_in) in &cycle {
        let mut waits_in = query.terms.bool(false);
        for wait in waits_of(query, waits, thread) {
            for (&owner, &owner_is_in) in &cycle {
                let is_owner = waits_for(query, wait, owner, waits);
                let both = query.terms.and(is_owner, owner_is_in);
                let waits = query.terms.and(wait.blocked, both);
                waits_in = query.terms.or(waits_in, waits);
            }
        }
        let holds = query.terms.implies(is_in, waits_in);
        query.assume(holds);
    }
    cycle
}

/// The thread waits with any inputs: it has asked for none in this step.
fn certain(query: &mut Query<'_>, wait: &Wait) -> Term {
    let certain = query.terms.not(wait.asked);
    query.terms.and(wait.blocked, certain)
}

/// Some thread waits.
fn any_waits(query: &mut Query<'_>, waits: &[Wait]) -> Term {
    let never = query.terms.bool(false);
    waits.iter().fold(never, |any, wait| {
        let waits = certain(query, wait);
        query.terms.or(any, waits)
    })
}

/// Some thread is stuck in a loop.
fn any_spins(query: &mut Query<'_>, spins: &[Spin]) -> Term {
    let never = query.terms.bool(false);
    spins.iter().fold(never, |any, spin| query.terms.or(any, spin.guard))
}

/// All threads have ended, wait, or are stuck in loops.
fn all_blocked(query: &mut Query<'_>, waits: &[Wait], spins: &[Spin], counted: &Counted) -> Term {
    let never = query.terms.bool(false);
    let mut rests: BTreeMap<ThreadId, Term> = query.threads().map(|t| (t, never)).collect();
    for wait in waits {
        let waits = certain(query, wait);
        let rest = rests.entry(query.nodes()[wait.node].thread).or_insert(never);
        *rest = query.terms.or(*rest, waits);
    }
    for spin in spins {
        let rest = rests.entry(spin.thread).or_insert(never);
        *rest = query.terms.or(*rest, spin.guard);
    }
    for &(thread, ended) in query.graph().ended() {
        let whole = counted.whole(query, thread);
        let ended = query.terms.and(ended, whole);
        let rest = rests.entry(thread).or_insert(never);
        *rest = query.terms.or(*rest, ended);
    }
    let always = query.terms.bool(true);
    let first = query.threads().take(1).map(|t| (Some(t), always));
    let threads: Vec<_> = first.chain(query.started().iter().map(|s| (s.thread, s.guard))).collect();
    let mut goal = query.terms.bool(true);
    for (thread, started) in threads {
        let rests = thread.map_or(never, |t| rests[&t]);
        let rests = query.terms.implies(started, rests);
        goal = query.terms.and(goal, rests);
    }
    goal
}
