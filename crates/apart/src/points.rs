//! Sets of places in memory, and what memory holds.

use crate::offset::Offset;
use std::collections::BTreeMap;

/// An object of the analysis: see `objects`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// So many offsets in one object are told apart.
const OFFSETS: usize = 4;

/// Where a value may point to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Points(Vec<(ObjectId, Offset)>);

impl Points {
    pub fn to(object: ObjectId, offset: Offset) -> Points {
        Points(vec![(object, offset)])
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, Offset)> + '_ {
        self.0.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one place, if there is no other.
    pub fn only(&self) -> Option<(ObjectId, i64)> {
        match self.0[..] {
            [(object, offset)] => offset.as_exact().map(|offset| (object, offset)),
            _ => None,
        }
    }

    /// Whether the set has grown.
    pub fn add(&mut self, object: ObjectId, offset: Offset) -> bool {
        let start = self.0.partition_point(|p| p.0 < object);
        let len = self.0[start..].iter().take_while(|p| p.0 == object).count();
        let same = &self.0[start..start + len];
        if same.iter().any(|p| p.1.includes(offset)) {
            return false;
        }
        if len < OFFSETS && offset.as_exact().is_some() {
            self.0.insert(start + len, (object, offset));
        } else {
            let joined = same.iter().fold(offset, |all, p| all.join(p.1));
            self.0.splice(start..start + len, [(object, joined)]);
        }
        true
    }

    pub fn add_all(&mut self, other: &Points) -> bool {
        let mut grown = false;
        for (object, offset) in other.iter() {
            grown |= self.add(object, offset);
        }
        grown
    }

    /// The same objects, at offsets changed by `f`.
    pub fn map(&self, f: impl Fn(Offset) -> Offset) -> Points {
        let mut all = Points::default();
        for (object, offset) in self.iter() {
            all.add(object, f(offset));
        }
        all
    }
}

/// The pointers that an object may hold, by where they were stored. What is stored stays: order is not looked at.
#[derive(Clone, Default, Debug)]
pub struct Contents {
    cells: BTreeMap<Offset, (u64, Points)>,
}

impl Contents {
    pub fn load(&self, offset: Offset, len: u64) -> Points {
        let mut all = Points::default();
        for (at, (size, points)) in &self.cells {
            if at.overlaps(*size, offset, len) {
                all.add_all(points);
            }
        }
        all
    }

    pub fn all(&self) -> impl Iterator<Item = (Offset, u64, &Points)> {
        self.cells.iter().map(|(offset, (len, points))| (*offset, *len, points))
    }

    /// Whether there is something new.
    pub fn store(&mut self, offset: Offset, len: u64, points: &Points) -> bool {
        if points.is_empty() {
            return false;
        }
        let cell = self.cells.entry(offset).or_insert((0, Points::default()));
        let longer = len > cell.0;
        cell.0 = cell.0.max(len);
        cell.1.add_all(points) | longer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_offsets_become_a_stride() {
        let object = ObjectId(7);
        let mut points = Points::default();
        for i in 0..6 {
            points.add(object, Offset::exact(8 * i));
        }
        assert_eq!(points, Points::to(object, Offset::exact(0).strided(8)));
        assert!(!points.add(object, Offset::exact(800)));
        assert!(points.add(object, Offset::exact(4)));
        assert_eq!(points.only(), None);
    }

    #[test]
    fn loads_see_stores_that_overlap() {
        let mut contents = Contents::default();
        let target = Points::to(ObjectId(1), Offset::exact(0));
        assert!(contents.store(Offset::exact(8), 8, &target));
        assert!(!contents.store(Offset::exact(8), 8, &target));
        assert!(contents.load(Offset::exact(0), 8).is_empty());
        assert_eq!(contents.load(Offset::exact(15), 1), target);
        assert_eq!(contents.load(Offset::ANY, 1), target);
    }
}
