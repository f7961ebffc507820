//! The parts of objects that an access can touch.

use crate::pass::Pass;
use crate::state::State;
use crate::values::{Addresses, Values};
use crate::{Gap, Guess, ObjectId};
use rustc_hash::FxHashMap;
use tp_ir::{BinOp, CmpOp, Width, eval};
use tp_terms::{Term, TermKind};

/// Memo of `Pass::stride`, used only in this module.
#[derive(Default)]
pub(crate) struct StrideMemo(FxHashMap<Term, (u64, u64)>);

/// An access to a fixed part of an object, if `condition` holds.
pub(crate) struct Spot {
    pub condition: Term,
    pub object: ObjectId,
    pub offset: u64,
}

pub(crate) enum Spots {
    /// Elsewhere the access is invalid, unless the condition holds: then it is further into an object than is followed.
    These(Vec<Spot>, Term),
    /// There may be other spots, for this reason.
    Lost(Gap),
}

/// Most offsets in an object that are distinguished for one access.
const MAX_SPOTS: u64 = 1024;
/// With an unknown index into an object of unknown size, this many elements times the bound are followed.
const MORE_SPOTS: u64 = 8;

impl Pass<'_> {
    /// The fixed parts of objects that an access of `len` bytes can touch.
    pub fn spots(&mut self, p: Term, len: u64) -> Spots {
        let mut beyond = self.out.terms.bool(false);
        match self.spots_within(p, len, &mut beyond) {
            Spots::These(spots, _) => Spots::These(spots, beyond),
            lost => lost,
        }
    }

    /// When these bytes lie inside the object, whose size may not be constant.
    fn inside(&mut self, object: ObjectId, offset: u64, len: u64) -> Term {
        match self.objects[object].exact_size {
            None => self.out_true(),
            Some(size) => {
                let width = self.out.terms.width(size);
                let end = self.out.terms.constant(width, (offset + len) as u128);
                self.out.terms.compare(CmpOp::Ule, end, size)
            }
        }
    }

    /// Whether its size is not known yet: the thread that makes it is executed later in this pass.
    fn is_size_unknown(&self, object: ObjectId) -> bool {
        let o = &self.objects[object];
        o.exact_size.is_none() && self.know.objects[o.key.0 as usize].is_open
    }

    fn spots_within(&mut self, p: Term, len: u64, beyond: &mut Term) -> Spots {
        let targets = self.targets(p);
        let mut spots = Vec::new();
        for target in targets.list.iter() {
            if self.is_size_unknown(target.object) {
                return Spots::Lost(Gap::UnknownSize);
            }
            let size = self.objects[target.object].size;
            let Some(last) = size.checked_sub(len) else { continue };
            if let Some(cases) = self.cases(target.offset) {
                for &(condition, offset) in cases.iter() {
                    if offset <= last as u128 {
                        let inside = self.inside(target.object, offset as u64, len);
                        let condition = self.out.terms.and(target.condition, condition);
                        let condition = self.out.terms.and(condition, inside);
                        spots.push(Spot { condition, object: target.object, offset: offset as u64 });
                    }
                }
                continue;
            }
            let (step, rest) = self.stride(target.offset);
            let mut last = last;
            if self.objects[target.object].exact_size.is_some() {
                let width = self.out.terms.width(target.offset);
                let most = step.saturating_mul(MORE_SPOTS * self.config.bound as u64);
                last = last.min(rest.saturating_add(most));
                let limit = self.out.terms.constant(width, last as u128);
                let further = self.out.terms.compare(CmpOp::Ult, limit, target.offset);
                let further = self.out.terms.and(target.condition, further);
                *beyond = self.out.terms.or(*beyond, further);
            }
            if last / step > MAX_SPOTS {
                return Spots::Lost(Gap::UnknownIndex);
            }
            let mut offset = rest;
            while offset <= last {
                let here = self.equals(target.offset, offset as u128);
                let inside = self.inside(target.object, offset, len);
                let condition = self.out.terms.and(target.condition, here);
                let condition = self.out.terms.and(condition, inside);
                spots.push(Spot { condition, object: target.object, offset });
                offset += step;
            }
        }
        spots.retain(|s| self.out.terms.as_const(s.condition) != Some(0));
        Spots::These(spots, *beyond)
    }

    /// A number `n` and a remainder `r` such that the term is always `r` modulo `n`. `n` is a power of two, or the
    /// scale of an index that is narrow enough for the product never to wrap.
    fn stride(&mut self, t: Term) -> (u64, u64) {
        if let Some(&known) = self.strides.0.get(&t) {
            return known;
        }
        let stride = self.stride_of(t);
        self.strides.0.insert(t, stride);
        stride
    }

    fn stride_of(&mut self, t: Term) -> (u64, u64) {
        match self.out.terms.kind(t) {
            TermKind::Const(_, bits) => (1 << 32, bits.value() as u64 & 0xffff_ffff),
            TermKind::Concat(high, low) => {
                let bits = self.out.terms.width(low).bits().min(32);
                let (n, r) = self.even_stride(low);
                if n >= 1 << bits && bits < 32 {
                    let (m, s) = self.even_stride(high);
                    let n = m.checked_shl(bits).filter(|n| *n <= 1 << 32).unwrap_or(1 << bits);
                    return (n, (s << bits | (r & ((1 << bits) - 1))) % n);
                }
                (n.min(1 << bits), r % n.min(1 << bits))
            }
            TermKind::Binary(BinOp::Add, a, b) if self.out.terms.as_const(b).is_some() => {
                let (n, r) = self.stride(a);
                let by = eval::sign_extend(self.out.terms.as_const(b).unwrap_or(0), self.out.terms.width(b))
                    as i128;
                (n, (r as i128 + by).rem_euclid(n as i128) as u64)
            }
            TermKind::Binary(BinOp::Mul, a, b) if self.is_exact_product(a, b) => {
                (self.out.terms.as_const(b).unwrap_or(1) as u64, 0)
            }
            TermKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
                let ((m, r), (n, s)) = (self.even_stride(a), self.even_stride(b));
                let k = m.min(n);
                let value = match op {
                    BinOp::Add => r.wrapping_add(s),
                    BinOp::Sub => r.wrapping_sub(s),
                    _ => {
                        // (m·x + r)·(n·y + s): powers of two that divide the factors multiply.
                        let zeros = |step: u64, rest: u64| {
                            if rest == 0 {
                                step
                            } else {
                                1 << rest.trailing_zeros().min(step.trailing_zeros())
                            }
                        };
                        let product = zeros(m, r).saturating_mul(zeros(n, s)).min(1 << 32);
                        if product > k {
                            return (product, 0);
                        }
                        r.wrapping_mul(s)
                    }
                };
                (k, value % k)
            }
            TermKind::Ite(_, a, b) => {
                let ((m, r), (n, s)) = (self.even_stride(a), self.even_stride(b));
                let mut k = m.min(n);
                while k > 1 && r % k != s % k {
                    k /= 2;
                }
                (k, r % k)
            }
            _ => (1, 0),
        }
    }

    /// The same, with a power of two.
    fn even_stride(&mut self, t: Term) -> (u64, u64) {
        let (n, r) = self.stride(t);
        let even = 1 << n.trailing_zeros();
        (even, r % even)
    }

    /// An index times a scale that is no power of two, where the index is narrow enough for the product never to wrap.
    fn is_exact_product(&self, index: Term, scale: Term) -> bool {
        let terms = &self.out.terms;
        let Some(scale) = terms.as_const(scale).filter(|s| !s.is_power_of_two() && *s < 1 << 31) else {
            return false;
        };
        let bits = match terms.kind(index) {
            TermKind::SignExtend(narrow, _) => terms.width(narrow).bits(),
            TermKind::Concat(high, low) if terms.as_const(high) == Some(0) => terms.width(low).bits() + 1,
            _ => return false,
        };
        index_bits(terms.width(index), scale).is_some_and(|most| bits <= most)
    }

    /// The address of an element of an array. For an index so large that its offset might wrap, the result may be any
    /// number: to follow it is a limit. So no other offset wraps, and its remainder tells which member it is to.
    pub fn element(&mut self, state: &State, base: Term, index: Term, scale: u32) -> Term {
        let width = self.pointer_width();
        let index = self.out.terms.resize_signed(index, width);
        let (index, fits) = self.index_that_fits(index, scale);
        let scale = self.out.terms.constant(width, scale as u128);
        let offset = self.out.terms.binary(BinOp::Mul, index, scale);
        let sum = self.out.terms.add(base, offset);
        let address = self.keep_base(sum, base, offset);
        let wraps = self.out.terms.not(fits);
        if state.guard.excludes(&mut self.out.terms, wraps) {
            return address;
        }
        let any = self.out.terms.variable(width);
        self.values.set(any, Values::Any(Addresses { elsewhere: true, ..Addresses::default() }));
        let guard = self.out.terms.and(state.guard.term(), wraps);
        self.out.guesses.push(Guess { guard, gap: Gap::IndexOverflow, place: self.thread.place });
        self.out.terms.ite(fits, address, any)
    }

    /// The index if it is narrow enough for the product with the scale not to wrap, and the condition for that.
    fn index_that_fits(&mut self, index: Term, scale: u32) -> (Term, Term) {
        let always = (index, self.out.terms.bool(true));
        let width = self.pointer_width();
        if scale.is_power_of_two() || scale == 0 || self.cases(index).is_some() {
            return always;
        }
        let Some(narrow) = index_bits(width, scale as u128).and_then(Width::new) else { return always };
        let low = self.out.terms.extract(index, 0, narrow);
        let same = self.out.terms.sign_extend(low, width);
        (same, self.out.terms.eq(index, same))
    }
}

/// How many bits an index may have, with its sign, so that its product with the scale stays below a quarter of the
/// range.
fn index_bits(width: Width, scale: u128) -> Option<u32> {
    let scale_bits = 128 - scale.leading_zeros();
    (width.bits() - 1).checked_sub(scale_bits).filter(|b| *b > 1)
}
