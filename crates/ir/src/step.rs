//! What a step is: written once, for the machine that takes steps and for the unfolding that follows them.
//!
//! A *step* is what no other thread can separate: one access to memory that others can reach, or one atomic section with all
//! accesses in it. Code between steps is local to its thread.

use crate::{MemoryOrder, Op};

/// Who can reach an object, as far as that is known of the program.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// No other thread can have its address.
    pub is_private: bool,
    /// Nobody writes it.
    pub is_constant: bool,
    /// A variable that models keep to themselves: they use it in sections only, or where nobody can tell.
    pub is_internal: bool,
}

impl Reach {
    /// Whether others can tell an access to it from none: it is a step, or part of the section that it is in.
    #[inline]
    pub fn is_visible(self, in_section: bool) -> bool {
        !self.is_private && !self.is_constant && (in_section || !self.is_internal)
    }
}

impl MemoryOrder {
    /// The memory order of an access in an atomic section: sections come one after the other, so that an ordinary access in one
    /// synchronises. What models keep to themselves is nothing to synchronise by.
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
    /// Whether it is a step by itself, whatever memory it is to. In a section everything is part of the section's step.
    ///
    /// An access is a step if it is visible (`Reach::is_visible`), and output if there is any. An assumption waits in a section
    /// only: elsewhere it is about the path of its own thread.
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
