//! Arithmetic and comparisons of addresses: where the result still points, and what it tells of them.
//!
//! What is told of an address *leaks*: from then on any number that depends on it may be that address, rebuilt digit by
//! digit. Ordinary uses of pointers leak nothing: whether one is null, whether two that may be to the same object are equal,
//! the order and the distance of two within one object, and tags in bits that the alignment leaves free.

use crate::marks::Marks;
use crate::objects::Object;
use crate::offset::Offset;
use crate::points::{ObjectId, Points};
use crate::solved::Solved;
use tp_ir::{BinOp, CmpOp, Const, Op, Operand, Program};

/// What is computed, and the objects whose addresses leak by that.
#[derive(Default)]
pub struct Told {
    pub points: Points,
    pub leaks: Points,
}

impl From<Points> for Told {
    fn from(points: Points) -> Told {
        Told { points, leaks: Points::default() }
    }
}

/// An operand.
pub struct Side {
    pub points: Points,
    pub constant: Option<i64>,
}

/// `is_same`: both operands are computed from one address and from constants.
pub fn binary(solved: &Solved<'_>, op: BinOp, x: &Side, y: &Side, is_same: impl Fn() -> bool) -> Told {
    let (a, b) = (&x.points, &y.points);
    match (op, x.constant, y.constant) {
        (BinOp::Add, _, Some(n)) => a.map(|o| o.plus(n)).into(),
        (BinOp::Add, Some(n), _) => b.map(|o| o.plus(n)).into(),
        (BinOp::Sub, _, Some(n)) => a.map(|o| n.checked_neg().map_or(Offset::ANY, |n| o.plus(n))).into(),
        (BinOp::And, _, Some(mask)) if a.has_places() => masked(solved, a, mask),
        (BinOp::And, Some(mask), _) if b.has_places() => masked(solved, b, mask),
        (BinOp::Or | BinOp::Xor, _, Some(tag)) if is_tag(solved, a, tag) => a.anywhere().into(),
        (BinOp::Or | BinOp::Xor, Some(tag), _) if is_tag(solved, b, tag) => b.anywhere().into(),
        (BinOp::Sub, ..) if is_within(solved, a, b, &is_same) => Points::default().into(),
        _ => combined(op, a, b, &is_same),
    }
}

fn combined(op: BinOp, a: &Points, b: &Points, is_same: impl Fn() -> bool) -> Told {
    let mut both = mixed(a, b);
    let mut leaks = Points::default();
    if a.has_places() && b.has_places() && !is_same() {
        leaks = both.clone();
        both.mark(Marks::PLACED);
        if matches!(op, BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor) {
            both.mark(Marks::DISTANCE);
        }
    } else if op == BinOp::Sub && b.has_places() {
        both.mark(Marks::DISTANCE);
    }
    Told { points: both, leaks }
}

/// What is computed from two values in a way that is not followed.
pub fn mixed(x: &Points, y: &Points) -> Points {
    let mut both = x.anywhere();
    both.add_all(&y.anywhere());
    if both.has_places() {
        both.mark(Marks::BLURRED);
    }
    both
}

/// What is left of an address under a mask: its tag, the address without its tag, or some of its digits.
fn masked(solved: &Solved<'_>, x: &Points, mask: i64) -> Told {
    let free = common_alignment(solved, x);
    let all = x.anywhere();
    let cleared = !mask;
    if (0..free).contains(&mask) && is_whole(x) {
        return Points::default().into();
    }
    if (0..free).contains(&cleared) {
        return all.into();
    }
    if cleared > 0 && (cleared & (cleared + 1)) == 0 {
        return Told { points: all.with(Marks::BLURRED.and(Marks::PLACED)), leaks: x.clone() };
    }
    all.with(Marks::BLURRED).into()
}

fn is_tag(solved: &Solved<'_>, x: &Points, tag: i64) -> bool {
    x.has_places() && is_whole(x) && (0..common_alignment(solved, x)).contains(&tag)
}

/// An address, if it is one, as a whole.
fn is_whole(x: &Points) -> bool {
    x.marks == Marks::NONE
}

/// What the addresses of all these objects are multiples of.
fn common_alignment(solved: &Solved<'_>, x: &Points) -> i64 {
    x.iter().map(|(object, _)| alignment(solved, object)).min().unwrap_or(1)
}

/// What the address of an object is a multiple of.
pub fn alignment(solved: &Solved<'_>, object: ObjectId) -> i64 {
    match solved.objects.get(object) {
        Object::Global(g) | Object::ThreadLocal(g, _) => i64::from(solved.program.globals[g].align),
        Object::Made(site) => match &solved.inst(site).op {
            Op::Alloca { align, .. } => i64::from(*align),
            Op::HeapAlloc { align, .. } => {
                tp_analysis::address::constant(solved.program, *align).unwrap_or(1)
            }
            _ => 1,
        },
        Object::Function(_) | Object::Outside => 1,
    }
}

/// Whether two addresses are of one object.
fn is_within(solved: &Solved<'_>, a: &Points, b: &Points, is_same: impl Fn() -> bool) -> bool {
    let variable = |x: &Points| {
        let object = x.only_object()?;
        matches!(solved.objects.get(object), Object::Global(_)).then_some(object)
    };
    let are_addresses = a.has_places() && b.has_places() && is_whole(a) && is_whole(b);
    are_addresses && (variable(a).is_some_and(|object| variable(b) == Some(object)) || is_same())
}

/// The result of a comparison. Which objects are compared is looked at when all are known, by `guesses`.
pub fn compared(solved: &Solved<'_>, op: CmpOp, x: &Side, y: &Side, is_same: impl Fn() -> bool) -> Told {
    let (a, b) = (&x.points, &y.points);
    let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
    let tells = match (a.has_places(), b.has_places()) {
        _ if !is_whole(a) || !is_whole(b) => true,
        (false, false) => false,
        (true, true) => !is_equality && !is_within(solved, a, b, is_same),
        // Null, and what functions return that fail.
        (true, false) => y.constant.is_some_and(|n| n != 0 && !(is_equality && n == -1)),
        (false, true) => x.constant.is_some_and(|n| n != 0 && !(is_equality && n == -1)),
    };
    if tells { leaking(mixed(a, b)) } else { Told::default() }
}

/// A number that depends on all this.
pub fn leaking(leaks: Points) -> Told {
    match leaks.is_plain() {
        true => Told::default(),
        false => Told { points: Points::marked(Marks::NUMBER), leaks },
    }
}

/// What becomes of a value if something that depends on addresses decides whether it is this or another one.
pub fn chosen(program: &Program, points: Points, operand: Operand, is_pointer: bool) -> Points {
    let is_null = operand.as_const().is_some_and(|c| matches!(program.constants[c], Const::Null));
    match is_null || is_pointer && points.has_places() {
        true => points.with(Marks::BLURRED.and(Marks::PLACED)),
        false => points.with(Marks::NUMBER),
    }
}
