//! Where in an object a pointer may point: one offset, or all that are congruent modulo a stride.
//!
//! The stride distinguishes fields in elements of one array: `a[i].x` and `a[j].y` differ modulo the size of an
//! element, whatever `i` and `j` are.

/// The offsets `base + k * stride`; only `base` if the stride is 0, and all offsets if it is 1.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offset {
    base: i64,
    stride: u64,
}

impl Offset {
    /// All offsets.
    pub const ANY: Offset = Offset { base: 0, stride: 1 };

    pub fn exact(base: i64) -> Offset {
        Offset { base, stride: 0 }
    }

    fn new(base: i64, stride: u64) -> Offset {
        match i64::try_from(stride) {
            Ok(0) => Offset::exact(base),
            Ok(positive) => Offset { base: base.rem_euclid(positive), stride },
            Err(_) => Offset::ANY,
        }
    }

    /// The one offset, if there is no other.
    pub fn as_exact(self) -> Option<i64> {
        (self.stride == 0).then_some(self.base)
    }

    /// The base and the stride. With a stride, the base is the least non-negative offset.
    pub fn parts(self) -> (i64, u64) {
        (self.base, self.stride)
    }

    /// Moved by a number of bytes.
    pub fn plus(self, bytes: i64) -> Offset {
        self.base.checked_add(bytes).map_or(Offset::ANY, |base| Offset::new(base, self.stride))
    }

    /// Moved by any multiple of this many bytes.
    pub fn strided(self, bytes: u64) -> Offset {
        Offset::new(self.base, gcd(self.stride, bytes))
    }

    /// The new offset of what is at `at` when the memory from `start` on is copied to here.
    pub fn after_copy(self, start: Offset, at: Offset) -> Offset {
        let stride = gcd(gcd(self.stride, start.stride), at.stride);
        let distance = at.base.checked_sub(start.base);
        let base = distance.and_then(|distance| self.base.checked_add(distance));
        base.map_or(Offset::ANY, |base| Offset::new(base, stride))
    }

    /// The least set that includes both.
    pub fn join(self, other: Offset) -> Offset {
        let stride = gcd(gcd(self.stride, other.stride), self.base.abs_diff(other.base));
        Offset::new(self.base, stride)
    }

    pub fn includes(self, other: Offset) -> bool {
        self.join(other) == self
    }

    /// Whether `len` bytes here can overlap `other_len` bytes there.
    pub fn overlaps(self, len: u64, other: Offset, other_len: u64) -> bool {
        if len == 0 || other_len == 0 {
            return false;
        }
        let stride = gcd(self.stride, other.stride);
        let distance = i128::from(other.base) - i128::from(self.base);
        if stride == 0 {
            return distance < i128::from(len) && -distance < i128::from(other_len);
        }
        // The other is `ahead` bytes further on, or `stride - ahead` bytes further back.
        let ahead = distance.rem_euclid(i128::from(stride));
        ahead < i128::from(len) || i128::from(stride) - ahead < i128::from(other_len)
    }

    /// Whether `len` bytes here and `other_len` bytes there begin at the same offset whenever they overlap.
    pub fn is_same_if_overlaps(self, len: u64, other: Offset, other_len: u64) -> bool {
        let step = self.join(other).stride;
        step == 0 || step >= len.max(other_len)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Offset;

    #[test]
    fn exact_offsets_overlap_as_bytes_do() {
        let at = Offset::exact;
        assert!(at(0).overlaps(4, at(3), 1));
        assert!(!at(0).overlaps(4, at(4), 4));
        assert!(at(6).overlaps(1, at(4), 4));
        assert!(!at(8).overlaps(1, at(4), 4));
        assert!(!at(0).overlaps(0, at(0), 4), "no bytes overlap nothing");
    }

    #[test]
    fn fields_of_elements_stay_apart() {
        let (x, y) = (Offset::exact(0).strided(16), Offset::exact(8).strided(16));
        assert!(!x.overlaps(8, y, 8));
        assert!(x.overlaps(9, y, 8));
        assert!(x.overlaps(8, y.strided(4), 8), "elements of another size");
        assert!(y.overlaps(9, x, 8), "into the next element");
        assert!(Offset::exact(40).overlaps(8, y, 8));
        assert!(!Offset::exact(48).overlaps(8, y, 8));
    }

    #[test]
    fn elements_overlap_as_a_whole() {
        let (x, y) = (Offset::exact(4).strided(16), Offset::exact(20));
        assert!(x.is_same_if_overlaps(4, y, 4));
        assert!(x.is_same_if_overlaps(16, y, 4));
        assert!(!x.is_same_if_overlaps(17, y, 4), "it reaches into the next one");
        assert!(!x.is_same_if_overlaps(4, Offset::exact(6), 4), "half of one, and of the next");
        assert!(y.is_same_if_overlaps(100, y, 4));
    }

    #[test]
    fn what_is_copied_keeps_its_distance() {
        let (at, elements) = (Offset::exact, Offset::exact(0).strided(16));
        assert_eq!(at(100).after_copy(at(20), at(24)), at(104));
        assert_eq!(elements.after_copy(elements, at(8).strided(16)), at(8).strided(16));
        assert_eq!(at(100).after_copy(Offset::ANY, at(8)), Offset::ANY);
        assert_eq!(at(i64::MAX).after_copy(at(0), at(1)), Offset::ANY);
    }

    #[test]
    fn joined_offsets_are_included() {
        let joined = Offset::exact(4).join(Offset::exact(20));
        assert_eq!(joined, Offset::exact(4).strided(16));
        assert!(joined.includes(Offset::exact(36)) && !joined.includes(Offset::exact(8)));
        assert!(Offset::ANY.includes(joined) && !joined.includes(Offset::ANY));
        assert_eq!(Offset::exact(i64::MAX).plus(1), Offset::ANY);
    }
}
