//! The rules of the order theory on top of the graph. Each looks at one read, with one candidate or with all.

use super::graph::{EdgeReason, OrderNode};
use super::theory::{Due, Implied, OrderTheory, ReadId, Row, Slot};
use crate::Lit;

impl OrderTheory {
    pub(super) fn apply_rules(&mut self, due: Due, implied: &mut Vec<Implied>) -> Result<(), Vec<Lit>> {
        match due {
            Due::Read(read) => match self.reads[read.0 as usize].chosen {
                Some(chosen) => (0..self.reads[read.0 as usize].slots.len() as u32)
                    .try_for_each(|other| self.order_other(read, chosen, other, implied)),
                None => {
                    self.rule_out(read, implied);
                    Ok(())
                }
            },
            Due::Candidate(read, i) => match self.reads[read.0 as usize].chosen {
                Some(chosen) => self.order_other(read, chosen, i, implied),
                None => {
                    self.rule_out_by(read, i, implied);
                    Ok(())
                }
            },
        }
    }

    /// The read sees a write: another write to the location is before that write or after the read.
    fn order_other(
        &mut self,
        read: ReadId,
        chosen: u32,
        other: u32,
        implied: &mut Vec<Implied>,
    ) -> Result<(), Vec<Lit>> {
        let row = &self.reads[read.0 as usize];
        let (seen, slot, r) = (&row.slots[chosen as usize], &row.slots[other as usize], row.node);
        let (w, o) = (seen.write, slot.write);
        if o == w || o == r {
            return Ok(());
        }
        let before_read = self.graph.is_at_or_before(slot.at, r);
        let after_write = self.graph.is_at_or_before(seen.at, o);
        let (reads_from, active) = (Some(seen.reads_from), slot.active);
        if !self.holds(active) {
            if let Some(active) = active.filter(|l| before_read && after_write && !self.holds(Some(!*l))) {
                implied.push(self.implied(!active, [reads_from, None], [Some((w, o)), Some((o, r))]));
            }
            return Ok(());
        }
        let conditions = [reads_from, active];
        if before_read && !self.graph.is_at_or_before(slot.at, w) {
            self.graph.add(o, w, EdgeReason { conditions, path: Some((o, r)) })
        } else if after_write && !self.graph.is_at_or_before(row.at, o) {
            self.graph.add(r, o, EdgeReason { conditions, path: Some((w, o)) })
        } else {
            Ok(())
        }
    }

    fn implied(
        &self,
        literal: Lit,
        conditions: [Option<Lit>; 2],
        paths: [Option<(OrderNode, OrderNode)>; 2],
    ) -> Implied {
        Implied { literal, conditions, paths, age: self.graph.age() }
    }

    /// The true literals that made a literal follow, as long as it has not been taken back. `None`: it has been.
    pub fn explain(&mut self, implied: &Implied) -> Option<Vec<Lit>> {
        let why = EdgeReason { conditions: implied.conditions, path: None };
        self.graph.explain([why], implied.paths.into_iter().flatten(), implied.age)
    }

    /// Whether the read may still see the write in this slot, as far as is assigned.
    fn is_open(&self, row: &Row, slot: &Slot) -> bool {
        slot.write != row.node && !self.holds(Some(!slot.reads_from))
    }

    /// The read cannot see this write: it is after the read.
    fn is_too_late(&self, row: &Row, slot: &Slot) -> Option<Implied> {
        let late = self.graph.is_at_or_before(row.at, slot.write);
        late.then(|| self.implied(!slot.reads_from, [None; 2], [Some((row.node, slot.write)), None]))
    }

    /// The read cannot see this write: the other is after it and before the read.
    fn is_overwritten(&self, row: &Row, slot: &Slot, other: &Slot) -> Option<Implied> {
        let (w, o) = (slot.write, other.write);
        let late = w != o && self.graph.is_at_or_before(slot.at, o);
        late.then(|| {
            let paths = [Some((w, o)), Some((o, row.node))];
            self.implied(!slot.reads_from, [other.active, None], paths)
        })
    }

    /// Whether a write is active and before the read.
    fn covers(&self, row: &Row, slot: &Slot) -> bool {
        slot.write != row.node && self.holds(slot.active) && self.graph.is_at_or_before(slot.at, row.node)
    }

    /// The read has no write chosen yet: rules out what it cannot see any more. Of the writes of a thread before the
    /// read only the last counts, since what is before any of them is before that one.
    fn rule_out(&mut self, read: ReadId, implied: &mut Vec<Implied>) {
        let mut last = std::mem::take(&mut self.last_before);
        let row = &self.reads[read.0 as usize];
        let mut threads = 0;
        for (i, slot) in (0..).zip(&row.slots) {
            let known = last[slot.at.thread as usize];
            let later = known.is_none_or(|k: u32| row.slots[k as usize].at.index < slot.at.index);
            if later && self.covers(row, slot) {
                threads += usize::from(known.is_none());
                last[slot.at.thread as usize] = Some(i);
            }
        }
        for slot in row.slots.iter().filter(|s| self.is_open(row, s)) {
            let mut found = self.is_too_late(row, slot);
            if found.is_none() && threads > 0 {
                let mut others = last.iter().flatten();
                found = others.find_map(|&o| self.is_overwritten(row, slot, &row.slots[o as usize]));
            }
            implied.extend(found);
        }
        last.fill(None);
        self.last_before = last;
    }

    /// The same for what one candidate decides: whether it is ruled out, and which others it rules out.
    fn rule_out_by(&mut self, read: ReadId, i: u32, implied: &mut Vec<Implied>) {
        let row = &self.reads[read.0 as usize];
        let slot = &row.slots[i as usize];
        if self.is_open(row, slot) {
            implied.extend(self.is_too_late(row, slot));
        }
        if self.covers(row, slot) {
            for other in row.slots.iter().filter(|s| self.is_open(row, s)) {
                implied.extend(self.is_overwritten(row, other, slot));
            }
        }
    }
}
