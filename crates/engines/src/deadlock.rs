//! Deadlocks: threads that wait and never get further. And threads that are left in loops that wait.
//!
//! Either every thread has ended or waits; or some threads wait for each other in a circle, whatever the others do. A thread
//! waits where its attempt at a step finds that the condition does not hold. An attempt changes nothing, so it can be made
//! when all others have done what they do: then it is the last one, and the thread waits for good. So attempts are steps
//! that only read, after everything that is written to what they read. That is said by a node that belongs to no
//! thread: it reads, for each thread, which of its writes was the last, and what it writes is read by every attempt.
//!
//! What a thread reads in a round of a loop after which it is where it was, it reads in the next round again, if nobody
//! writes it any more. So such a round comes after everything as well, and the thread stays in the loop.
//!
//! In a circle each waits for one that holds what it needs, alone or with others, and who has it would have to give it up. So others may go on,
//! or have ended the program afterwards; before every attempt it was running.

use crate::marks::{leaves, new_cell, sees};
use std::collections::BTreeMap;
use tp_ir::{Checks, PlaceId, Program, Property, Width};
use tp_machine::{Identity, line_of};
use tp_solver::{Model, Term};
use tp_unfold::{CellId, Node, NodeId, Spin, Thread, ThreadId, Unfolded, Wait, Write};

/// The question whether there is a deadlock.
pub(crate) struct Deadlocks {
    /// Attempts that fail while the program runs.
    waits: Vec<Wait>,
    /// By thread: it is one of those that wait for each other.
    circle: BTreeMap<ThreadId, Term>,
    /// The reads of the program itself.
    reads: usize,
    /// There is a deadlock.
    pub goal: Term,
}

impl Deadlocks {
    /// Lets attempts at steps take part that have to wait. `None`: nobody ever has to.
    pub fn new(program: &mut Unfolded, checks: Checks) -> Option<Deadlocks> {
        let mut waits = std::mem::take(&mut program.waits);
        waits.retain(|w| program.terms.as_const(w.blocked) != Some(0));
        let mut spins = std::mem::take(&mut program.spins);
        spins.retain(|s| program.terms.as_const(s.guard) != Some(0));
        if waits.is_empty() && spins.is_empty() {
            return None;
        }
        let mut last = attempts(program, &waits);
        rounds(program, &spins, &mut last);
        let reads = program.reads.len();
        come_last(program, &last);
        for wait in &mut waits {
            wait.blocked = program.while_running(wait.node, wait.blocked);
        }
        let mut circle = BTreeMap::new();
        let mut goal = program.terms.bool(false);
        if checks.has(Property::Deadlock) {
            circle = in_circle(program, &waits);
            let nobody = nobody_goes_on(program, &waits, &[]);
            let somebody = any_waits(program, &waits);
            let nobody = program.terms.and(nobody, somebody);
            goal = circle.values().fold(nobody, |any, &t| program.terms.or(any, t));
        }
        if checks.has(Property::Stuck) && !spins.is_empty() {
            let nobody = nobody_goes_on(program, &waits, &spins);
            let left = any_is_left(program, &spins);
            let nobody = program.terms.and(nobody, left);
            goal = program.terms.or(goal, nobody);
        }
        Some(Deadlocks { waits, circle, reads, goal })
    }

    /// The threads of a deadlock in an execution in which the goal holds: those of a circle, or all of them.
    pub fn threads(&self, program: &mut Unfolded, model: &mut Model) -> Vec<ThreadId> {
        let start = self.circle.iter().find(|(_, t)| model.holds(&program.terms, **t)).map(|(id, _)| *id);
        // What says that the attempts come last is no part of the program.
        program.reads.truncate(self.reads);
        match start.and_then(|start| self.round(program, model, start)) {
            Some(circle) => circle,
            None => {
                let terms = &program.terms;
                let started = program.started.iter().filter(|s| model.holds(terms, s.guard));
                program.threads.keys().take(1).chain(started.filter_map(|s| s.thread)).collect()
            }
        }
    }

    /// Where somebody waits, or somebody goes round.
    pub fn place(&self, program: &Unfolded, model: &mut Model) -> Option<PlaceId> {
        let wait = self.waits.iter().find(|w| model.holds(&program.terms, w.blocked));
        let node = wait.map(|w| w.node).or_else(|| program.nodes.keys().next())?;
        Some(program.nodes[node].place)
    }

    /// Where these threads wait in an execution.
    pub fn identity(
        &self,
        source: &Program,
        program: &Unfolded,
        model: &mut Model,
        threads: &[ThreadId],
    ) -> Identity {
        let is_of_them = |w: &&Wait| threads.contains(&program.nodes[w.node].thread);
        let waits = self.waits.iter().filter(is_of_them);
        let here = waits.filter(|w| model.holds(&program.terms, w.blocked));
        let lines = here.filter_map(|w| line_of(source, program.nodes[w.node].place));
        Identity::new(Property::Deadlock, lines.collect())
    }

