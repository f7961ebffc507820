//! Places in an object: `base + k * stride` bytes from its start, for any `k`; only `base` if the stride is 0.

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Offset {
    base: i128,
    stride: i128,
}

impl Offset {
    pub const ANY: Offset = Offset { base: 0, stride: 1 };

    pub fn new(base: i128, stride: i128) -> Offset {
        let stride = stride.abs();
        Offset { base: if stride == 0 { base } else { base.rem_euclid(stride) }, stride }
    }

    pub fn exact(base: i64) -> Offset {
        Offset { base: base.into(), stride: 0 }
    }

    pub fn as_exact(self) -> Option<i64> {
        i64::try_from(self.base).ok().filter(|_| self.stride == 0)
    }

    /// Moved by a number of bytes.
    pub fn plus(self, bytes: i64) -> Offset {
        Offset::new(self.base + i128::from(bytes), self.stride)
    }

    /// Moved by any multiple of this many bytes.
    pub fn strided(self, bytes: u64) -> Offset {
        Offset::new(self.base, gcd(self.stride, bytes.into()))
    }

    /// The new offset of what is at `at` when the memory from `start` on is copied to here.
    pub fn after_copy(self, start: Offset, at: Offset) -> Offset {
        let stride = gcd(gcd(self.stride, start.stride), at.stride);
        Offset::new(self.base + at.base - start.base, stride)
    }

    /// Whether all these places are among the others.
    pub fn is_within(self, other: Offset) -> bool {
        match other.stride {
            0 => self == other,
            stride => self.stride % stride == 0 && (self.base - other.base) % stride == 0,
        }
    }

    /// The least set of places of this form that includes both.
    pub fn join(self, other: Offset) -> Offset {
        Offset::new(self.base, gcd(gcd(self.stride, other.stride), other.base - self.base))
    }

    /// Whether `len` bytes here and `other_len` bytes there begin at the same place whenever they overlap.
    pub fn is_same_if_overlaps(self, len: u64, other: Offset, other_len: u64) -> bool {
        let step = self.join(other).stride;
        step == 0 || step >= i128::from(len.max(other_len))
    }

    /// Whether `len` bytes here can overlap `other_len` bytes there.
    pub fn overlaps(self, len: u64, other: Offset, other_len: u64) -> bool {
        let (len, other_len) = (i128::from(len), i128::from(other_len));
        let stride = gcd(self.stride, other.stride);
        let distance = other.base - self.base;
        if len == 0 || other_len == 0 {
            return false;
        }
        if stride == 0 {
            return distance < len && -distance < other_len;
        }
        let ahead = distance.rem_euclid(stride);
        ahead < len || stride - ahead < other_len
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
