//! What else a value may be than the addresses that are listed with it.
//!
//! A value that is computed from an address lists the object that the address is of, so what is reached through it stays
//! known. Three things go further. Some digits of an address can decide something, and what is decided is a number that
//! lists no object; the difference of two addresses leads from one object to another; and digits can choose an
//! element of a table. Taint follows such values through registers and memory, as their addresses do.

/// A set of such properties.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Taint(u8);

impl Taint {
    pub const NONE: Taint = Taint(0);
    /// Not an address as a whole: digits of it, or a sum with a number that is not known. To compare it tells of the address.
    pub const BLURRED: Taint = Taint(1);
    /// Which of its places it is depends on addresses: to compare it, or to read what lies there, tells of them.
    pub const PLACED: Taint = Taint(2);
    /// It may be the way from one object to another: added to an address, it leads to what is listed with it.
    pub const DISTANCE: Taint = Taint(4);
    /// It may be any number that depends on addresses that have leaked.
    pub const NUMBER: Taint = Taint(8);

    /// Whether they have something in common.
    pub fn has(self, other: Taint) -> bool {
        self.0 & other.0 != 0
    }

    /// Both together.
    pub const fn and(self, other: Taint) -> Taint {
        Taint(self.0 | other.0)
    }

    /// What they have in common.
    pub fn only(self, other: Taint) -> Taint {
        Taint(self.0 & other.0)
    }
}
