//! What a step is: written once, for the machine that takes steps and for the unfolding that follows them.
//!
//! A *step* is indivisible for other threads: one access to memory that others can reach, or one atomic section with
//! all accesses in it. Code between steps is local to its thread.
//!
//! The machine takes one more kind of step, which the unfolding leaves out and schedules do not count (`Schedule::stepped`): where
//! the scope of a reachable local begins again, so that its old contents are gone.

use crate::{MemoryOrder, Op};

/// What is known about who can reach an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// No other thread can have its address.
    pub is_private: bool,
    /// Nobody writes it.
    pub is_constant: bool,
    /// `Global::internal`: no other thread can observe an access outside a section.
    pub is_internal: bool,
}

impl Reach {
    /// Whether other threads can observe an access to it, which is then a step, or part of the step of its section.
    #[inline]
    pub fn is_visible(self, in_section: bool) -> bool {
        !self.is_private && !self.is_constant && (in_section || !self.is_internal)
    }
}

impl MemoryOrder {
    /// The memory order of an access in an atomic section: sections are totally ordered, so a plain access in one
    /// synchronises. An access to an internal variable does not.
    #[inline]
    pub fn in_section(self, is_internal: bool) -> MemoryOrder {
        match self {
            _ if is_internal => MemoryOrder::Quiet,
            MemoryOrder::Plain => MemoryOrder::SeqCst,
            order => order,
        }
    }
}

impl Op {
    /// Whether it is a step by itself, whatever memory it accesses. In a section it is part of the section's step.
    ///
    /// Other accesses are steps if they are visible (`Reach::is_visible`). Output is a step only if it is not empty. An
    /// assumption waits only in a section; elsewhere it constrains the path of its own thread.
    pub fn is_step(&self, in_section: bool) -> bool {
        let is_step = matches!(
            self,
            Op::AtomicBegin
                | Op::Await { .. }
                | Op::ThreadStart { .. }
                | Op::ThreadExit
                | Op::Exit { .. }
                | Op::HeapFree { .. }
                | Op::Yield
                | Op::Output { .. }
                | Op::ParseFloat { .. }
        );
        is_step && !in_section
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_can_tell() {
        let check = |reach: Reach, alone: bool, in_section: bool| {
            assert_eq!((reach.is_visible(false), reach.is_visible(true)), (alone, in_section), "{reach:?}");
        };
        check(Reach::default(), true, true);
        check(Reach { is_private: true, ..Reach::default() }, false, false);
        check(Reach { is_constant: true, ..Reach::default() }, false, false);
        check(Reach { is_internal: true, ..Reach::default() }, false, true);
    }

    #[test]
    fn steps_by_themselves() {
        let cond = crate::Operand::from(crate::Reg::from_u32(0));
        let check = |op: Op, alone: bool| {
            assert_eq!((op.is_step(false), op.is_step(true)), (alone, false), "{op:?}");
        };
        check(Op::AtomicBegin, true);
        check(Op::AtomicEnd, false);
        check(Op::Await { cond }, true);
        check(Op::Assume { cond }, false);
        check(Op::Yield, true);
        check(Op::ThreadSelf, false);
    }

    #[test]
    fn orders_of_a_section() {
        assert_eq!(MemoryOrder::Plain.in_section(false), MemoryOrder::SeqCst);
        assert_eq!(MemoryOrder::Relaxed.in_section(false), MemoryOrder::Relaxed);
        assert_eq!(MemoryOrder::SeqCst.in_section(true), MemoryOrder::Quiet);
    }
}
