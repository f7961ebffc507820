//! Sets of places in memory, and what memory holds.

use crate::marks::Marks;
use crate::offset::Offset;
use std::collections::BTreeMap;

/// An object of the analysis: see `objects`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// So many offsets in one object are told apart.
const OFFSETS: usize = 4;

/// Where a value may point to, and what else it may be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Points {
    places: Vec<(ObjectId, Offset)>,
    pub marks: Marks,
}

impl Points {
    pub fn to(object: ObjectId, offset: Offset) -> Points {
        Points { places: vec![(object, offset)], marks: Marks::NONE }
    }

    /// No place is listed.
    pub fn marked(marks: Marks) -> Points {
        Points { places: Vec::new(), marks }
    }

    pub fn with(mut self, marks: Marks) -> Points {
        self.marks = self.marks.and(marks);
        self
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, Offset)> + '_ {
        self.places.iter().copied()
    }

    /// A number that does not depend on an address.
    pub fn is_plain(&self) -> bool {
        self.places.is_empty() && self.marks == Marks::NONE
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

    pub fn add_all(&mut self, other: &Points) -> bool {
        let mut grown = self.mark(other.marks);
        for (object, offset) in other.iter() {
            grown |= self.add(object, offset);
        }
        grown
    }

    /// Whether one of the marks is new.
    pub fn mark(&mut self, marks: Marks) -> bool {
        let before = self.marks;
        self.marks = before.and(marks);
        before != self.marks
    }

    /// The same objects and marks, at offsets changed by `f`.
    pub fn map(&self, f: impl Fn(Offset) -> Offset) -> Points {
        let mut all = Points::marked(self.marks);
        for (object, offset) in self.iter() {
            all.add(object, f(offset));
        }
        all
    }

    /// The same objects, somewhere.
    pub fn anywhere(&self) -> Points {
        self.map(|_| Offset::ANY)
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
                // A piece of a pointer.
                let is_shifted = at.as_exact().zip(offset.as_exact()).is_some_and(|(a, b)| a != b);
                if points.has_places() && (len < *size || is_shifted) {
                    all.mark(Marks::BLURRED);
                }
            }
        }
        all
    }

    pub fn all(&self) -> impl Iterator<Item = (Offset, u64, &Points)> {
        self.cells.iter().map(|(offset, (len, points))| (*offset, *len, points))
    }

    /// Whether there is something new.
    pub fn store(&mut self, offset: Offset, len: u64, points: &Points) -> bool {
        if points.is_plain() {
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
        assert!(contents.load(Offset::exact(0), 8).is_plain());
        let piece = target.clone().with(Marks::BLURRED);
        assert_eq!(contents.load(Offset::exact(15), 1), piece);
        assert_eq!(contents.load(Offset::ANY, 1), piece);
        assert_eq!(contents.load(Offset::exact(8), 8), target);
    }
}
