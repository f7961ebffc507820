//! Many clauses in one piece of memory.

use crate::Lit;

#[derive(Clone, Default, Debug)]
pub struct Clauses {
    lits: Vec<Lit>,
    /// Where each clause ends.
    ends: Vec<usize>,
}

impl Clauses {
    pub fn push(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.lits.extend(clause);
        self.ends.push(self.lits.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clause that was added as the `index`-th, from 0.
    pub fn get(&self, index: usize) -> Option<&[Lit]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.lits[start..end])
    }

    /// In the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &[Lit]> {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}
