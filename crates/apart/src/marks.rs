//! What else a value may be than the addresses that are listed with it.
//!
//! A value that is computed from an address lists the object that the address is of, so what is reached through it stays
//! known. Three things go further. Some digits of an address can decide something, and what is decided is a number that
//! lists no object; the difference of two addresses leads from one object to another; and digits can choose an
//! element of a table. Marks follow such values through registers and memory, as their addresses do.

/// A set of marks.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Marks(u8);

impl Marks {
    pub const NONE: Marks = Marks(0);
    /// Not an address as a whole: digits of it, or a sum with a number that is not known. To compare it tells of the address.
    pub const BLURRED: Marks = Marks(1);
    /// Which of its places it is depends on addresses: to compare it, or to read what lies there, tells of them.
    pub const PLACED: Marks = Marks(2);
    /// It may be the way from one object to another: added to an address, it leads to what is listed with it.
    pub const DISTANCE: Marks = Marks(4);
    /// It may be any number that depends on addresses that have leaked.
    pub const NUMBER: Marks = Marks(8);

    pub fn has(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn and(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    pub fn only(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }
}
