//! What reads see when an execution is recorded context by context: the values of memory, handed from one to the next.
//!
//! For each cell there is its value at the start of each context. Within a context only one thread acts. So what an access
//! finds is what the access before it in its thread has left, if that is in the same context (`same`), and the value at the
//! start of the context otherwise. The value at the start of the next context is what the last write of this one has left.
//! So the clauses grow with accesses times contexts; it does not matter how many writes a read can see. And what is
//! learnt about the value at the start of a context holds for all ways to get there.
//!
//! A write that takes no part leaves what it finds. A node that takes no part may be numbered like a context of another
//! thread; it hands nothing on.

use super::Recorder;
use crate::encode::{Formula, Row};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_events::{CellId, NodeId, Query};
use tp_solver::{Lit, Sat};

pub(super) struct Memory {
    cells: Vec<CellHistory>,
}

/// A cell, with the accesses that matter.
struct CellHistory {
    /// Those of a thread follow one another in program order.
    accesses: Vec<Access>,
    /// Its value at the start of the current context.
    value: Vec<Lit>,
    /// The bits that are the same in all values that it ever has.
    fixed: Vec<Option<Lit>>,
}

struct Access {
    step: usize,
    thread: usize,
    /// The value of the cell before it, where that matters.
    before: Option<Vec<Lit>>,
    /// It is in the same context as the access before it in its thread, if there is one.
    same: Option<Lit>,
    write: Option<Written>,
}

struct Written {
    /// The value of the cell afterwards.
    after: Vec<Lit>,
    /// The step of the next write of the thread.
    next: Option<usize>,
}

/// The reads and writes of a node, each with its guard and its bits. At most one of the writes takes part: they are those
/// of different paths through an atomic section.
#[derive(Default)]
struct Events {
    reads: Vec<(Lit, Vec<Lit>)>,
    writes: Vec<(Lit, Vec<Lit>)>,
}

impl Memory {
    pub fn new(formula: &mut Formula, query: &Query<'_>, recorder: &Recorder) -> Memory {
        let numbers: FxHashMap<NodeId, usize> =
            recorder.steps.iter().enumerate().map(|(i, step)| (step.node, i)).collect();
        let rows = std::mem::take(&mut formula.rows);
        let mut writes: FxHashMap<(NodeId, CellId), Vec<usize>> = FxHashMap::default();
        for (i, write) in query.writes().iter().enumerate() {
            writes.entry((write.node, write.cell)).or_default().push(i);
        }
        let mut cells: BTreeMap<CellId, BTreeMap<usize, Events>> = BTreeMap::new();
        for Row { read, candidates, .. } in &rows {
            let read = query.reads()[*read];
            let events = cells.entry(read.cell).or_default();
            let guard = formula.blaster.literal(&query.terms, read.guard);
            let bits = formula.blaster.bits(&query.terms, read.value).to_vec();
            if let Some(&step) = numbers.get(&read.node) {
                events.entry(step).or_default().reads.push((guard, bits));
            }
            for candidate in candidates {
                let Some(node) = candidate.write else { continue };
                let (Some(&step), Some(writes)) = (numbers.get(&node), writes.get(&(node, read.cell))) else {
                    continue;
                };
                let event = events.entry(step).or_default();
                if event.writes.is_empty() {
                    event.writes.extend(writes.iter().map(|&i| {
                        let write = query.writes()[i];
                        let active = formula.blaster.literal(&query.terms, write.guard);
                        (active, formula.blaster.bits(&query.terms, write.value).to_vec())
                    }));
                }
            }
        }
        formula.rows = rows;
        let mut all = Vec::new();
        for (cell, events) in cells {
            let first = formula.blaster.bits(&query.terms, query.cells()[cell].first).to_vec();
            all.push(CellHistory::new(formula, recorder, first, events));
        }
        Memory { cells: all }
    }

    /// Adds what happens in context `i`. `None`: stopped.
    pub fn add_context(
        &mut self,
        formula: &mut Formula,
        recorder: &Recorder,
        i: usize,
        stop: &AtomicBool,
    ) -> Option<()> {
        for cell in &mut self.cells {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if i > 0 {
                cell.hand_on(formula, recorder, i - 1);
            }
            cell.find(formula, recorder, i);
        }
        Some(())
    }
}

impl CellHistory {
    fn new(
        formula: &mut Formula,
        recorder: &Recorder,
        first: Vec<Lit>,
        events: BTreeMap<usize, Events>,
    ) -> CellHistory {
        let written = || events.values().flat_map(|e| &e.writes);
        let is_fixed = |(bit, first): (usize, &Lit)| {
            written().all(|(_, bits)| bits.get(bit) == Some(first)).then_some(*first)
        };
        let fixed = first.iter().enumerate().map(is_fixed).collect();
        let mut cell = CellHistory { accesses: Vec::new(), value: first, fixed };
        for (step, events) in events {
            cell.access(formula, recorder, step, events);
        }
        let mut next: Option<(usize, usize)> = None;
        for access in cell.accesses.iter_mut().rev() {
            let (thread, step) = (access.thread, access.step);
            if let Some(write) = &mut access.write {
                write.next = next.filter(|n| n.0 == thread).map(|n| n.1);
                next = Some((thread, step));
            }
        }
        cell
    }

