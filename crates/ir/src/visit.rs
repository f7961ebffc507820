//! The operands, results and targets of an instruction, in one order, with the type each operand must have.
//!
//! The printer, the parser, the validator and every pass walk an instruction through these functions, so the order of
//! operands in the text and their types are written once.

use crate::{Callee, DataModel, Inst, Op, Operand, Reg, Target, Terminator, Type, Width};

/// The type that an operand or result must have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Expect {
    Is(Type),
    /// An integer of the pointer width.
    Size,
    /// A pointer, or an integer of the pointer width.
    Address,
    /// An integer of this width, or a pointer when that is the pointer width.
    Scalar(Width),
    /// Whatever the context (a callee, a register) says.
    Any,
}

const BOOL: Expect = Expect::Is(Type::BOOL);
const BYTE: Expect = Expect::Is(Type::Int(Width::W8));
const I32: Expect = Expect::Is(Type::Int(Width::W32));
const I64: Expect = Expect::Is(Type::Int(Width::W64));
const F64: Expect = Expect::Is(Type::F64);
const PTR: Expect = Expect::Is(Type::Ptr);

fn int(width: Width) -> Expect {
    Expect::Is(Type::Int(width))
}

impl Expect {
    pub fn accepts(self, ty: Type, data: DataModel) -> bool {
        let size = data.pointer_width();
        match self {
            Expect::Is(t) => t == ty,
            Expect::Size => ty == Type::Int(size),
            Expect::Address => ty == Type::Ptr || ty == Type::Int(size),
            Expect::Scalar(w) => ty == Type::Int(w) || (ty == Type::Ptr && w == size),
            Expect::Any => true,
        }
    }

    /// The type that need not be written in the text.
    pub fn implied(self, data: DataModel) -> Option<Type> {
        match self {
            Expect::Is(t) => Some(t),
            Expect::Size => Some(Type::Int(data.pointer_width())),
            Expect::Address => Some(Type::Ptr),
            Expect::Scalar(w) => Some(Type::Int(w)),
            Expect::Any => None,
        }
    }
}

