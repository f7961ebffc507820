//! How accesses synchronise, as C11 has it.

use crate::{Op, Program};

/// How an access takes part in synchronisation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MemoryOrder {
    /// An ordinary access: two of them can race.
    Plain,
    Relaxed,
    /// Part of a model: orders nothing, not even with the user's fences.
    Quiet,
    /// The same, but it releases. What it reads stays unknown to its thread.
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

    /// Whether it orders nothing by what it reads, whatever fence comes after it. No thread can tell what such an access has
    /// found from what the function that makes it does.
    pub fn is_quiet(self) -> bool {
        matches!(self, MemoryOrder::Quiet | MemoryOrder::Publish)
    }

    /// This order in a model that nobody can learn from (`quiet`).
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
    /// Whether some atomics of it do not synchronise.
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

    /// Whether a value can pass from thread to thread by it without what was written before.
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
