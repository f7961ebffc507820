//! The weakness that a finding is, by its number in the Common Weakness Enumeration (cwe.mitre.org). A property stands
//! for a family of them; the cause of the finding decides which member it is.

use super::waiting::waits_for_own_lock;
use tp_ir::Property;
use tp_machine::{AccessFault, BadAccess, Cause, EndedBy, Finding, FreeFault, Mistake, Misuse};

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

/// Misuse that models report, by the end of the sentence; all other misuse is improper locking in general.
const MISUSES: [(&str, u32); 12] = [
    (" that is not locked", UNLOCK_OF_UNLOCKED),
    (" that is destroyed", USE_AFTER_RELEASE),
    (" that is already destroyed", DONE_TWICE),
    (" that is detached already", DONE_TWICE),
    (" that was joined or detached before, or never existed", DONE_TWICE),
    (" that was joined or detached before, or never started", DONE_TWICE),
    (" that was joined before, or never existed", USE_AFTER_RELEASE),
    (" that was joined before, has ended detached, or never existed", USE_AFTER_RELEASE),
    (" that is not initialised", LIFETIME),
    (" that is not initialised, or was destroyed", LIFETIME),
    (" that does not exist", LIFETIME),
    ("a thread joins itself", 833),
];

pub fn of(finding: &Finding) -> u32 {
    let usual = of_property(finding.property);
    match &finding.cause {
        Cause::Deadlock(deadlock) if waits_for_own_lock(&finding.at, deadlock) => LOCKED_TWICE,
        Cause::Access(access) => of_access(access).unwrap_or(usual),
        Cause::Free(free) => match free.fault {
            FreeFault::Inside { .. } | FreeFault::Outside { .. } => FREE_OF_MIDDLE,
            FreeFault::NotHeap { .. } | FreeFault::Again { .. } | FreeFault::NoObject { .. } => usual,
        },
        Cause::Misuse(misuse) => of_misuse(misuse).unwrap_or(usual),
        Cause::Mistake(Mistake::OverlappingCopy) => UNDEFINED_INPUT,
        Cause::Mistake(Mistake::NotFunction { called: Some(_) }) => WRONG_TYPE,
        Cause::Race(_) | Cause::Deadlock(_) | Cause::Stuck(_) | Cause::Lost(_) | Cause::Mistake(_) => usual,
    }
}

/// `None`: that of the property.
fn of_access(access: &BadAccess) -> Option<u32> {
    match access.fault {
        AccessFault::Null { .. } | AccessFault::Replaced | AccessFault::Ended { how: EndedBy::Freed, .. } => {
            None
        }
        AccessFault::Wild { .. } => Some(POINTER_OUT_OF_RANGE),
        AccessFault::Ended { .. } => Some(EXPIRED_POINTER),
        AccessFault::Bounds { .. } if access.write => None,
        AccessFault::Bounds { .. } => Some(READ_OUT_OF_BOUNDS),
        AccessFault::ReadOnly { .. } => Some(UNDEFINED_BEHAVIOUR),
        AccessFault::NotData { .. } => Some(WRONG_TYPE),
    }
}

fn of_misuse(misuse: &Misuse) -> Option<u32> {
    if misuse.uninitialised {
        return Some(LIFETIME);
    }
    MISUSES.iter().find(|(end, _)| misuse.rule.ends_with(end)).map(|(_, number)| *number)
}

fn of_property(property: Property) -> u32 {
    match property {
        Property::Assert | Property::ReachError => 617,
        Property::Race => 362,
        Property::Deadlock => 833,
        Property::Lock => 667,
        Property::InvalidDeref => 476,
        Property::OutOfBounds => 787,
        Property::UseAfterFree => 416,
        Property::DoubleFree => 415,
        Property::InvalidFree => 590,
        Property::Leak | Property::Cleanup => 401,
        Property::Uninitialised => 457,
        Property::DivisionByZero => 369,
        Property::Overflow => 190,
        Property::Shift => 1335,
        Property::FloatConversion => 681,
        Property::Stuck => 835,
        Property::Signal => 479,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn misuse_by_its_rule() {
        let check = |rule: &str, number: Option<u32>| {
            let (locks, holders, destroyed) = (Vec::new(), Vec::new(), Vec::new());
            let misuse = Misuse { rule: rule.to_owned(), uninitialised: false, locks, holders, destroyed };
            assert_eq!(of_misuse(&misuse), number, "{rule}");
            assert_eq!(of_misuse(&Misuse { uninitialised: true, ..misuse }), Some(666));
        };
        check("unlock of a mutex that is not locked", Some(832));
        check("unlock of a mutex that another thread holds", None);
        check("lock of a mutex that is destroyed", Some(672));
        check("destroy of a semaphore that is already destroyed", Some(675));
        check("join of a thread that was joined or detached before, or never existed", Some(675));
        check("use of a spin lock that is not initialised", Some(666));
        check("wait on a barrier that is not initialised, or was destroyed", Some(666));
        check("a thread joins itself", Some(833));
        check("wait on a condition variable without holding the mutex", None);
    }

    /// What is improper locking in general.
    const GENERAL: [&str; 10] = [
        "a barrier for 0 threads",
        "join of a detached thread",
        "that threads wait at",
        "that threads wait on",
        "that is locked",
        "that was neither joined nor detached",
        "that the thread does not hold",
        "that does not hold its mutex",
        "that another thread holds",
        "without holding the mutex",
    ];

    #[test]
    fn every_rule_of_the_models_has_its_number() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let mut rules = 0;
        for entry in fs::read_dir(models).expect("there are models") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_none_or(|extension| extension != "c") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("it can be read");
            for rule in text.split("TP_LOCK, \"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let is_special = MISUSES.iter().any(|(end, _)| rule.ends_with(end));
                assert!(is_special != GENERAL.iter().any(|end| rule.ends_with(end)), "{path:?}: {rule}");
                rules += 1;
            }
        }
        assert!(rules > 30, "{rules} rules");
    }
}
