//! Sets of places in memory, and what memory holds.

use super::{Offset, Taint};
use std::collections::BTreeMap;

/// An object of the analysis: see `objects`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub(crate) u32);

impl ObjectId {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most exact offsets that are distinguished in one object.
const OFFSETS: usize = 4;

/// Where a value may point to, and what else it may be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PointsToSet {
    places: Vec<(ObjectId, Offset)>,
    taint: Taint,
}

impl PointsToSet {
    /// One place.
    pub fn to(object: ObjectId, offset: Offset) -> PointsToSet {
        PointsToSet { places: vec![(object, offset)], taint: Taint::NONE }
    }

    /// No places, only taint.
    pub fn tainted(taint: Taint) -> PointsToSet {
        PointsToSet { places: Vec::new(), taint }
    }

    /// The same places, with more taint.
    pub fn with(mut self, taint: Taint) -> PointsToSet {
        self.taint = self.taint.and(taint);
        self
    }

    /// How it depends on addresses, beyond the places that are listed.
    pub fn taint(&self) -> Taint {
        self.taint
    }

    /// The places it may point to.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, Offset)> + '_ {
        self.places.iter().copied()
    }

    /// A number that does not depend on an address.
    pub fn is_plain(&self) -> bool {
        self.places.is_empty() && self.taint == Taint::NONE
    }

    /// Whether it may be an address, or computed from one.
    pub fn has_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// The one place, if there is no other.
    pub fn only(&self) -> Option<(ObjectId, i64)> {
        match self.places[..] {
            [(object, offset)] => offset.as_exact().map(|offset| (object, offset)),
            _ => None,
        }
    }

    /// The one object, if there is no other.
    pub fn only_object(&self) -> Option<ObjectId> {
        let (first, _) = self.places.first()?;
        self.places.iter().all(|(object, _)| object == first).then_some(*first)
    }

    /// Whether the set has grown.
    pub fn add(&mut self, object: ObjectId, offset: Offset) -> bool {
        let start = self.places.partition_point(|p| p.0 < object);
        let len = self.places[start..].iter().take_while(|p| p.0 == object).count();
        let same = &self.places[start..start + len];
        if same.iter().any(|p| p.1.includes(offset)) {
            return false;
        }
        if len < OFFSETS && offset.as_exact().is_some() {
            self.places.insert(start + len, (object, offset));
        } else {
            let joined = same.iter().fold(offset, |all, p| all.join(p.1));
            self.places.splice(start..start + len, [(object, joined)]);
        }
        true
    }

    /// Adds places and taint. Whether the set has grown.
    pub fn add_all(&mut self, other: &PointsToSet) -> bool {
        let mut grown = self.add_taint(other.taint);
        for (object, offset) in other.iter() {
            grown |= self.add(object, offset);
        }
        grown
    }

    /// Whether that adds taint.
    pub fn add_taint(&mut self, taint: Taint) -> bool {
        let before = self.taint;
        self.taint = before.and(taint);
        before != self.taint
    }

    /// The same objects and taint, at offsets changed by `f`.
    pub fn map(&self, f: impl Fn(Offset) -> Offset) -> PointsToSet {
        let mut all = PointsToSet::tainted(self.taint);
        for (object, offset) in self.iter() {
            all.add(object, f(offset));
        }
        all
    }

    /// The same objects, at any offset.
    pub fn anywhere(&self) -> PointsToSet {
        self.map(|_| Offset::ANY)
    }
}

/// The pointers that an object may hold, by offset. Flow-insensitive: nothing is overwritten.
#[derive(Clone, Default, Debug)]
pub struct MemoryContents {
    cells: BTreeMap<Offset, (u64, PointsToSet)>,
}

impl MemoryContents {
    /// What `len` bytes at an offset may hold.
    pub fn load(&self, offset: Offset, len: u64) -> PointsToSet {
        let mut all = PointsToSet::default();
        for (at, (size, points)) in &self.cells {
            if at.overlaps(*size, offset, len) {
                all.add_all(points);
                // The load sees only a part of a pointer.
                let is_shifted = at.as_exact().zip(offset.as_exact()).is_some_and(|(a, b)| a != b);
                if points.has_places() && (len < *size || is_shifted) {
                    all.add_taint(Taint::BLURRED);
                }
            }
        }
        all
    }

    /// All cells: where they are, how long they are, and what they may hold.
    pub fn all(&self) -> impl Iterator<Item = (Offset, u64, &PointsToSet)> {
        self.cells.iter().map(|(offset, (len, points))| (*offset, *len, points))
    }

    /// Returns whether there is something new.
    pub(crate) fn store(&mut self, offset: Offset, len: u64, points: &PointsToSet) -> bool {
        if points.is_plain() {
            return false;
        }
        let cell = self.cells.entry(offset).or_insert((0, PointsToSet::default()));
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
        let mut points = PointsToSet::default();
        for i in 0..6 {
            points.add(object, Offset::exact(8 * i));
        }
        assert_eq!(points, PointsToSet::to(object, Offset::exact(0).strided(8)));
        assert!(!points.add(object, Offset::exact(800)));
        assert!(points.add(object, Offset::exact(4)));
        assert_eq!(points.only(), None);
    }

    #[test]
    fn loads_see_stores_that_overlap() {
        let mut contents = MemoryContents::default();
        let target = PointsToSet::to(ObjectId(1), Offset::exact(0));
        assert!(contents.store(Offset::exact(8), 8, &target));
        assert!(!contents.store(Offset::exact(8), 8, &target));
        assert!(contents.load(Offset::exact(0), 8).is_plain());
        let piece = target.clone().with(Taint::BLURRED);
        assert_eq!(contents.load(Offset::exact(15), 1), piece);
        assert_eq!(contents.load(Offset::ANY, 1), piece);
        assert_eq!(contents.load(Offset::exact(8), 8), target);
    }
}