    /// From now on, no deadlock counts in which threads wait at all of these lines.
    pub fn leave_out(&mut self, source: &Program, program: &mut Unfolded, known: &Identity) {
        let mut all = program.terms.bool(true);
        for line in &known.lines {
            let never = program.terms.bool(false);
            let here = |w: &&Wait| line_of(source, program.nodes[w.node].place) == Some(*line);
            let waits: Vec<Term> = self.waits.iter().filter(here).map(|w| w.blocked).collect();
            let any = waits.into_iter().fold(never, |any, blocked| program.terms.or(any, blocked));
            all = program.terms.and(all, any);
        }
        let other = program.terms.not(all);
        self.goal = program.terms.and(self.goal, other);
    }

    /// One of the circle that has what somebody of the circle waits for.
    fn waited_for(&self, program: &mut Unfolded, model: &mut Model, wait: &Wait) -> Option<ThreadId> {
        let mut threads = self.circle.iter();
        let found = threads.find(|&(&thread, &is_in)| {
            let waits_for = waits_for(program, wait, thread, &self.waits);
            model.holds(&program.terms, is_in) && model.holds(&program.terms, waits_for)
        });
        found.map(|(&thread, _)| thread)
    }

    /// From a thread to the one it waits for, until there is one that was there before.
    fn round(&self, program: &mut Unfolded, model: &mut Model, start: ThreadId) -> Option<Vec<ThreadId>> {
        let mut way = vec![start];
        loop {
            let last = *way.last()?;
            let here = |w: &&Wait| program.nodes[w.node].thread == last;
            let wait = self.waits.iter().filter(here).find(|w| model.holds(&program.terms, w.blocked))?;
            let next = self.waited_for(program, model, wait)?;
            if let Some(first) = way.iter().position(|t| *t == next) {
                return Some(way.split_off(first));
            }
            way.push(next);
        }
    }
}

fn waits_of<'a>(program: &Unfolded, waits: &'a [Wait], thread: ThreadId) -> Vec<&'a Wait> {
    waits.iter().filter(|w| program.nodes[w.node].thread == thread).collect()
}

/// When somebody who waits waits for a thread: that is the owner, or waits as well and holds it together with others.
fn waits_for(program: &mut Unfolded, wait: &Wait, thread: ThreadId, waits: &[Wait]) -> Term {
    let number = program.terms.constant(Width::W32, program.threads[thread].number as u128);
    let mut any = program.terms.eq(wait.owner, number);
    for other in waits_of(program, waits, thread) {
        for &(lock, is_held) in &other.holds {
            let same = program.terms.eq(lock, wait.object);
            let holds = program.terms.and(same, is_held);
            let there = program.terms.and(other.blocked, holds);
            any = program.terms.or(any, there);
        }
    }
    any
}

/// Attempts take part with what they read. By node: when it is an attempt that fails.
fn attempts(program: &mut Unfolded, waits: &[Wait]) -> BTreeMap<NodeId, Term> {
    let mut attempts: BTreeMap<NodeId, Term> = BTreeMap::new();
    for wait in waits {
        let never = program.terms.bool(false);
        let any = attempts.entry(wait.node).or_insert(never);
        *any = program.terms.or(*any, wait.blocked);
    }
    for (i, guard) in std::mem::take(&mut program.attempted) {
        if let Some(&fails) = attempts.get(&program.reads[i].node) {
            let tried = program.terms.and(guard, fails);
            program.reads[i].guard = program.terms.or(program.reads[i].guard, tried);
        }
    }
    for (&node, &fails) in &attempts {
        program.nodes[node].guard = program.terms.or(program.nodes[node].guard, fails);
    }
    attempts
}

/// The nodes of rounds after which a thread is where it was, and when they are of such a round.
fn rounds(program: &mut Unfolded, spins: &[Spin], last: &mut BTreeMap<NodeId, Term>) {
    for spin in spins {
        for i in spin.from.as_u32()..spin.to.as_u32() {
            let node = NodeId::from_u32(i);
            if program.nodes[node].thread == spin.thread {
                let never = program.terms.bool(false);
                let here = program.terms.and(spin.guard, program.nodes[node].guard);
                let any = last.entry(node).or_insert(never);
                *any = program.terms.or(*any, here);
            }
        }
    }
}

