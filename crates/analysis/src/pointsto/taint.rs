//! What a value may be besides the addresses in its points-to set.
//!
//! The set of a value that is computed from an address has the object of that address, so what is reached through it
//! stays known. Three things go further. Some bits of an address can decide something, and the outcome is a number
//! whose set has no object; the difference of two addresses leads from one object to another; and bits of an address
//! can choose an element of a table. Taint propagates with such values through registers and memory, as addresses do.

/// A set of such properties.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Taint(u8);

impl Taint {
    pub const NONE: Taint = Taint(0);
    /// Not a whole address: some of its bits, or its sum with an unknown number. Comparing it reveals the address.
    pub const BLURRED: Taint = Taint(1);
    /// Which of its places it points to depends on addresses: comparing it, or reading through it, reveals them.
    pub const PLACED: Taint = Taint(2);
    /// It may be the distance between two objects: added to an address, it leads to the places in its set.
    pub const DISTANCE: Taint = Taint(4);
    /// It may be any number that depends on leaked addresses.
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
