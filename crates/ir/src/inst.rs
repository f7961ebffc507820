//! Instructions: what each one is, with its operands. What the operators compute is in `eval`.
// tidy: long because it is one list: every instruction with its operands.

use crate::{
    BlockId, ConstId, FuncId, GlobalId, MemoryOrder, PlaceId, Property, Reg, SourceTypeId, Type, Width,
};

/// A register of the function or a constant of the program's pool, in one word.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Operand(u32);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandKind {
    Reg(Reg),
    Const(ConstId),
}

impl Operand {
    const CONST: u32 = 1 << 31;

    #[inline]
    pub fn kind(self) -> OperandKind {
        if self.0 & Self::CONST == 0 {
            OperandKind::Reg(Reg::from_u32(self.0))
        } else {
            OperandKind::Const(ConstId::from_u32(self.0 & !Self::CONST))
        }
    }

    pub fn as_reg(self) -> Option<Reg> {
        match self.kind() {
            OperandKind::Reg(r) => Some(r),
            OperandKind::Const(_) => None,
        }
    }

    pub fn as_const(self) -> Option<ConstId> {
        match self.kind() {
            OperandKind::Reg(_) => None,
            OperandKind::Const(c) => Some(c),
        }
    }
}

impl From<Reg> for Operand {
    fn from(r: Reg) -> Operand {
        debug_assert!(r.as_u32() < Operand::CONST);
        Operand(r.as_u32())
    }
}

impl From<ConstId> for Operand {
    fn from(c: ConstId) -> Operand {
        Operand(c.as_u32() | Operand::CONST)
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            OperandKind::Reg(r) => write!(f, "{r}"),
            OperandKind::Const(c) => write!(f, "{c}"),
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

impl BinOp {
    pub const ALL: [BinOp; 13] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
    ];
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Float operations with one operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Halves away from zero.
    Round,
    /// Halves to even.
    RoundEven,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Exp,
    Log,
    Log2,
    Log10,
}

/// Float operations with two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder with the sign of the dividend, as `fmod`.
    Rem,
    Min,
    Max,
    CopySign,
    Pow,
    Atan2,
}

/// Float comparisons; `O…` is false and `U…` is true when an operand is not a number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatCmp {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FloatToSigned,
    FloatToUnsigned,
    SignedToFloat,
    UnsignedToFloat,
    /// Between the float types.
    FloatToFloat,
    /// Zero-extends or truncates the address; the object stays attached.
    PtrToInt,
    /// Zero-extends or truncates to an address.
    IntToPtr,
    /// Same bits, other type of the same width.
    Bitcast,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
}

/// How a read-modify-write computes the value that it stores, from the old value and the operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RmwValue {
    Operand,
    Binary(BinOp),
    /// The complement of the result.
    Complement(BinOp),
    /// The old value stays if it compares like this to the operand; otherwise it is the operand.
    OldIf(CmpOp),
    Float(FloatBinary),
}

impl RmwOp {
    #[inline]
    pub fn value(self) -> RmwValue {
        match self {
            RmwOp::Exchange => RmwValue::Operand,
            RmwOp::Add => RmwValue::Binary(BinOp::Add),
            RmwOp::Sub => RmwValue::Binary(BinOp::Sub),
            RmwOp::And => RmwValue::Binary(BinOp::And),
            RmwOp::Nand => RmwValue::Complement(BinOp::And),
            RmwOp::Or => RmwValue::Binary(BinOp::Or),
            RmwOp::Xor => RmwValue::Binary(BinOp::Xor),
            RmwOp::Max => RmwValue::OldIf(CmpOp::Sgt),
            RmwOp::Min => RmwValue::OldIf(CmpOp::Slt),
            RmwOp::UMax => RmwValue::OldIf(CmpOp::Ugt),
            RmwOp::UMin => RmwValue::OldIf(CmpOp::Ult),
            RmwOp::FAdd => RmwValue::Float(FloatBinary::Add),
            RmwOp::FSub => RmwValue::Float(FloatBinary::Sub),
        }
    }

