//! How accesses synchronise, as C11 has it.

use crate::{Op, Program};

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

impl Program {
    /// Whether some atomics of it do not synchronise.
    pub fn has_weak_atomics(&self) -> bool {
        let bodies = self.functions.values().filter_map(|f| f.body.as_ref());
        bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts).any(|i| i.op.is_weak_atomic())
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
