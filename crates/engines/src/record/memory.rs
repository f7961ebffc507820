//! What reads see when an execution is recorded context by context.
//!
//! For each cell, `last(i, w)` says that w was the last write to it before context i. Within a context only one thread
//! writes, so a write is handed on from one context to the next unless that thread has overwritten it: `wrote` says that
//! it has written the cell at all, and `stays(i, w)` that its last write there is w. A read in context i sees the last
//! write of its own thread in that context, and what was handed on if there is none.
//!
//! Both helpers that look along a thread are chains, so that clauses stay linear in its writes: `later` (some later write of
//! the thread is in context i or before) and `recent` (some earlier one is in context i or after).

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

/// A cell that reads find different values in.
struct CellHistory {
    /// The writes that some read has to know of, by step; those of a thread follow one another in program order.
    writes: Vec<Written>,
    reads: Vec<Seen>,
    /// `last` of the current context; that of the first value is the last one.
    last: Vec<Lit>,
}

struct Written {
    step: usize,
    thread: usize,
    active: Lit,
}

/// A read and the writes that it can see.
struct Seen {
    step: usize,
    /// The number of writes of its own thread that are before it, and the first of them.
    first_own: usize,
    own: usize,
    /// Writes, by index, with the literal that says that the read sees it; the index of the first value is the last one.
    sources: Vec<(usize, Lit)>,
    /// It sees what was there when its context began.
    from_before: Lit,
}

impl Memory {
    pub fn new(formula: &mut Formula, query: &Query<'_>, recorder: &Recorder) -> Memory {
        let numbers: FxHashMap<NodeId, usize> =
            recorder.steps.iter().enumerate().map(|(i, step)| (step.node, i)).collect();
        let rows = std::mem::take(&mut formula.rows);
        let mut by_cell: BTreeMap<CellId, Vec<&Row>> = BTreeMap::new();
        for row in &rows {
            by_cell.entry(query.reads()[row.read].cell).or_default().push(row);
        }
        let cells =
            by_cell.into_values().map(|rows| CellHistory::new(formula, recorder, &numbers, &rows)).collect();
        formula.rows = rows;
        Memory { cells }
    }

    /// Adds the reads of context `i`, and hands on what was written in the one before. `None`: stopped.
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
                cell.hand_on(formula, recorder, i);
            }
            cell.read(formula, recorder, i);
        }
        Some(())
    }
}

impl CellHistory {
    fn new(
        formula: &mut Formula,
        recorder: &Recorder,
        numbers: &FxHashMap<NodeId, usize>,
        rows: &[&Row],
    ) -> CellHistory {
        let mut actives: BTreeMap<usize, Lit> = BTreeMap::new();
        for candidate in rows.iter().flat_map(|row| &row.candidates) {
            if let Some(step) = candidate.write.and_then(|w| numbers.get(&w)) {
                actives.insert(*step, candidate.active.unwrap_or(recorder.truth));
            }
        }
        let written =
            |(step, active): (usize, Lit)| Written { step, thread: recorder.steps[step].thread, active };
        let writes: Vec<Written> = actives.into_iter().map(written).collect();
        // Before the first context nothing was written.
        let mut last = vec![!recorder.truth; writes.len()];
        last.push(recorder.truth);
        let mut cell = CellHistory { writes, reads: Vec::new(), last };
        for row in rows {
            if let Some(&step) = numbers.get(&row.node) {
                let seen = cell.seen(formula, recorder, numbers, (step, row));
                cell.reads.push(seen);
            }
        }
        cell
    }

    fn seen(
        &self,
        formula: &mut Formula,
        recorder: &Recorder,
        numbers: &FxHashMap<NodeId, usize>,
        (step, row): (usize, &Row),
    ) -> Seen {
        let thread = recorder.steps[step].thread;
        let first_own = self.writes.partition_point(|w| w.thread < thread);
        let own = self.writes[first_own..].partition_point(|w| w.step < step);
        let mut sources = Vec::new();
        for candidate in &row.candidates {
            let Some(sees) = candidate.reads_from else { continue };
            let index = match candidate.write {
                None => Some(self.writes.len()),
                Some(write) => numbers.get(&write).map(|s| self.writes.partition_point(|w| w.step < *s)),
            };
            sources.extend(index.map(|index| (index, sees)));
        }
        let from_before = formula.blaster.sat_mut().new_var();
        let seen = Seen { step, first_own, own, sources, from_before };
        self.see_own(formula, recorder, &seen);
        seen
    }

