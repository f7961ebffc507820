//! The types of values: integers of a width, two floats, pointers.

use std::fmt;

/// The width of an integer in bits: 1 to 128.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Width(u8);

impl Width {
    pub const BOOL: Width = Width(1);
    pub const W8: Width = Width(8);
    pub const W16: Width = Width(16);
    pub const W32: Width = Width(32);
    pub const W64: Width = Width(64);
    pub const MAX: Width = Width(128);

    /// `None` when `bits` is not in 1..=128.
    pub fn new(bits: u32) -> Option<Width> {
        (1..=128).contains(&bits).then_some(Width(bits as u8))
    }

    #[inline]
    pub fn bits(self) -> u32 {
        self.0 as u32
    }

    /// Bytes that a value of this width occupies in memory.
    #[inline]
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }
}

/// How large `long` and pointers are; everything is little-endian.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    #[inline]
    pub fn pointer_width(self) -> Width {
        match self {
            DataModel::Ilp32 => Width::W32,
            DataModel::Lp64 => Width::W64,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Int(Width),
    F32,
    F64,
    Ptr,
}

impl Type {
    pub const BOOL: Type = Type::Int(Width::BOOL);

    /// The number of bits of a value of this type.
    #[inline]
    pub fn width(self, data: DataModel) -> Width {
        match self {
            Type::Int(w) => w,
            Type::F32 => Width::W32,
            Type::F64 => Width::W64,
            Type::Ptr => data.pointer_width(),
        }
    }

    /// The number of bytes of a value of this type in memory.
    #[inline]
    pub fn bytes(self, data: DataModel) -> u32 {
        self.width(data).bytes()
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(w) => write!(f, "i{}", w.bits()),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}
