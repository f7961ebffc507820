//! Places in an object: `base + k * stride` bytes from its start, for any `k`; only `base` if the stride is 0.

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    pub base: i128,
    pub stride: i128,
}

impl Offset {
    /// Whether `len` bytes here can have one in common with `other_len` bytes there.
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