    /// Between a read and a write of its own thread that it sees, the thread does not write. Holds in every context.
    fn see_own(&self, formula: &mut Formula, recorder: &Recorder, seen: &Seen) {
        let own = seen.first_own..seen.first_own + seen.own;
        for &(source, sees) in seen.sources.iter().filter(|s| !own.contains(&s.0)) {
            recorder.clause(formula, &[!sees, seen.from_before]);
            // Its own thread writes this later.
            if self.writes.get(source).is_some_and(|w| w.thread == recorder.steps[seen.step].thread) {
                recorder.clause(formula, &[!sees]);
            }
        }
        let sees: BTreeMap<usize, Lit> = seen.sources.iter().copied().collect();
        // The read sees one of the writes so far.
        let mut so_far: Option<Lit> = None;
        for write in own {
            if let Some(so_far) = so_far {
                recorder.clause(formula, &[!so_far, !self.writes[write].active]);
            }
            let Some(&sees) = sees.get(&write) else { continue };
            so_far = Some(match so_far {
                None => sees,
                Some(earlier) => {
                    let either = formula.blaster.sat_mut().new_var();
                    recorder.clause(formula, &[!earlier, either]);
                    recorder.clause(formula, &[!sees, either]);
                    either
                }
            });
        }
    }

    /// What reads of context `i` see.
    fn read(&self, formula: &mut Formula, recorder: &Recorder, i: usize) {
        let recent = self.recent(formula, recorder, i);
        for seen in &self.reads {
            let outside = recorder.outside(seen.step, i);
            let own = seen.first_own..seen.first_own + seen.own;
            if let Some(recent) = own.clone().next_back().map(|write| recent[write]) {
                recorder.clause(formula, &[outside[0], outside[1], !seen.from_before, !recent]);
            }
            for &(source, sees) in &seen.sources {
                let mut clause = vec![outside[0], outside[1], !sees, self.last[source]];
                if own.contains(&source) {
                    // A write in the same context does not have to be handed on.
                    clause.push(!recorder.le_before(self.writes[source].step, i));
                } else if let Some(write) = self.writes.get(source) {
                    let before = recorder.le_before(write.step, i);
                    recorder.clause(formula, &[outside[0], !sees, before]);
                }
                recorder.clause(formula, &clause);
            }
        }
    }

    /// By write: it or an earlier one of its thread takes part and is in context `i` or after.
    fn recent(&self, formula: &mut Formula, recorder: &Recorder, i: usize) -> Vec<Lit> {
        let mut recent: Vec<Lit> = Vec::with_capacity(self.writes.len());
        for (at, write) in self.writes.iter().enumerate() {
            let after = !recorder.le_before(write.step, i);
            let earlier =
                at.checked_sub(1).filter(|&e| self.writes[e].thread == write.thread).map(|e| recent[e]);
            recent.push(along(formula, recorder, (write.active, after), earlier));
        }
        recent
    }

    /// By write: a later one of its thread takes part and is in context `i` or before.
    fn later(&self, formula: &mut Formula, recorder: &Recorder, i: usize) -> Vec<Option<Lit>> {
        let mut later = vec![None; self.writes.len()];
        for at in (1..self.writes.len()).rev() {
            let write = &self.writes[at];
            if self.writes[at - 1].thread == write.thread {
                let before = recorder.le(write.step, i);
                later[at - 1] = Some(along(formula, recorder, (write.active, before), later[at]));
            }
        }
        later
    }

    /// From the start of context `i - 1` to that of context `i`.
    fn hand_on(&mut self, formula: &mut Formula, recorder: &Recorder, i: usize) {
        let later = self.later(formula, recorder, i - 1);
        let wrote = formula.blaster.sat_mut().new_var();
        let mut next = Vec::with_capacity(self.last.len());
        for (at, write) in self.writes.iter().enumerate() {
            let outside = recorder.outside(write.step, i - 1);
            recorder.clause(formula, &[outside[0], outside[1], !write.active, wrote]);
            let [stays, last] = [(); 2].map(|()| formula.blaster.sat_mut().new_var());
            for part in [!outside[0], !outside[1], write.active] {
                recorder.clause(formula, &[!stays, part]);
            }
            if let Some(later) = later[at] {
                recorder.clause(formula, &[!stays, !later]);
            }
            recorder.clause(formula, &[!last, stays, self.last[at]]);
            recorder.clause(formula, &[!last, stays, !wrote]);
            recorder.clause(formula, &[!last, recorder.le_before(write.step, i)]);
            next.push(last);
        }
        let first = formula.blaster.sat_mut().new_var();
        recorder.clause(formula, &[!first, self.last[self.writes.len()]]);
        recorder.clause(formula, &[!first, !wrote]);
        next.push(first);
        self.last = next;
    }
}

/// A write takes part and is at the right place, or so is one further along its thread. If it always takes part, its
/// place alone decides: where one further along is at the right place, so is this one.
fn along(
    formula: &mut Formula,
    recorder: &Recorder,
    (active, place): (Lit, Lit),
    further: Option<Lit>,
) -> Lit {
    if active == recorder.truth {
        return place;
    }
    let any = formula.blaster.sat_mut().new_var();
    recorder.clause(formula, &[!active, !place, any]);
    if let Some(further) = further {
        recorder.clause(formula, &[!further, any]);
    }
    any
}
