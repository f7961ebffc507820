//! How accesses synchronise, as C11 has it.

use crate::Op;

/// How an access takes part in synchronisation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// An ordinary access: two of them can race.
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    pub fn is_atomic(self) -> bool {
        self != Order::Plain
    }

    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

impl Op {
    /// Whether a value can pass from thread to thread by it without what was written before.
    pub fn is_weak_atomic(&self) -> bool {
        match self {
            Op::Load { order, .. } => order.is_atomic() && !order.acquires(),
            Op::Store { order, .. } => order.is_atomic() && !order.releases(),
            Op::Rmw { order, .. } => !(order.acquires() && order.releases()),
            Op::CmpXchg { success, failure, .. } => {
                !(success.acquires() && success.releases() && failure.acquires())
            }
            Op::Fence { .. } => true,
            _ => false,
        }
    }
}
