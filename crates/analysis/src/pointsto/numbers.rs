//! Arithmetic and comparisons of addresses: where the result still points, and what it reveals about them.
//!
//! An address that a result reveals *leaks*: from then on any number that depends on addresses may be this one, rebuilt
//! bit by bit. Ordinary uses of pointers leak nothing: a null test, equality of two that may point to the same object,
//! order and distance of two within one object, and tags in bits that the alignment leaves free.

use super::{AbstractObject, ObjectId, Offset, PointsTo, PointsToSet, Taint};
use tp_ir::{BinOp, CmpOp, Const, Op, Operand, Program};

/// The result of an operation, and the objects whose addresses it leaks.
#[derive(Default)]
pub struct Derived {
    pub points: PointsToSet,
    pub leaks: PointsToSet,
}

impl From<PointsToSet> for Derived {
    fn from(points: PointsToSet) -> Derived {
        Derived { points, leaks: PointsToSet::default() }
    }
}

/// What is known about an operand.
pub struct OperandFacts {
    pub points: PointsToSet,
    pub constant: Option<i64>,
}

/// `is_same`: both operands are computed from one address and from constants.
pub fn binary(
    points_to: &PointsTo<'_>,
    op: BinOp,
    x: &OperandFacts,
    y: &OperandFacts,
    is_same: impl Fn() -> bool,
) -> Derived {
    let (a, b) = (&x.points, &y.points);
    match (op, x.constant, y.constant) {
        (BinOp::Add, _, Some(n)) => a.map(|o| o.plus(n)).into(),
        (BinOp::Add, Some(n), _) => b.map(|o| o.plus(n)).into(),
        (BinOp::Sub, _, Some(n)) => a.map(|o| n.checked_neg().map_or(Offset::ANY, |n| o.plus(n))).into(),
        (BinOp::And, _, Some(mask)) if a.has_places() => masked(points_to, a, mask),
        (BinOp::And, Some(mask), _) if b.has_places() => masked(points_to, b, mask),
        (BinOp::Or | BinOp::Xor, _, Some(tag)) if is_tag(points_to, a, tag) => a.anywhere().into(),
        (BinOp::Or | BinOp::Xor, Some(tag), _) if is_tag(points_to, b, tag) => b.anywhere().into(),
        (BinOp::Sub, ..) if is_within(points_to, a, b, &is_same) => PointsToSet::default().into(),
        _ => combined(op, a, b, &is_same),
    }
}

fn combined(op: BinOp, a: &PointsToSet, b: &PointsToSet, is_same: impl Fn() -> bool) -> Derived {
    let mut both = mixed(a, b);
    let mut leaks = PointsToSet::default();
    if a.has_places() && b.has_places() && !is_same() {
        leaks = both.clone();
        both.add_taint(Taint::PLACED);
        if matches!(op, BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor) {
            both.add_taint(Taint::DISTANCE);
        }
    } else if op == BinOp::Sub && b.has_places() {
        both.add_taint(Taint::DISTANCE);
    }
    Derived { points: both, leaks }
}

/// The result of an operation on two values that is not modelled precisely.
pub fn mixed(x: &PointsToSet, y: &PointsToSet) -> PointsToSet {
    let mut both = x.anywhere();
    both.add_all(&y.anywhere());
    if both.has_places() {
        both.add_taint(Taint::BLURRED);
    }
    both
}

/// What is left of an address under a mask: its tag, the address without its tag, or some of its bits.
fn masked(points_to: &PointsTo<'_>, x: &PointsToSet, mask: i64) -> Derived {
    let free = common_alignment(points_to, x);
    let all = x.anywhere();
    let cleared = !mask;
    if (0..free).contains(&mask) && is_whole(x) {
        return PointsToSet::default().into();
    }
    if (0..free).contains(&cleared) {
        return all.into();
    }
    if cleared > 0 && (cleared & (cleared + 1)) == 0 {
        return Derived { points: all.with(Taint::BLURRED.and(Taint::PLACED)), leaks: x.clone() };
    }
    all.with(Taint::BLURRED).into()
}

fn is_tag(points_to: &PointsTo<'_>, x: &PointsToSet, tag: i64) -> bool {
    x.has_places() && is_whole(x) && (0..common_alignment(points_to, x)).contains(&tag)
}

/// Whether a value is a whole address if it is one at all.
fn is_whole(x: &PointsToSet) -> bool {
    x.taint() == Taint::NONE
}

/// The alignment that all these objects have.
fn common_alignment(points_to: &PointsTo<'_>, x: &PointsToSet) -> i64 {
    x.iter().map(|(object, _)| alignment(points_to, object)).min().unwrap_or(1)
}

/// The alignment of an object.
pub fn alignment(points_to: &PointsTo<'_>, object: ObjectId) -> i64 {
    match points_to.objects.get(object) {
        AbstractObject::Global(g) | AbstractObject::ThreadLocal(g, _) => {
            i64::from(points_to.program.globals[g].align)
        }
        AbstractObject::Made(site) => match &points_to.inst(site).op {
            Op::Alloca { align, .. } => i64::from(*align),
            Op::HeapAlloc { align, .. } => crate::address::constant(points_to.program, *align).unwrap_or(1),
            _ => 1,
        },
        AbstractObject::Function(_) | AbstractObject::Outside => 1,
    }
}

/// Whether two addresses surely point into the same object.
fn is_within(points_to: &PointsTo<'_>, a: &PointsToSet, b: &PointsToSet, is_same: impl Fn() -> bool) -> bool {
    let variable = |x: &PointsToSet| {
        let object = x.only_object()?;
        matches!(points_to.objects.get(object), AbstractObject::Global(_)).then_some(object)
    };
    let are_addresses = a.has_places() && b.has_places() && is_whole(a) && is_whole(b);
    are_addresses && (variable(a).is_some_and(|object| variable(b) == Some(object)) || is_same())
}

/// The result of a comparison. What a comparison of different objects reveals is left to `guesses`, when all are known.
pub fn compared(
    points_to: &PointsTo<'_>,
    op: CmpOp,
    x: &OperandFacts,
    y: &OperandFacts,
    is_same: impl Fn() -> bool,
) -> Derived {
    let (a, b) = (&x.points, &y.points);
    let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
    let tells = match (a.has_places(), b.has_places()) {
        _ if !is_whole(a) || !is_whole(b) => true,
        (false, false) => false,
        (true, true) => !is_equality && !is_within(points_to, a, b, is_same),
        // Null, and -1, which failing functions return.
        (true, false) => y.constant.is_some_and(|n| n != 0 && !(is_equality && n == -1)),
        (false, true) => x.constant.is_some_and(|n| n != 0 && !(is_equality && n == -1)),
    };
    if tells { leaking(mixed(a, b)) } else { Derived::default() }
}

/// A number that depends on all these addresses.
pub fn leaking(leaks: PointsToSet) -> Derived {
    match leaks.is_plain() {
        true => Derived::default(),
        false => Derived { points: PointsToSet::tainted(Taint::NUMBER), leaks },
    }
}

/// The set of a value that was chosen among others by something that depends on addresses.
pub fn chosen(program: &Program, points: PointsToSet, operand: Operand, is_pointer: bool) -> PointsToSet {
    let is_null = operand.as_const().is_some_and(|c| matches!(program.constants[c], Const::Null));
    match is_null || is_pointer && points.has_places() {
        true => points.with(Taint::BLURRED.and(Taint::PLACED)),
        false => points.with(Taint::NUMBER),
    }
}
