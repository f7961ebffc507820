//! What can be wrong with a program as data, with the sentence for each.

use crate::{
    BlockId, CastOp, ConstId, Expect, FileId, FuncId, GlobalId, ModelEffect, Operand, PlaceId, Reg,
    SourceTypeId, Type,
};
use std::fmt;

/// Something wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    pub site: Site,
    pub fault: Fault,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Site {
    /// The tables of the program, or its entry.
    Program,
    Global {
        id: GlobalId,
        name: Box<str>,
    },
    Function {
        id: FuncId,
        name: Box<str>,
        part: FunctionPart,
    },
}

/// A part of a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FunctionPart {
    /// Its signature.
    Head,
    /// The parameters of a block.
    Params(BlockId),
    /// An instruction, counted from 0.
    Inst(BlockId, usize),
    Terminator(BlockId),
}

/// A row of a table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Handle {
    Block(BlockId),
    Reg(Reg),
    Const(ConstId),
    Place(PlaceId),
    File(FileId),
    SourceType(SourceTypeId),
    Global(GlobalId),
    Func(FuncId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A handle beyond the end of its table.
    Missing(Handle),
    OperandType {
        operand: Operand,
        expected: Expect,
        found: Type,
    },
    ResultType {
        expected: Expect,
        found: Type,
    },
    /// The instruction needs a result register and has none.
    NoResult,
    /// The instruction has a result register and must not.
    NoResultWanted,
    AssignedTwice(Reg),
    /// A path leads to this use on which the register is not assigned.
    NotAssigned(Reg),
    /// The number of arguments, parameters or results.
    Count {
        what: &'static str,
        expected: usize,
        found: usize,
    },
    TypeOf {
        what: &'static str,
        index: usize,
        expected: Type,
        found: Type,
    },
    /// A function with a body must have a first block …
    NoBlocks,
    /// … and that one has no parameters.
    EntryBlockParams,
    Cast {
        op: CastOp,
        from: Type,
        to: Type,
    },
    /// This operation does not exist on values of this type.
    WrongType(Type),
    /// `checked` on an operation that cannot overflow.
    Checked,
    /// An atomic operation without an order, or with one that this operation cannot have.
    MemoryOrder,
    /// A number with bits above its width.
    ExtraBits(u128),
    CaseTwice(u128),
    /// An alignment that is not a power of two.
    Align(u32),
    /// `ThreadLocal` of a global that every thread shares.
    NotThreadLocal(GlobalId),
    /// The address of a thread-local global is not a constant.
    ThreadLocalConst(GlobalId),
    InitSize {
        size: u64,
        bytes: u64,
    },
    /// A pointer in an initialiser that is not wholly inside it.
    InitPointerOutside(u64),
    InitPointerType(ConstId),
    /// A place inlined at a place that does not come before it in the table: it might be inlined at itself.
    InlinedAtLater(PlaceId),
    /// The function the program starts with takes parameters.
    EntryTakesParams,
    /// Only models may be embedded or have effects.
    NotModel,
    /// An effect is about an argument that does not exist or is not a pointer.
    Effect(ModelEffect),
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.site, self.fault)
    }
}

impl std::error::Error for Invalid {}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Site::Program => f.write_str("program"),
            Site::Global { name, .. } => write!(f, "global `{name}`"),
            Site::Function { name, part, .. } => {
                write!(f, "function `{name}`")?;
                match part {
                    FunctionPart::Head => Ok(()),
                    FunctionPart::Params(block) => write!(f, ", {block}, parameters"),
                    FunctionPart::Inst(block, index) => write!(f, ", {block}, instruction {index}"),
                    FunctionPart::Terminator(block) => write!(f, ", {block}, terminator"),
                }
            }
        }
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Handle::Block(id) => write!(f, "{id}"),
            Handle::Reg(reg) => write!(f, "%{}", reg.as_u32()),
            Handle::Const(id) => write!(f, "{id}"),
            Handle::Place(id) => write!(f, "{id}"),
            Handle::File(id) => write!(f, "{id}"),
            Handle::SourceType(id) => write!(f, "{id}"),
            Handle::Global(id) => write!(f, "{id}"),
            Handle::Func(id) => write!(f, "{id}"),
        }
    }
}

/// The operand as the text writes it, without its name.
struct Short(Operand);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            crate::OperandKind::Reg(reg) => Handle::Reg(reg).fmt(f),
            crate::OperandKind::Const(id) => Handle::Const(id).fmt(f),
        }
    }
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expect::Is(ty) => write!(f, "{ty}"),
            Expect::Size => f.write_str("an integer of the pointer width"),
            Expect::Address => f.write_str("a pointer or an integer of the pointer width"),
            Expect::Scalar(width) => write!(f, "i{} (or a pointer of that width)", width.bits()),
            Expect::Any => f.write_str("any type"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Missing(handle) => write!(f, "there is no {handle}"),
            Fault::OperandType { operand, expected, found } => {
                write!(f, "operand {} is {found}, expected {expected}", Short(*operand))
            }
            Fault::ResultType { expected, found } => write!(f, "the result is {found}, expected {expected}"),
            Fault::NoResult => f.write_str("the result is assigned to no register"),
            Fault::NoResultWanted => f.write_str("a result is assigned, but there is none"),
            Fault::AssignedTwice(reg) => write!(f, "{} is assigned twice", Handle::Reg(*reg)),
            Fault::NotAssigned(reg) => {
                write!(f, "{} is not assigned on every path that leads here", Handle::Reg(*reg))
            }
            Fault::Count { what, expected, found } => write!(f, "{found} {what}, expected {expected}"),
            Fault::TypeOf { what, index, expected, found } => {
                write!(f, "{what} {index} is {found}, expected {expected}")
            }
            Fault::NoBlocks => f.write_str("the body has no blocks"),
            Fault::EntryBlockParams => f.write_str("the first block has parameters"),
            Fault::Cast { op, from, to } => write!(f, "{} cannot turn {from} into {to}", op.word()),
            Fault::WrongType(ty) => write!(f, "this operation does not exist on {ty}"),
            Fault::Checked => f.write_str("only add, sub and mul can be checked"),
            Fault::MemoryOrder => f.write_str("this operation cannot have this memory order"),
            Fault::ExtraBits(bits) => write!(f, "the number {bits:#x} has bits above its width"),
            Fault::CaseTwice(bits) => write!(f, "the case {bits:#x} occurs twice"),
            Fault::Align(align) => write!(f, "the alignment {align} is not a power of two"),
            Fault::NotThreadLocal(id) => write!(f, "{id} is not thread-local"),
            Fault::ThreadLocalConst(id) => write!(f, "{id} is thread-local: its address is not a constant"),
            Fault::InitSize { size, bytes } => write!(f, "{bytes} bytes initialise an object of {size}"),
            Fault::InitPointerOutside(offset) => {
                write!(f, "the pointer at {offset} is not inside the object")
            }
            Fault::InitPointerType(id) => write!(f, "{id} is not a pointer"),
            Fault::InlinedAtLater(id) => write!(f, "{id} is inlined at a place that does not come before it"),
            Fault::EntryTakesParams => f.write_str("the entry takes parameters"),
            Fault::NotModel => f.write_str("only a model can be embedded or say what it does"),
            Fault::Effect(effect) => {
                write!(f, "`{effect}` is about an argument that is not there, or is no pointer")
            }
        }
    }
}
