//! The results of instructions that do not access memory, as far as they concern addresses.

use super::numbers::{Derived, OperandFacts, binary, chosen, compared, leaking, mixed};
use super::{AbstractObject, Offset, Origins, PointsTo, PointsToSet, Taint};
use crate::address::constant;
use crate::callgraph::InstSite;
use tp_ir::{CastOp, Const, Op, Operand, Type};

pub enum Computed {
    /// It points where its operands do, and may reveal them.
    Of(Derived),
    /// It is the address of an object that may be new.
    New(AbstractObject, Offset),
}

/// Where a value is computed.
pub struct ValueSite<'a, 'p> {
    pub points_to: &'a PointsTo<'p>,
    pub site: InstSite,
    pub origins: &'a Origins<'p>,
    /// The result does not depend on the memory layout, only intermediate values do.
    pub hides: bool,
    /// Numbers were compared with addresses, so an index may be one that leads to another object.
    pub is_guessed: bool,
}

impl ValueSite<'_, '_> {
    fn points(&self, operand: Operand) -> PointsToSet {
        self.points_to.points(self.site.context, operand)
    }

    fn constant(&self, operand: Operand) -> Option<i64> {
        let program = self.points_to.program;
        let is_null = |c| matches!(program.constants[c], Const::Null);
        operand.as_const().filter(|c| is_null(*c)).map(|_| 0).or_else(|| constant(program, operand))
    }

    fn side(&self, operand: Operand) -> OperandFacts {
        OperandFacts { points: self.points(operand), constant: self.constant(operand) }
    }

    fn moved(&self, base: Operand, index: Operand, scale: u32) -> Derived {
        let bytes = constant(self.points_to.program, index).map(|i| i.checked_mul(i64::from(scale)));
        let (base, by) = (self.points(base), self.points(index));
        if !base.has_places() {
            // The index is the address, as in `(char *)0 + address`.
            return by.anywhere().with(base.taint()).into();
        }
        let mut all = base.map(|offset| match bytes {
            Some(Some(bytes)) => offset.plus(bytes),
            Some(None) => Offset::ANY,
            None => offset.strided(u64::from(scale)),
        });
        if self.is_guessed && bytes.is_none() && !self.hides {
            all.add_taint(Taint::NUMBER);
        }
        if by.is_plain() || self.hides {
            return all.into();
        }
        // A hash of an address leads to an element, a distance to another object.
        if by.taint().has(Taint::DISTANCE.and(Taint::NUMBER)) {
            all.add_all(&by.anywhere());
        }
        Derived { points: all.with(Taint::BLURRED.and(Taint::PLACED)), leaks: by }
    }

    fn selected(&self, cond: Operand, a: Operand, b: Operand, is_pointer: bool) -> Derived {
        let (cond, mut both) = (self.points(cond), self.points(a));
        both.add_all(&self.points(b));
        if cond.is_plain() || self.hides {
            return both.into();
        }
        let program = self.points_to.program;
        let mut both = chosen(program, self.points(a), a, is_pointer);
        both.add_all(&chosen(program, self.points(b), b, is_pointer));
        Derived { points: both, leaks: cond }
    }
}

/// What an instruction that does not touch memory computes.
pub fn value(at: &ValueSite<'_, '_>, op: &Op, is_pointer: bool) -> Computed {
    let points = |operand: &Operand| at.points(*operand);
    let told = match op {
        Op::Binary { op, a, b, .. } => {
            binary(at.points_to, *op, &at.side(*a), &at.side(*b), || at.origins.is_same(*a, *b))
        }
        Op::Cmp { .. } | Op::FloatCmp { .. } if at.hides => Derived::default(),
        Op::Cmp { op, a, b, .. } => {
            compared(at.points_to, *op, &at.side(*a), &at.side(*b), || at.origins.is_same(*a, *b))
        }
        Op::FloatCmp { a, b, .. } => leaking(mixed(&points(a), &points(b))),
        Op::FloatBinary { a, b, .. } => mixed(&points(a), &points(b)).into(),
        Op::FloatUnary { a, .. } => mixed(&points(a), &PointsToSet::default()).into(),
        Op::Cast { op, a, from, to } => match op {
            CastOp::IntToPtr | CastOp::PtrToInt | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast
                if bytes(at, *from) <= bytes(at, *to) =>
            {
                points(a).into()
            }
            _ => mixed(&points(a), &PointsToSet::default()).into(),
        },
        Op::Select { cond, a, b } => at.selected(*cond, *a, *b, is_pointer),
        Op::PtrAdd { base, index, scale, .. } => at.moved(*base, *index, *scale),
        Op::ThreadLocal { global } => {
            let thread = at.points_to.call_graph.thread_of(at.site.context);
            return Computed::New(AbstractObject::ThreadLocal(*global, thread), Offset::exact(0));
        }
        Op::Alloca { .. } | Op::HeapAlloc { .. } => {
            return Computed::New(AbstractObject::Made(at.site), Offset::exact(0));
        }
        Op::Input { ty: Type::Ptr, .. } => return Computed::New(AbstractObject::Outside, Offset::ANY),
        Op::Input { .. }
        | Op::Uninit { .. }
        | Op::StackSave
        | Op::HeapSize { .. }
        | Op::ThreadSelf
        | Op::FormatFloat { .. }
        | Op::ParseFloat { .. } => Derived::default(),
        // These have no result.
        Op::Fence { .. }
        | Op::ScopeBegin { .. }
        | Op::ScopeEnd { .. }
        | Op::StackRestore { .. }
        | Op::HeapFree { .. }
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
        | Op::Waiting { .. } => Derived::default(),
        // `inst` handles these.
        Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg { .. }
        | Op::Copy { .. }
        | Op::Set { .. }
        | Op::Call(_)
        | Op::ThreadStart { .. }
        | Op::Unsupported { .. } => Derived::default(),
    };
    Computed::Of(told)
}

fn bytes(at: &ValueSite<'_, '_>, ty: Type) -> u32 {
    ty.bytes(at.points_to.program.data_model)
}
