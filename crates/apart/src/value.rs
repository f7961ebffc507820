//! What instructions compute that do not touch memory, as far as addresses go.

use crate::address::constant;
use crate::frames::Site;
use crate::objects::Object;
use crate::offset::Offset;
use crate::points::Points;
use crate::solved::Solved;
use tp_ir::{BinOp, CastOp, Op, Operand, Type};

pub enum Value {
    /// It points to where its operands do.
    Of(Points),
    /// It is the address of an object that may be new.
    New(Object, Offset),
}

/// What an instruction that does not touch memory computes. What is decided by comparing addresses, or is read
/// from their digits, points nowhere.
pub fn value(solved: &Solved<'_>, site: Site, op: &Op) -> Value {
    let points = |operand: &Operand| solved.points(site.frame, *operand);
    let constant = |operand: &Operand| constant(solved.program, *operand);
    let value = match op {
        Op::Binary { op, a, b, .. } => {
            let (x, y) = (points(a), points(b));
            match (op, constant(a), constant(b)) {
                (BinOp::Add, _, Some(n)) => x.map(|o| o.plus(n)),
                (BinOp::Add, Some(n), _) => y.map(|o| o.plus(n)),
                (BinOp::Sub, _, Some(n)) => x.map(|o| n.checked_neg().map_or(Offset::ANY, |n| o.plus(n))),
                _ => mixed(&x, &y),
            }
        }
        Op::FloatBinary { a, b, .. } => mixed(&points(a), &points(b)),
        Op::FloatUnary { a, .. } => points(a).map(|_| Offset::ANY),
        Op::Cast { op: CastOp::Trunc, a, .. } => points(a).map(|_| Offset::ANY),
        Op::Cast { a, .. } => points(a),
        Op::Select { a, b, .. } => {
            let mut both = points(a);
            both.add_all(&points(b));
            both
        }
        Op::PtrAdd { base, index, scale, .. } => {
            let moved = constant(index).map(|i| i.checked_mul(i64::from(*scale)));
            let base = points(base);
            if base.is_empty() {
                // An address that is added to nothing, as in `(char *)0 + address`.
                return Value::Of(points(index).map(|_| Offset::ANY));
            }
            base.map(|offset| match moved {
                Some(Some(bytes)) => offset.plus(bytes),
                Some(None) => Offset::ANY,
                None => offset.strided(u64::from(*scale)),
            })
        }
        Op::ThreadLocal { global } => {
            let thread = solved.frames.frame(site.frame).thread;
            return Value::New(Object::ThreadLocal(*global, thread), Offset::exact(0));
        }
        Op::Alloca { .. } | Op::HeapAlloc { .. } => {
            return Value::New(Object::Made(site), Offset::exact(0));
        }
        Op::Input { ty: Type::Ptr, .. } => return Value::New(Object::Outside, Offset::ANY),
        Op::Input { .. }
        | Op::Cmp { .. }
        | Op::FloatCmp { .. }
        | Op::Uninit { .. }
        | Op::StackSave
        | Op::HeapSize { .. }
        | Op::ThreadSelf
        | Op::FormatFloat { .. }
        | Op::ParseFloat { .. } => Points::default(),
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
        | Op::Assert { .. }
        | Op::Yield
        | Op::Output { .. }
        | Op::Acquired { .. }
        | Op::Released { .. }
        | Op::Waiting { .. } => Points::default(),
        // `inst` has dealt with these.
        Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg { .. }
        | Op::Copy { .. }
        | Op::Set { .. }
        | Op::Call(_)
        | Op::ThreadStart { .. }
        | Op::Unsupported { .. } => Points::default(),
    };
    Value::Of(value)
}

/// What is computed from two values in a way that is not followed.
fn mixed(x: &Points, y: &Points) -> Points {
    let mut both = x.map(|_| Offset::ANY);
    both.add_all(&y.map(|_| Offset::ANY));
    both
}