    /// An access, as far as it does not depend on contexts.
    fn access(&mut self, formula: &mut Formula, recorder: &Recorder, step: usize, events: Events) {
        let thread = recorder.steps[step].thread;
        let Events { reads, writes } = events;
        let is_conditional = writes.iter().any(|w| w.0 != recorder.truth);
        let is_sure = |read: &&(Lit, Vec<Lit>)| read.0 == recorder.truth;
        let before = match reads.iter().find(is_sure) {
            Some((_, bits)) => Some(bits.clone()),
            None if is_conditional || !reads.is_empty() => Some(self.unknown(formula)),
            None => None,
        };
        for ((guard, bits), before) in reads.iter().zip(before.iter().cycle()) {
            equal(formula, recorder, &[!*guard], bits, before);
        }
        if let Some(before) = &before {
            self.fix(formula, recorder, before);
        }
        let last = self.accesses.last().filter(|a| a.thread == thread);
        let same = last.map(|_| formula.blaster.sat_mut().new_var());
        if let (Some(same), Some(before), Some(left)) = (same, &before, last.and_then(Access::left)) {
            equal(formula, recorder, &[!same], before, left);
        }
        let after = match (&before, &writes[..]) {
            (_, []) => None,
            (Some(before), writes) if is_conditional => {
                let after = self.unknown(formula);
                for (active, bits) in writes {
                    equal(formula, recorder, &[!*active], &after, bits);
                }
                let any: Vec<Lit> = writes.iter().map(|w| w.0).collect();
                equal(formula, recorder, &any, &after, before);
                Some(after)
            }
            (_, [(_, bits), ..]) => Some(bits.clone()),
        };
        let write = after.map(|after| Written { after, next: None });
        self.accesses.push(Access { step, thread, before, same, write });
    }

    /// Some value of the cell.
    fn unknown(&self, formula: &mut Formula) -> Vec<Lit> {
        let sat = formula.blaster.sat_mut();
        self.fixed.iter().map(|fixed| fixed.unwrap_or_else(|| sat.new_var())).collect()
    }

    /// The bits that all values share.
    fn fix(&self, formula: &mut Formula, recorder: &Recorder, value: &[Lit]) {
        for (&bit, fixed) in value.iter().zip(&self.fixed) {
            if let Some(fixed) = *fixed {
                equal(formula, recorder, &[], &[bit], &[fixed]);
            }
        }
    }

    /// What the accesses of context `i` find.
    fn find(&self, formula: &mut Formula, recorder: &Recorder, i: usize) {
        let mut last: Option<&Access> = None;
        for access in &self.accesses {
            let outside = recorder.outside(access.step, i);
            let mut condition = outside.to_vec();
            if let (Some(same), Some(last)) = (access.same, last) {
                let (le, le_last) = (recorder.le(access.step, i), recorder.le(last.step, i));
                recorder.clause(formula, &[recorder.le_before(last.step, i), !le, same]);
                recorder.clause(formula, &[!le_last, le, !same]);
                condition.push(same);
            }
            if let Some(before) = &access.before {
                equal(formula, recorder, &condition, before, &self.value);
            }
            last = Some(access);
        }
    }

    /// What context `i` leaves to the next one.
    fn hand_on(&mut self, formula: &mut Formula, recorder: &Recorder, i: usize) {
        let next = self.unknown(formula);
        let mut writers = Vec::new();
        for access in &self.accesses {
            let Some(write) = &access.write else { continue };
            let outside = recorder.outside(access.step, i);
            // The last write of the thread that has this context.
            let mut parts = vec![!outside[0], !outside[1]];
            parts.extend(write.next.map(|next| !recorder.le(next, i)));
            parts.extend(recorder.contexts[i].turns[access.thread]);
            let is_last = formula.blaster.sat_mut().new_var();
            parts.iter().for_each(|&part| recorder.clause(formula, &[!is_last, part]));
            let all: Vec<Lit> = parts.iter().map(|&part| !part).chain([is_last]).collect();
            recorder.clause(formula, &all);
            equal(formula, recorder, &[!is_last], &next, &write.after);
            writers.push(is_last);
        }
        let wrote = formula.blaster.sat_mut().new_var();
        writers.iter().for_each(|&writer| recorder.clause(formula, &[!writer, wrote]));
        writers.push(!wrote);
        recorder.clause(formula, &writers);
        equal(formula, recorder, &[wrote], &next, &self.value);
        self.value = next;
    }
}

impl Access {
    /// The value of the cell after it.
    fn left(&self) -> Option<&[Lit]> {
        self.write.as_ref().map(|w| w.after.as_slice()).or(self.before.as_deref())
    }
}

/// Both values are equal unless one of the literals holds.
fn equal(formula: &mut Formula, recorder: &Recorder, unless: &[Lit], a: &[Lit], b: &[Lit]) {
    for (&a, &b) in a.iter().zip(b).filter(|(a, b)| a != b) {
        for pair in [[!a, b], [a, !b]] {
            let clause: Vec<Lit> = unless.iter().copied().chain(pair).collect();
            recorder.clause(formula, &clause);
        }
    }
}
