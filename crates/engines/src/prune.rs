//! Which writes each read can see, as far as that is known before solving.
//!
//! A write cannot be seen when it is always after the read, when another write always comes in between, or when its
//! guard or value does not fit. A read that can see few writes is ordered after them, which rules out more; so this is
//! iterated to a fixpoint, within `MOST_PASSES`.
//!
//! A write that a read cannot see because of its value can still come between the read and the write it sees. So it
//! stays on the list, marked. A write that is off the list cannot come in between either: one that is after the read is
//! not before it, and one that is always overwritten is before its overwriter, which is on the list or overwritten in
//! turn. These orders follow from program order and from what reads can see, never from what may not come in between,
//! so leaving a write out loses nothing.

use crate::facts::{Facts, can_be_equal};
use crate::guards::Guards;
use crate::past::{Clock, Past, PastEntry, slot};
use std::sync::atomic::{AtomicBool, Ordering};
use tp_events::{NodeId, Query, Read, Write};
use tp_terms::Terms;

/// Each level of nested joins takes a pass; what is not found in this many passes is left to the solver.
const MOST_PASSES: u32 = 12;
/// How many later writes are tried as the one that overwrites a write.
const LOOK_AHEAD: usize = 64;

/// A write, by its index in `writes`, and whether the read can see it or it can only come in between.
#[derive(Copy, Clone)]
pub(crate) struct Other {
    pub write: u32,
    pub can_be_seen: bool,
}

/// What a read may see.
pub(crate) struct View {
    pub read: u32,
    /// It can see the cell's first value.
    pub first: bool,
    /// Seeing one of these puts something before the read that program order and other such reads do not.
    pub forces_order: bool,
    pub others: Vec<Other>,
}

impl View {
    pub fn seen(&self) -> impl Iterator<Item = u32> {
        self.others.iter().filter(|o| o.can_be_seen).map(|o| o.write)
    }
}

pub(crate) struct Pruner<'a, 'g> {
    query: &'a mut Query<'g>,
    guards: Guards,
    pub past: Past,
    /// By write: how many nodes of its thread are before the next write that surely overwrites it.
    overwritten_at: Vec<u32>,
}

/// The views of all reads that can take part. `None`: stopped.
pub(crate) fn views(query: &mut Query<'_>, stop: &AtomicBool) -> Option<(Vec<View>, Past)> {
    let past = Past::new(query);
    let mut pruner = Pruner { query, guards: Guards::default(), past, overwritten_at: Vec::new() };
    pruner.past.update(pruner.query, &mut pruner.guards);
    let by_cell = pruner.writes_by_cell();
    pruner.find_overwriters(&by_cell);
    let mut views = pruner.first_views(&by_cell, stop)?;
    for _ in 0..MOST_PASSES {
        if !pruner.learn(&mut views) {
            break;
        }
        for view in &mut views {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            pruner.narrow(view);
        }
    }
    Some((views, pruner.past))
}

impl Pruner<'_, '_> {
    fn write(&self, index: u32) -> Write {
        self.query.writes()[index as usize]
    }

    /// The writes that can take part, by cell, in program order within each thread.
    fn writes_by_cell(&self) -> Vec<Vec<u32>> {
        let mut by_cell = vec![Vec::new(); self.query.cells().len()];
        for (i, write) in self.query.writes().iter().enumerate() {
            if self.query.terms.as_const(write.guard) != Some(0) {
                by_cell[write.cell.as_u32() as usize].push(i as u32);
            }
        }
        for writes in &mut by_cell {
            writes.sort_by_key(|&w| {
                let (thread, index) = self.past.position(self.write(w).node);
                (slot(thread), index)
            });
        }
        by_cell
    }

    fn find_overwriters(&mut self, by_cell: &[Vec<u32>]) {
        self.overwritten_at = vec![u32::MAX; self.query.writes().len()];
        for writes in by_cell {
            for (i, &w) in writes.iter().enumerate() {
                let (guard, (thread, at)) = (self.write(w).guard, self.past.position(self.write(w).node));
                for &later in writes[i + 1..].iter().take(LOOK_AHEAD) {
                    let later = self.write(later);
                    let (of, index) = self.past.position(later.node);
                    if of != thread {
                        break;
                    }
                    if index > at && self.guards.implies(&self.query.terms, guard, later.guard) {
                        self.overwritten_at[w as usize] = index;
                        break;
                    }
                }
            }
        }
    }