macro_rules! each_operand {
    ($(#[$doc:meta])* $name:ident, $($mut:tt)?) => {
        $(#[$doc])*
        #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
        pub fn $name<'a>(&'a $($mut)? self, mut f: impl FnMut(&'a $($mut)? Operand, Expect)) {
            match self {
                Op::Binary { width, a, b, .. } => {
                    f(a, int(*width));
                    f(b, int(*width));
                }
                Op::Cmp { width, a, b, .. } => {
                    f(a, Expect::Scalar(*width));
                    f(b, Expect::Scalar(*width));
                }
                Op::FloatUnary { ty, a, .. } => f(a, Expect::Is(*ty)),
                Op::FloatBinary { ty, a, b, .. } | Op::FloatCmp { ty, a, b, .. } => {
                    f(a, Expect::Is(*ty));
                    f(b, Expect::Is(*ty));
                }
                Op::Cast { from, a, .. } => f(a, Expect::Is(*from)),
                Op::Select { cond, a, b } => {
                    f(cond, BOOL);
                    f(a, Expect::Any);
                    f(b, Expect::Any);
                }
                Op::PtrAdd { base, index, width, .. } => {
                    f(base, PTR);
                    f(index, int(*width));
                }
                Op::Load { ptr, .. } => f(ptr, PTR),
                Op::Store { ty, ptr, value, .. } => {
                    f(value, Expect::Is(*ty));
                    f(ptr, PTR);
                }
                Op::Rmw { ty, ptr, value, .. } => {
                    f(ptr, PTR);
                    f(value, Expect::Is(*ty));
                }
                Op::CmpXchg { ty, ptr, expected, new, fails, .. } => {
                    f(ptr, PTR);
                    f(expected, Expect::Is(*ty));
                    f(new, Expect::Is(*ty));
                    if let Some(fails) = fails {
                        f(fails, BOOL);
                    }
                }
                Op::Copy { dst, src, len, len_width, .. } => {
                    f(dst, PTR);
                    f(src, PTR);
                    f(len, int(*len_width));
                }
                Op::Set { dst, byte, len, len_width } => {
                    f(dst, PTR);
                    f(byte, BYTE);
                    f(len, int(*len_width));
                }
                Op::Alloca { size, size_width, .. } => f(size, int(*size_width)),
                Op::ScopeBegin { ptr } | Op::ScopeEnd { ptr, .. } => f(ptr, PTR),
                Op::HeapFree { ptr } | Op::HeapSize { ptr } => f(ptr, PTR),
                Op::StackRestore { token } => f(token, Expect::Address),
                Op::HeapAlloc { size, size_width, align, align_width, at, .. } => {
                    f(size, int(*size_width));
                    f(align, int(*align_width));
                    if let Some(at) = at {
                        f(at, PTR);
                    }
                }
                Op::Call(call) => {
                    let call = & $($mut)? **call;
                    if let Callee::Indirect(target) = & $($mut)? call.callee {
                        f(target, PTR);
                    }
                    for arg in & $($mut)? call.args[..] {
                        f(arg, Expect::Any);
                    }
                }
                Op::ThreadStart { func, arg } => {
                    f(func, PTR);
                    f(arg, PTR);
                }
                Op::Exit { status } => f(status, I32),
                Op::Await { cond } | Op::Assume { cond } => f(cond, BOOL),
                Op::Rest { done, seconds, nanoseconds, .. } => {
                    f(done, BOOL);
                    f(seconds, I64);
                    f(nanoseconds, I64);
                }
                Op::Input { name, .. } => f(name, PTR),
                Op::Assert { cond, message, .. } => {
                    f(cond, BOOL);
                    f(message, PTR);
                }
                Op::Output { fd, ptr, len } => {
                    f(fd, I32);
                    f(ptr, PTR);
                    f(len, Expect::Size);
                }
                Op::FormatFloat { buffer, size, conversion, precision, flags, value } => {
                    f(buffer, PTR);
                    f(size, I32);
                    f(conversion, I32);
                    f(precision, I32);
                    f(flags, I32);
                    f(value, F64);
                }
                Op::ParseFloat { text, consumed } => {
                    f(text, PTR);
                    f(consumed, PTR);
                }
                Op::Acquired { lock, .. } | Op::Released { lock } => f(lock, PTR),
                Op::Waiting { object, owner, .. } => {
                    f(object, PTR);
                    f(owner, I32);
                }
                Op::ThreadLocal { .. }
                | Op::Uninit { .. }
                | Op::Fence { .. }
                | Op::StackSave
                | Op::ThreadSelf
                | Op::ThreadExit
                | Op::AtomicBegin
                | Op::AtomicEnd
                | Op::Yield
                | Op::Unsupported { .. } => {}
            }
        }
    };
}

impl Op {
    each_operand!(
        /// Every operand in the order of the text, with the type it must have. A `Call` lists the pointer of an
        /// indirect callee first, then the arguments.
        each_operand,
    );
    each_operand!(
        /// As `each_operand`, mutably.
        each_operand_mut, mut
    );

    /// The type of `Inst::result`; `None` for an instruction without one. The results of a `Call` are in the call
    /// itself; an `Unsupported` may have a result or not.
    pub fn result(&self) -> Option<Expect> {
        match self {
            Op::Binary { width, .. } => Some(int(*width)),
            Op::Cmp { .. } | Op::FloatCmp { .. } => Some(BOOL),
            Op::FloatUnary { ty, .. } | Op::FloatBinary { ty, .. } => Some(Expect::Is(*ty)),
            Op::Cast { to, .. } => Some(Expect::Is(*to)),
            Op::Select { .. } | Op::Unsupported { .. } => Some(Expect::Any),
            Op::PtrAdd { .. } | Op::ThreadLocal { .. } | Op::Alloca { .. } | Op::HeapAlloc { .. } => {
                Some(PTR)
            }
            Op::Uninit { ty }
            | Op::Load { ty, .. }
            | Op::Rmw { ty, .. }
            | Op::CmpXchg { ty, .. }
            | Op::Input { ty, .. } => Some(Expect::Is(*ty)),
            Op::StackSave => Some(Expect::Address),
            Op::HeapSize { .. } => Some(Expect::Size),
            Op::ThreadStart { .. } | Op::ThreadSelf | Op::FormatFloat { .. } => Some(I32),
            Op::ParseFloat { .. } => Some(F64),
            Op::Store { .. }
            | Op::Fence { .. }
            | Op::Copy { .. }
            | Op::Set { .. }
            | Op::ScopeBegin { .. }
            | Op::ScopeEnd { .. }
            | Op::StackRestore { .. }
            | Op::HeapFree { .. }
            | Op::Call(_)
            | Op::ThreadExit
            | Op::Exit { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Await { .. }
            | Op::Assume { .. }
            | Op::Rest { .. }
            | Op::Assert { .. }
            | Op::Yield
            | Op::Output { .. }
            | Op::Acquired { .. }
            | Op::Released { .. }
            | Op::Waiting { .. } => None,
        }
    }
}

impl Inst {
    /// The registers that the instruction assigns.
    pub fn results(&self) -> impl Iterator<Item = Reg> {
        let of_call = match &self.op {
            Op::Call(call) => &call.results[..],
            _ => &[],
        };
        self.result.into_iter().chain(of_call.iter().copied())
    }

    pub fn each_result_mut(&mut self, mut f: impl FnMut(&mut Reg)) {
        self.result.iter_mut().for_each(&mut f);
        if let Op::Call(call) = &mut self.op {
            call.results.iter_mut().for_each(f);
        }
    }
}

impl Terminator {
    pub fn each_target<'a>(&'a self, mut f: impl FnMut(&'a Target)) {
        match self {
            Terminator::Jump(target) => f(target),
            Terminator::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Terminator::Switch(switch) => {
                switch.cases.iter().for_each(|(_, target)| f(target));
                f(&switch.default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }

    pub fn each_target_mut(&mut self, mut f: impl FnMut(&mut Target)) {
        match self {
            Terminator::Jump(target) => f(target),
            Terminator::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Terminator::Switch(switch) => {
                switch.cases.iter_mut().for_each(|(_, target)| f(target));
                f(&mut switch.default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }

    /// The operands of the terminator itself (condition, switched value, results), not those of its targets.
    pub fn each_operand(&self, mut f: impl FnMut(Operand, Expect)) {
        match self {
            Terminator::Branch { cond, .. } => f(*cond, BOOL),
            Terminator::Switch(switch) => f(switch.value, int(switch.width)),
            Terminator::Return(values) => values.iter().for_each(|v| f(*v, Expect::Any)),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }

    /// Every operand, those of the targets included, to change them.
    pub fn each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch(switch) => f(&mut switch.value),
            Terminator::Return(values) => values.iter_mut().for_each(&mut f),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        self.each_target_mut(|target| target.args.iter_mut().for_each(&mut f));
    }
}
