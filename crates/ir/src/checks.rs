//! Which properties are checked.

use crate::Property;

/// A set of properties.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Checks(u32);

impl Checks {
    pub const NONE: Checks = Checks(0);
    /// The default: all but `Cleanup`, which has to be asked for.
    pub const ALL: Checks = Checks(!(1 << Property::Cleanup as u32));

    pub const fn with(self, property: Property) -> Checks {
        Checks(self.0 | 1 << property as u32)
    }

    pub fn without(self, property: Property) -> Checks {
        Checks(self.0 & !(1 << property as u32))
    }

    /// The intersection.
    pub const fn both(self, other: Checks) -> Checks {
        Checks(self.0 & other.0)
    }

    /// The difference.
    pub const fn minus(self, other: Checks) -> Checks {
        Checks(self.0 & !other.0)
    }

    #[inline(always)]
    pub fn has(self, property: Property) -> bool {
        self.0 >> (property as u32) & 1 == 1
    }
}
