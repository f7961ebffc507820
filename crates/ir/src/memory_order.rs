//! How accesses synchronise, as C11 has it.

use crate::{Op, Program};

/// How an access takes part in synchronisation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MemoryOrder {
    /// An ordinary access: two of them can race.
    Plain,
    Relaxed,
    /// In models only: orders nothing, not even together with the user's fences.
    Quiet,
    /// The same, but it releases. Its reads order nothing.
    Publish,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl MemoryOrder {
    pub fn is_atomic(self) -> bool {
        self != MemoryOrder::Plain
    }

    pub fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    /// Whether its reads order nothing, even with a fence after them. Only functions whose callers cannot tell what was
    /// read may use it.
    pub fn is_quiet(self) -> bool {
        matches!(self, MemoryOrder::Quiet | MemoryOrder::Publish)
    }

    /// This order in a function with `ModelEffect::Quiet`.
    pub fn made_quiet(self) -> MemoryOrder {
        match self {
            MemoryOrder::Relaxed => MemoryOrder::Quiet,
            MemoryOrder::Release => MemoryOrder::Publish,
            order => order,
        }
    }

    pub fn releases(self) -> bool {
        matches!(
            self,
            MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst | MemoryOrder::Publish
        )
    }
}

impl Program {
    /// Whether it has weak atomics (`Op::is_weak_atomic`).
    pub fn has_weak_atomics(&self) -> bool {
        let bodies = self.functions.values().filter_map(|f| f.body.as_ref());
        bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts).any(|i| i.op.is_weak_atomic())
    }
}

impl Op {
    /// Whether it is atomic, and weaker than `memory_order_seq_cst`.
    pub fn is_weaker_than_seq_cst(&self) -> bool {
        match self {
            Op::Load { order, .. }
            | Op::Store { order, .. }
            | Op::Rmw { order, .. }
            | Op::Fence { order } => order.is_atomic() && *order != MemoryOrder::SeqCst,
            Op::CmpXchg { success, failure, .. } => {
                [success, failure].into_iter().any(|o| *o != MemoryOrder::SeqCst)
            }
            _ => false,
        }
    }

    pub fn is_atomic_access(&self) -> bool {
        match self {
            Op::Load { order, .. } | Op::Store { order, .. } => order.is_atomic(),
            Op::Rmw { .. } | Op::CmpXchg { .. } => true,
            _ => false,
        }
    }

    /// Whether it may pass a value between threads without synchronising: weaker than acquire and release, or a fence.
    pub fn is_weak_atomic(&self) -> bool {
        match self {
            Op::Load { order, .. } | Op::Store { order, .. } | Op::Rmw { order, .. } if order.is_quiet() => {
                false
            }
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