/// Some nodes come after all that is written to what they read, when a condition holds.
fn come_last(program: &mut Unfolded, nodes: &BTreeMap<NodeId, Term>) {
    let mut is_read = vec![false; program.cells.len()];
    for read in program.reads.iter().filter(|r| nodes.contains_key(&r.node)) {
        is_read[read.cell.as_u32() as usize] = true;
    }
    // Whether the program still runs is asked where a claim or a limit stands in the same step. It may end afterwards.
    if let Some(running) = program.running {
        is_read[running.as_u32() as usize] = false;
    }
    let mut writes: BTreeMap<(ThreadId, NodeId), Term> = BTreeMap::new();
    for i in 0..program.writes.len() {
        let Write { node, cell, guard, .. } = program.writes[i];
        if is_read[cell.as_u32() as usize] {
            let never = program.terms.bool(false);
            // A round that changes nothing may write what is there.
            let changes = nodes.get(&node).map(|last| program.terms.not(*last));
            let guard = changes.map_or(guard, |changes| program.terms.and(guard, changes));
            let any = writes.entry((program.nodes[node].thread, node)).or_insert(never);
            *any = program.terms.or(*any, guard);
        }
    }
    let never = program.terms.bool(false);
    let guard = nodes.values().fold(never, |any, &fails| program.terms.or(any, fails));
    let thread = program.threads.push(Thread {
        parent: None,
        number: u32::MAX,
        steps: Vec::new(),
        local_nodes: Vec::new(),
        made: Vec::new(),
    });
    let Some(place) = nodes.keys().next().map(|n| program.nodes[*n].place) else { return };
    let end = program.nodes.push(Node { thread, guard, place });
    let mut last: BTreeMap<ThreadId, (CellId, Term, u128)> = BTreeMap::new();
    for ((thread, node), guard) in writes {
        let (cell, mut now, count) = match last.get(&thread) {
            Some(known) => *known,
            None => {
                let (cell, first) = new_cell(program, Width::W32);
                (cell, first, 0)
            }
        };
        let value = program.terms.constant(Width::W32, count + 1);
        leaves(program, node, cell, guard, value);
        now = program.terms.ite(guard, value, now);
        last.insert(thread, (cell, now, count + 1));
    }
    for (cell, value, _) in last.into_values() {
        sees(program, end, cell, guard, value);
    }
    let (cell, _) = new_cell(program, Width::W8);
    let one = program.terms.constant(Width::W8, 1);
    leaves(program, end, cell, guard, one);
    for (&node, &fails) in nodes {
        sees(program, node, cell, fails, one);
    }
}

/// An unknown for each thread that says that it waits for one of which the same holds.
fn in_circle(program: &mut Unfolded, waits: &[Wait]) -> BTreeMap<ThreadId, Term> {
    let mut circle: BTreeMap<ThreadId, Term> = BTreeMap::new();
    for wait in waits {
        let thread = program.nodes[wait.node].thread;
        circle.entry(thread).or_insert_with(|| program.terms.variable(Width::BOOL));
    }
    for (&thread, &is_in) in &circle {
        let mut waits_in = program.terms.bool(false);
        for wait in waits_of(program, waits, thread) {
            for (&owner, &owner_is_in) in &circle {
                let is_owner = waits_for(program, wait, owner, waits);
                let both = program.terms.and(is_owner, owner_is_in);
                let waits = program.terms.and(wait.blocked, both);
                waits_in = program.terms.or(waits_in, waits);
            }
        }
        let holds = program.terms.implies(is_in, waits_in);
        program.assumptions.push(holds);
    }
    circle
}

/// The thread waits for good: with other inputs it would have to wait as well.
fn certain(program: &mut Unfolded, wait: &Wait) -> Term {
    let certain = program.terms.not(wait.asked);
    program.terms.and(wait.blocked, certain)
}

/// Some thread waits.
fn any_waits(program: &mut Unfolded, waits: &[Wait]) -> Term {
    let never = program.terms.bool(false);
    waits.iter().fold(never, |any, wait| {
        let waits = certain(program, wait);
        program.terms.or(any, waits)
    })
}

/// Some thread is left in a loop.
fn any_is_left(program: &mut Unfolded, spins: &[Spin]) -> Term {
    let never = program.terms.bool(false);
    spins.iter().fold(never, |any, spin| program.terms.or(any, spin.guard))
}

/// All threads have ended, wait, or are left in loops.
fn nobody_goes_on(program: &mut Unfolded, waits: &[Wait], spins: &[Spin]) -> Term {
    let never = program.terms.bool(false);
    let mut rests: BTreeMap<ThreadId, Term> = program.threads.keys().map(|t| (t, never)).collect();
    for wait in waits {
        let waits = certain(program, wait);
        let rest = rests.entry(program.nodes[wait.node].thread).or_insert(never);
        *rest = program.terms.or(*rest, waits);
    }
    for spin in spins {
        let rest = rests.entry(spin.thread).or_insert(never);
        *rest = program.terms.or(*rest, spin.guard);
    }
    for &(thread, ended) in &program.ended {
        let rest = rests.entry(thread).or_insert(never);
        *rest = program.terms.or(*rest, ended);
    }
    let first = program.threads.keys().take(1).map(|t| (Some(t), program.terms.bool(true)));
    let threads: Vec<_> = first.chain(program.started.iter().map(|s| (s.thread, s.guard))).collect();
    let mut goal = program.terms.bool(true);
    for (thread, started) in threads {
        let rests = thread.map_or(never, |t| rests[&t]);
        let rests = program.terms.implies(started, rests);
        goal = program.terms.and(goal, rests);
    }
    goal
}
