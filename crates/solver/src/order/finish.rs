//! The end of the search: everything is assigned, nothing more follows, and there is no cycle.

use super::graph::OrderNode;
use super::theory::{Due, FinalCheck, OrderTheory, Row};

impl OrderTheory {
    /// The verdict on a complete assignment from which nothing more follows.
    pub fn check(&mut self) -> FinalCheck {
        if let Some(order) = self.linearise() {
            return FinalCheck::Order(order);
        }
        let Some((first, second)) = self.open_pair() else {
            // Without an open pair every linear extension of the graph is right, so `linearise` has found one.
            return FinalCheck::Conflict(self.assigned.clone());
        };
        let Some(literal) = self.spare.pop() else { return FinalCheck::NeedsLiteral };
        let pair = self.add_pair(literal, first, second);
        self.to_place.push(pair);
        match self.place_pairs() {
            Ok(()) => FinalCheck::Undecided,
            Err(conflict) => FinalCheck::Conflict(conflict),
        }
    }

    /// The slot of the write that a read sees.
    fn seen(&self, row: &Row) -> Option<usize> {
        row.chosen.map(|c| c as usize)
    }

    /// Tries to put all steps into one order: a write waits while a read still has to see what it would overwrite.
    fn linearise(&self) -> Option<Vec<OrderNode>> {
        let mut done = vec![false; self.interested.len()];
        self.graph.topological(|node| {
            let overwrites = self.interested[node.index()].iter().any(|&due| {
                let Due::Candidate(read, i) = due else { return false };
                let row = &self.reads[read.0 as usize];
                if row.node == node || done[row.node.index()] {
                    return false;
                }
                let Some(seen) = self.seen(row).map(|s| row.slots[s].write) else { return false };
                seen != node && done[seen.index()] && self.holds(row.slots[i as usize].active)
            });
            done[node.index()] |= !overwrites;
            !overwrites
        })
    }

    /// Two writes whose order matters to some read and is not known.
    fn open_pair(&self) -> Option<(OrderNode, OrderNode)> {
        self.reads.iter().find_map(|row| {
            let w = row.slots[self.seen(row)?].write;
            let open = row.slots.iter().find(|other| {
                let o = other.write;
                o != w
                    && o != row.node
                    && self.holds(other.active)
                    && !self.graph.reaches(o, w)
                    && !self.graph.reaches(row.node, o)
            });
            open.map(|other| (other.write, w))
        })
    }
}
