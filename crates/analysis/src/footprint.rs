//! The footprint of an instruction: the one place that says which memory it reads and which it writes.
//!
//! The match has no wildcard, so that a new instruction has to be considered here.

use tp_ir::{Const, MemoryOrder, Op, Operand, Program, Type};

/// Memory that an instruction reads or writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    pub pointer: Operand,
    /// Length in bytes; `None`: up to the whole object.
    pub len: Option<u64>,
    pub how: AccessMode,
}

/// What is done to memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AccessMode {
    Read(MemoryOrder),
    Write(MemoryOrder),
    /// The object is freed, which counts as a write to all of it.
    End,
}

impl AccessMode {
    pub fn is_write(self) -> bool {
        !matches!(self, AccessMode::Read(_))
    }

    pub fn is_atomic(self) -> bool {
        match self {
            AccessMode::Read(order) | AccessMode::Write(order) => order.is_atomic(),
            AccessMode::End => false,
        }
    }
}

const READ: AccessMode = AccessMode::Read(MemoryOrder::Plain);
const WRITE: AccessMode = AccessMode::Write(MemoryOrder::Plain);

/// The memory that an instruction accesses itself, without what a called function accesses. The end of a local's scope
/// is no access: using the local later is undefined, and in a new scope it has to be written before it is read.
pub fn footprint(program: &Program, op: &Op) -> impl Iterator<Item = MemoryAccess> + use<> {
    let typed = |ty: &Type| Some(u64::from(ty.bytes(program.data_model)));
    let one = |pointer: &Operand, len: Option<u64>, how: AccessMode| {
        [Some(MemoryAccess { pointer: *pointer, len, how }), None]
    };
    let accesses = match op {
        Op::Load { ty, ptr, order } => one(ptr, typed(ty), AccessMode::Read(*order)),
        Op::Store { ty, ptr, order, .. }
        | Op::Rmw { ty, ptr, order, .. }
        | Op::CmpXchg { ty, ptr, success: order, .. } => one(ptr, typed(ty), AccessMode::Write(*order)),
        Op::Copy { dst, src, len, .. } => {
            let len = number(program, *len);
            [
                Some(MemoryAccess { pointer: *src, len, how: READ }),
                Some(MemoryAccess { pointer: *dst, len, how: WRITE }),
            ]
        }
        Op::Set { dst, len, .. } => one(dst, number(program, *len), WRITE),
        Op::HeapFree { ptr } => one(ptr, None, AccessMode::End),
        Op::Output { ptr, .. } => one(ptr, None, READ),
        Op::FormatFloat { buffer, .. } => one(buffer, None, WRITE),
        Op::ParseFloat { text, consumed } => {
            let text = MemoryAccess { pointer: *text, len: None, how: READ };
            [Some(text), Some(MemoryAccess { pointer: *consumed, len: Some(4), how: WRITE })]
        }
        Op::Binary { .. }
        | Op::Cmp { .. }
        | Op::FloatUnary { .. }
        | Op::FloatBinary { .. }
        | Op::FloatCmp { .. }
        | Op::Cast { .. }
        | Op::Select { .. }
        | Op::PtrAdd { .. }
        | Op::ThreadLocal { .. }
        | Op::Uninit { .. }
        | Op::Fence { .. }
        | Op::Alloca { .. }
        | Op::ScopeBegin { .. }
        | Op::ScopeEnd { .. }
        | Op::StackSave
        | Op::StackRestore { .. }
        | Op::HeapAlloc { .. }
        | Op::HeapSize { .. }
        | Op::Call(_)
        | Op::ThreadStart { .. }
        | Op::ThreadSelf
        | Op::ThreadExit
        | Op::Exit { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Await { .. }
        | Op::Assume { .. }
        | Op::Rest { .. }
        | Op::Input { .. }
        | Op::Assert { .. }
        | Op::Yield
        | Op::Acquired { .. }
        | Op::Released { .. }
        | Op::Waiting { .. }
        | Op::Unsupported { .. } => [None, None],
    };
    accesses.into_iter().flatten()
}

fn number(program: &Program, operand: Operand) -> Option<u64> {
    match program.constants[operand.as_const()?] {
        Const::Int { bits, .. } => u64::try_from(bits).ok(),
        _ => None,
    }
}