    /// The integer operation whose result it stores, if it is a single one.
    pub fn binary(self) -> Option<BinOp> {
        match self.value() {
            RmwValue::Binary(op) => Some(op),
            _ => None,
        }
    }
}

/// What a waiting thread waits for; only for reports and for the wait-for graph.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum WaitKind {
    Mutex,
    ReadLock,
    WriteLock,
    SpinLock,
    Condition,
    Join,
    Barrier,
    Semaphore,
    Once,
    Stream,
    Pipe,
    Signal,
    Descriptor,
    Socket,
}

/// How a thread holds a lock; only for reports and for the wait-for graph.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum LockMode {
    Exclusive,
    Shared,
}

/// The name of a local variable and its type in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocalInfo {
    pub name: Option<Box<str>>,
    pub ty: Option<SourceTypeId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Operand),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub callee: Callee,
    /// A variadic callee takes a last pointer argument to the area that holds the variable arguments.
    pub args: Box<[Operand]>,
    /// One register for each result of the callee that the caller takes.
    pub results: Box<[Reg]>,
}

/// What an input stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// Any value.
    Value,
    /// Any value; random runs mostly choose 0.
    MostlyZero,
    /// Whether something happens: in random runs it seldom does.
    Event,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// `checked`: signed overflow is an error (`Add`, `Sub`, `Mul` only).
    Binary {
        op: BinOp,
        width: Width,
        a: Operand,
        b: Operand,
        checked: bool,
    },
    /// Result is one bit. Pointers compare by address; `width` is then the pointer width.
    Cmp {
        op: CmpOp,
        width: Width,
        a: Operand,
        b: Operand,
    },
    FloatUnary {
        op: FloatUnary,
        ty: Type,
        a: Operand,
    },
    FloatBinary {
        op: FloatBinary,
        ty: Type,
        a: Operand,
        b: Operand,
    },
    FloatCmp {
        op: FloatCmp,
        ty: Type,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: Type,
        to: Type,
        a: Operand,
    },
    Select {
        cond: Operand,
        a: Operand,
        b: Operand,
    },
    /// `base + index * scale` bytes; the index is sign-extended from its width, or truncated, to the pointer width.
    PtrAdd {
        base: Operand,
        index: Operand,
        width: Width,
        scale: u32,
    },
    /// The address of this thread's instance of a thread-local global.
    ThreadLocal {
        global: GlobalId,
    },
    /// A value of this type that was never written.
    Uninit {
        ty: Type,
    },

    Load {
        ty: Type,
        ptr: Operand,
        order: MemoryOrder,
    },
    Store {
        ty: Type,
        ptr: Operand,
        value: Operand,
        order: MemoryOrder,
    },
    /// The result is the old value.
    Rmw {
        op: RmwOp,
        ty: Type,
        ptr: Operand,
        value: Operand,
        order: MemoryOrder,
    },
    /// The result is the old value; `new` is stored if the old value equals `expected`. A weak exchange has `fails`: if
    /// that holds, it fails spuriously.
    CmpXchg {
        ty: Type,
        ptr: Operand,
        expected: Operand,
        new: Operand,
        fails: Option<Operand>,
        success: MemoryOrder,
        failure: MemoryOrder,
    },
    Fence {
        order: MemoryOrder,
    },
    /// Copies bytes. `overlap`: the areas may overlap, as for `memmove`.
    Copy {
        dst: Operand,
        src: Operand,
        len: Operand,
        len_width: Width,
        overlap: bool,
    },
    /// Sets bytes to the 8-bit value.
    Set {
        dst: Operand,
        byte: Operand,
        len: Operand,
        len_width: Width,
    },

    /// A new local object; it dies when the function returns. `private`: its address never leaves the function's
    /// loads, stores and copies, so no other thread can reach it.
    Alloca {
        size: Operand,
        size_width: Width,
        align: u32,
        private: bool,
        info: Box<LocalInfo>,
    },
    /// The scope of the local begins: its contents are uninitialised.
    ScopeBegin {
        ptr: Operand,
    },
    /// The scope of the local ends: it may not be used until its scope begins again; after the `last` one, never.
    ScopeEnd {
        ptr: Operand,
        last: bool,
    },
    /// Remembers the locals of this thread (a pointer-sized token: how many there are) …
    StackSave,
    /// … and ends those made since.
    StackRestore {
        token: Operand,
    },
    /// A new heap object, uninitialised. Result: its address.
    HeapAlloc {
        size: Operand,
        size_width: Width,
        align: Operand,
        align_width: Width,
        /// Memory of the models: losing it is not a leak of the user's program.
        record: bool,
        /// An object that has ended, whose address the new one gets.
        at: Option<Operand>,
    },
    HeapFree {
        ptr: Operand,
    },
    /// The size in bytes of the live heap object that starts at `ptr`.
    HeapSize {
        ptr: Operand,
    },

    Call(Box<Call>),

    /// Starts a thread that calls `func(arg)`. Result: its number (32 bits).
    ThreadStart {
        func: Operand,
        arg: Operand,
    },
    /// The number of this thread (32 bits); the first thread is 0.
    ThreadSelf,
    /// Ends this thread at once.
    ThreadExit,
    /// Ends the program with a status.
    Exit {
        status: Operand,
    },
    AtomicBegin,
    AtomicEnd,
    /// The atomic step that contains it can only be taken when `cond` holds.
    Await {
        cond: Operand,
    },
    /// Executions in which `cond` does not hold do not count. Inside an atomic step the same as `Await`.
    Assume {
        cond: Operand,
    },
    /// The atomic step that contains it sleeps until `done` holds or a time is reached. It can always be taken: any time
    /// may pass between two steps. Only schedules that look realistic wait for the time.
    Rest {
        done: Operand,
        /// 64 bits each, signed.
        seconds: Operand,
        nanoseconds: Operand,
        /// A time since the program began, not a span.
        is_moment: bool,
    },
    /// An input. `name` points to a C string.
    Input {
        ty: Type,
        signed: bool,
        kind: InputKind,
        name: Operand,
    },
    /// A violation of `property` if `cond` does not hold. `message` points to a C string.
    Assert {
        cond: Operand,
        property: Property,
        message: Operand,
        /// What follows is defined all the same: the program goes on if the property is not checked.
        goes_on: bool,
    },
    /// A hint that other threads should run.
    Yield,
    /// Writes bytes to standard output (1) or standard error (2).
    Output {
        fd: Operand,
        ptr: Operand,
        len: Operand,
    },
    /// Formats a double as `printf` does; see models/tp.h. Result: length (32 bits).
    FormatFloat {
        buffer: Operand,
        size: Operand,
        conversion: Operand,
        precision: Operand,
        flags: Operand,
        value: Operand,
    },
    /// Reads a double as `strtod` does; stores the number of bytes read (32 bits) at `consumed`.
    ParseFloat {
        text: Operand,
        consumed: Operand,
    },

    /// For reports and wait-for cycles: this thread now holds the lock at `lock`. A thread that waits for a lock waits
    /// for every thread that holds it in shared mode.
    Acquired {
        lock: Operand,
        mode: LockMode,
    },
    Released {
        lock: Operand,
    },
    /// For reports and wait-for cycles: if this step's `Await` fails, the thread waits for `object`, held by the
    /// thread with the number `owner` (all ones: no particular thread).
    Waiting {
        kind: WaitKind,
        object: Operand,
        owner: Operand,
    },

    /// Something that could not be imported; an error only when it is reached.
    Unsupported {
        what: Box<str>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    pub op: Op,
    pub result: Option<Reg>,
    pub place: PlaceId,
}

/// A jump target with the values of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub block: BlockId,
    pub args: Box<[Operand]>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    pub value: Operand,
    pub width: Width,
    pub cases: Vec<(u128, Target)>,
    pub default: Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    Jump(Target),
    Branch {
        cond: Operand,
        then: Target,
        otherwise: Target,
    },
    Switch(Box<Switch>),
    Return(Box<[Operand]>),
    /// Control cannot come here in a correct program.
    Unreachable,
}
