//! The concrete value of a register: 64 bits, and what they point into.
//!
//! An integer or a pointer carries the object it was derived from, so that a pointer is exact: it belongs to one object
//! even when its address lies outside, and a cast to an integer and back keeps the object. Values wider than 64 bits
//! use the second word for their upper half; the type of a register, known from the program, tells which it is. While
//! inputs are followed, an integer that depends on them carries its term in the place of an object.

use std::num::NonZeroU64;
use tp_ir::Width;
use tp_terms::Term;

/// A handle to an object of the memory: its slot and how often the slot was used before.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectRef(NonZeroU64);

impl ObjectRef {
    /// Slot 0 is never given out.
    pub(crate) fn new(slot: u32, generation: u32) -> ObjectRef {
        ObjectRef(NonZeroU64::new(((generation as u64) << 32) | slot as u64).unwrap_or(NonZeroU64::MIN))
    }

    #[inline(always)]
    pub(crate) fn slot(self) -> usize {
        self.0.get() as u32 as usize
    }

    #[inline(always)]
    pub(crate) fn generation(self) -> u32 {
        (self.0.get() >> 32) as u32
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The value, or its lower 64 bits.
    pub bits: u64,
    meta: u64,
}

const NO_OBJECT: u64 = 0;
const UNINIT: u64 = u64::MAX;
/// Set if the word is not an object: generations have 31 bits, so no object has it.
const NO_OBJECT_BIT: u64 = 1 << 63;

impl Value {
    pub const ZERO: Value = Value { bits: 0, meta: NO_OBJECT };
    /// A value of at most 64 bits that was never written.
    pub const UNINIT: Value = Value { bits: 0, meta: UNINIT };

    #[inline(always)]
    pub fn int(bits: u64) -> Value {
        Value { bits, meta: NO_OBJECT }
    }

    #[inline(always)]
    pub fn pointer(address: u64, object: ObjectRef) -> Value {
        Value { bits: address, meta: object.0.get() }
    }

    /// A value of at most 64 bits that depends on inputs.
    pub fn symbolic(bits: u64, term: Term) -> Value {
        Value { bits, meta: NO_OBJECT_BIT | term.number() as u64 }
    }

    pub fn from_wide(bits: u128, width: Width) -> Value {
        if width.bits() > 64 {
            Value { bits: bits as u64, meta: (bits >> 64) as u64 }
        } else {
            Value::int(bits as u64)
        }
    }

    #[inline(always)]
    pub fn wide(self, width: Width) -> u128 {
        if width.bits() > 64 { self.bits as u128 | ((self.meta as u128) << 64) } else { self.bits as u128 }
    }

    /// A plain number: no object, no term, and written. Only for values of at most 64 bits.
    #[inline(always)]
    pub fn is_plain(self) -> bool {
        self.meta == NO_OBJECT
    }

    #[inline(always)]
    pub fn is_uninit(self) -> bool {
        self.meta == UNINIT
    }

    /// Written, and without a term.
    #[inline(always)]
    pub fn is_concrete(self) -> bool {
        self.meta & NO_OBJECT_BIT == 0
    }

    #[inline(always)]
    pub fn object(self) -> Option<ObjectRef> {
        if self.meta & NO_OBJECT_BIT != 0 { None } else { NonZeroU64::new(self.meta).map(ObjectRef) }
    }

    /// Its term, if it depends on inputs.
    #[inline(always)]
    pub fn term(self) -> Option<Term> {
        let is_symbolic = self.meta & NO_OBJECT_BIT != 0 && self.meta != UNINIT;
        is_symbolic.then(|| Term::from_number(self.meta as u32))
    }

    /// The same object with another address.
    #[inline(always)]
    pub fn with_bits(self, bits: u64) -> Value {
        Value { bits, meta: self.meta }
    }

    /// The result of an operation on addresses: it belongs to the object of the one operand that has one.
    #[inline(always)]
    pub fn derived(bits: u64, a: Value, b: Value) -> Value {
        let meta = match (a.meta, b.meta) {
            (m, NO_OBJECT) | (NO_OBJECT, m) => m,
            _ => NO_OBJECT,
        };
        Value { bits, meta }
    }
}