    fn first_views(&mut self, by_cell: &[Vec<u32>], stop: &AtomicBool) -> Option<Vec<View>> {
        let assumptions = self.query.assumptions().to_vec();
        let mut known = Facts::new(&mut self.query.terms, &assumptions);
        let mut views = Vec::new();
        for i in 0..self.query.reads().len() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let read = self.query.reads()[i];
            if self.query.terms.as_const(read.guard) == Some(0) {
                continue;
            }
            let writes = &by_cell[read.cell.as_u32() as usize];
            let others = writes.iter().map(|&write| Other { write, can_be_seen: true });
            let mut view =
                View { read: i as u32, first: true, forces_order: false, others: others.collect() };
            let (thread, _) = self.past.position(read.node);
            view.others.retain(|o| {
                let write = self.query.writes()[o.write as usize];
                // Guards of different threads hardly ever have terms in common.
                let same = self.past.position(write.node).0 == thread;
                write.node != read.node
                    && !(same && self.guards.exclude(&self.query.terms, read.guard, write.guard))
            });
            self.narrow(&mut view);
            self.compare_values(&mut view, read, &mut known);
            views.push(view);
        }
        Some(views)
    }

    /// Marks the writes that the read cannot see because of their values.
    fn compare_values(&mut self, view: &mut View, read: Read, known: &mut Facts) {
        let about = known.about(&self.query.terms, &mut self.guards, read.value, read.guard);
        let mut fits = |terms: &mut Terms, value| {
            !known.refute(terms, &about, read.value, value) && can_be_equal(terms, read.value, value)
        };
        let first = self.query.cells()[read.cell].first;
        view.first = view.first && fits(&mut self.query.terms, first);
        for other in &mut view.others {
            let value = self.query.writes()[other.write as usize].value;
            other.can_be_seen = fits(&mut self.query.terms, value);
        }
    }

    /// Removes writes that are always after the read or always overwritten before it.
    fn narrow(&mut self, view: &mut View) {
        let read = self.query.reads()[view.read as usize];
        let covers = self.covers(view, read);
        view.first &= covers.is_empty();
        let clock = self.past.clock(read.node);
        view.others.retain(|other| {
            let node = self.query.writes()[other.write as usize].node;
            let (thread, _) = self.past.position(node);
            !(self.past.is_before(read.node, node)
                || clock[slot(thread)].before > self.overwritten_at[other.write as usize]
                || covers.iter().any(|&cover| self.past.is_before(node, cover)))
        });
    }

    /// Nodes before the read that write the cell whenever the read takes part, the last one of each thread.
    fn covers(&mut self, view: &View, read: Read) -> Vec<NodeId> {
        let mut covers: Vec<NodeId> = Vec::new();
        for other in view.others.iter().rev() {
            let write = self.query.writes()[other.write as usize];
            let (thread, _) = self.past.position(write.node);
            let newest = covers.last().is_none_or(|&c| self.past.position(c).0 != thread);
            if newest && self.past.is_before(write.node, read.node) && self.takes_part_with(read, write) {
                covers.push(write.node);
            }
        }
        covers
    }

    /// Whether the write takes part whenever the read does.
    fn takes_part_with(&mut self, read: Read, write: Write) -> bool {
        let (thread, _) = self.past.position(write.node);
        let sure = self.past.clock(read.node)[slot(thread)].sure;
        let terms = &self.query.terms;
        self.guards.implies(terms, read.guard, write.guard)
            || sure.is_some_and(|sure| self.guards.implies(terms, sure, write.guard))
    }

    /// Adds to the past of each read what its view forces. `false`: nothing new.
    fn learn(&mut self, views: &mut [View]) -> bool {
        let mut new = false;
        for view in views.iter_mut().filter(|v| !v.first) {
            let read = self.query.reads()[view.read as usize];
            if let Some(clock) = self.common_past(view) {
                let orders = self.past.is_more(read.node, &clock);
                let adds = self.past.add(read.node, read.guard, clock);
                view.forces_order |= adds && orders;
                new |= adds;
            }
        }
        if new {
            self.past.update(self.query, &mut self.guards);
        }
        new
    }

    /// The common past of all writes that can be seen, each write being in its own past.
    fn common_past(&self, view: &View) -> Option<Clock> {
        let mut common: Option<Clock> = None;
        for w in view.seen() {
            let write = self.query.writes()[w as usize];
            let (thread, index) = self.past.position(write.node);
            let mut clock = self.past.clock(write.node).to_vec();
            clock[slot(thread)] = PastEntry { before: index + 1, sure: Some(write.guard) };
            match &mut common {
                Some(common) => common.iter_mut().zip(clock).for_each(|(c, k)| {
                    c.before = c.before.min(k.before);
                    c.sure = c.sure.filter(|_| c.sure == k.sure);
                }),
                None => common = Some(clock),
            }
        }
        common
    }
}
