//! The weakness that a finding is, by its number in the Common Weakness Enumeration (cwe.mitre.org). A property stands
//! for a family of them; here is what tells the members apart.

use crate::memory::Fault;
use tp_ir::Property;

const POINTER_OUT_OF_RANGE: u32 = 119;
const READ_OUT_OF_BOUNDS: u32 = 125;
const UNDEFINED_INPUT: u32 = 475;
const LIFETIME: u32 = 666;
const USE_AFTER_RELEASE: u32 = 672;
const DONE_TWICE: u32 = 675;
const UNDEFINED_BEHAVIOUR: u32 = 758;
const FREE_OF_MIDDLE: u32 = 761;
const LOCKED_TWICE: u32 = 764;
const EXPIRED_POINTER: u32 = 825;
const UNLOCK_OF_UNLOCKED: u32 = 832;
const WRONG_TYPE: u32 = 843;

/// What models report as misuse, by the end of their sentence; what is not here is improper locking in general.
const MISUSES: [(&str, u32); 9] = [
    (" that is not locked", UNLOCK_OF_UNLOCKED),
    (" that is destroyed", USE_AFTER_RELEASE),
    (" that is already destroyed", DONE_TWICE),
    (" that is detached already", DONE_TWICE),
    (" that was joined or detached before, or that never was", DONE_TWICE),
    (" that is not initialised", LIFETIME),
    (" that is not initialised or destroyed", LIFETIME),
    (" that does not exist", LIFETIME),
    ("a thread joins itself", 833),
];

/// The number of a finding that needs no more than its sentence.
pub fn of(property: Property, message: &str) -> u32 {
    let misuse = MISUSES.iter().find(|(end, _)| property == Property::Lock && message.ends_with(end));
    misuse.map_or(property.cwe(), |(_, number)| *number)
}

/// An access that fails.
pub fn of_fault(fault: Fault, is_freed_heap: bool, write: bool) -> u32 {
    match fault {
        Fault::Null { .. } => Property::InvalidDeref.cwe(),
        Fault::Wild { .. } => POINTER_OUT_OF_RANGE,
        Fault::Dead { .. } if is_freed_heap => Property::UseAfterFree.cwe(),
        Fault::Dead { .. } | Fault::OutOfScope { .. } => EXPIRED_POINTER,
        Fault::Bounds { .. } if write => Property::OutOfBounds.cwe(),
        Fault::Bounds { .. } => READ_OUT_OF_BOUNDS,
        Fault::ReadOnly { .. } => UNDEFINED_BEHAVIOUR,
        Fault::NotData { .. } => WRONG_TYPE,
    }
}

/// A `free` that fails; `inside`: of a pointer into heap memory.
pub fn of_free(property: Property, inside: bool) -> u32 {
    if property == Property::InvalidFree && inside { FREE_OF_MIDDLE } else { property.cwe() }
}

/// A call of what is not a function.
pub fn of_call(address: u64) -> u32 {
    if address == 0 { Property::InvalidDeref.cwe() } else { WRONG_TYPE }
}

/// A copy onto a part of itself.
pub fn of_overlap() -> u32 {
    UNDEFINED_INPUT
}

/// Threads that wait for each other; `one_lock`: a single one, for a lock that it has.
pub fn of_deadlock(one_lock: bool) -> u32 {
    if one_lock { LOCKED_TWICE } else { Property::Deadlock.cwe() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misuse_by_its_sentence() {
        let check = |message: &str, number: u32| assert_eq!(of(Property::Lock, message), number, "{message}");
        check("unlock of a mutex that is not locked", 832);
        check("unlock of a mutex that another thread holds", 667);
        check("lock of a mutex that is destroyed", 672);
        check("destroy of a semaphore that is already destroyed", 675);
        check("join of a thread that was joined or detached before, or that never was", 675);
        check("use of a spin lock that is not initialised", 666);
        check("wait on a barrier that is not initialised or destroyed", 666);
        check("a thread joins itself", 833);
        check("wait on a condition variable without holding the mutex", 667);
        assert_eq!(of(Property::Assert, "something that is not locked"), 617);
    }
}
