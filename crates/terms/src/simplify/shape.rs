//! Taking bits apart and putting them together. Bytes that were split and joined again are the value they came from.

use crate::term::{Term, TermKind, Terms};
use crate::total;
use tp_ir::{BinOp, Width};

impl Terms {
    /// `high` above `low`. The sum of the widths has to be at most 128.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let low_width = self.width(low);
        let bits = self.width(high).bits() + low_width.bits();
        debug_assert!(bits <= Width::MAX.bits());
        let Some(width) = Width::new(bits) else { return low };
        if let Some(t) = self.join(high, low) {
            return t;
        }
        // Nested to the right, so that neighbours can be joined.
        if let TermKind::Concat(a, b) = self.kind(high) {
            let low = self.concat(b, low);
            return self.concat(a, low);
        }
        if let TermKind::Concat(b, c) = self.kind(low)
            && let Some(ab) = self.join(high, b)
        {
            return self.concat(ab, c);
        }
        self.intern(TermKind::Concat(high, low), width)
    }

    /// The simpler term that two neighbours are together, if there is one.
    fn join(&mut self, high: Term, low: Term) -> Option<Term> {
        let width = Width::new(self.width(high).bits() + self.width(low).bits())?;
        if let (Some(x), Some(y)) = (self.as_const(high), self.as_const(low)) {
            return Some(self.constant(width, total::concat(x, y, self.width(low))));
        }
        match (self.kind(high), self.kind(low)) {
            (TermKind::Extract { of: a, low: i, .. }, TermKind::Extract { of: b, low: j, width: w })
                if a == b && i as u32 == j as u32 + w.bits() =>
            {
                Some(self.extract(a, j as u32, width))
            }
            _ => None,
        }
    }

    /// `width` bits of `a` from bit `low` on; they have to lie inside `a`.
    pub fn extract(&mut self, a: Term, low: u32, width: Width) -> Term {
        let of_width = self.width(a);
        debug_assert!(low + width.bits() <= of_width.bits());
        if width == of_width {
            return a;
        }
        match self.kind(a) {
            TermKind::Const(_, bits) => self.constant(width, total::extract(bits.value(), low, width)),
            TermKind::Extract { of, low: below, .. } => self.extract(of, below as u32 + low, width),
            TermKind::Concat(x, y) => self.extract_of_concat(x, y, low, width),
            TermKind::SignExtend(x, _) => self.extract_of_sign_extended(x, low, width),
            TermKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), x, y)
                if low == 0 && self.is_widened(x, width) && self.is_widened(y, width) =>
            {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.binary(op, x, y)
            }
            _ => match self.over_leaves(a, |x| total::extract(x, low, width), width) {
                Some(t) => t,
                None => self.intern(TermKind::Extract { of: a, low: low as u8, width }, width),
            },
        }
    }

    /// Whether the low `width` bits of `t` are a term that is not extracted from a wider operation. An operation on
    /// extracted bits could be a second computation beside the wide one.
    fn is_widened(&self, t: Term, width: Width) -> bool {
        match self.kind(t) {
            TermKind::Const(..) => true,
            TermKind::SignExtend(x, _) => self.width(x) <= width,
            TermKind::Concat(high, low) => {
                let inner = self.width(low);
                inner == width || inner < width && self.as_const(high).is_some()
            }
            _ => false,
        }
    }

    fn extract_of_concat(&mut self, high: Term, low_part: Term, low: u32, width: Width) -> Term {
        let cut = self.width(low_part).bits();
        let end = low + width.bits();
        if end <= cut {
            return self.extract(low_part, low, width);
        }
        if low >= cut {
            return self.extract(high, low - cut, width);
        }
        match (Width::new(end - cut), Width::new(cut - low)) {
            (Some(above), Some(below)) => {
                let x = self.extract(high, 0, above);
                let y = self.extract(low_part, low, below);
                self.concat(x, y)
            }
            // The range reaches into both parts, so neither width is zero.
            _ => low_part,
        }
    }

    fn extract_of_sign_extended(&mut self, x: Term, low: u32, width: Width) -> Term {
        let inner = self.width(x).bits();
        if low + width.bits() <= inner {
            return self.extract(x, low, width);
        }
        let low = low.min(inner - 1);
        match Width::new(inner - low) {
            Some(rest) => {
                let part = self.extract(x, low, rest);
                self.sign_extend(part, width)
            }
            None => x,
        }
    }

    /// The low bits of `a`, or `a` with zeros above it.
    pub fn resize_unsigned(&mut self, a: Term, to: Width) -> Term {
        let from = self.width(a);
        if to <= from { self.extract(a, 0, to) } else { self.zero_extend(a, to) }
    }

    /// The low bits of `a`, or `a` with copies of its sign above it.
    pub fn resize_signed(&mut self, a: Term, to: Width) -> Term {
        let from = self.width(a);
        if to <= from { self.extract(a, 0, to) } else { self.sign_extend(a, to) }
    }

    /// `a` with zeros above it; `to` has to be at least its width.
    pub fn zero_extend(&mut self, a: Term, to: Width) -> Term {
        debug_assert!(to >= self.width(a));
        match Width::new(to.bits().saturating_sub(self.width(a).bits())) {
            Some(above) => {
                let zero = self.zero(above);
                self.concat(zero, a)
            }
            None => a,
        }
    }

    /// `a` with copies of its sign above it; `to` has to be at least its width.
    pub fn sign_extend(&mut self, a: Term, to: Width) -> Term {
        let from = self.width(a);
        debug_assert!(to >= from);
        if from == to {
            return a;
        }
        match self.kind(a) {
            TermKind::Const(_, bits) => self.constant(to, total::extend_sign(bits.value(), from, to)),
            TermKind::SignExtend(x, _) => self.sign_extend(x, to),
            TermKind::Concat(high, low) if self.as_const(high).is_some() => {
                match Width::new(to.bits() - self.width(low).bits()) {
                    Some(above) => {
                        let high = self.sign_extend(high, above);
                        self.concat(high, low)
                    }
                    None => a,
                }
            }
            _ => match self.over_leaves(a, |x| total::extend_sign(x, from, to), to) {
                Some(t) => t,
                None => self.intern(TermKind::SignExtend(a, to), to),
            },
        }
    }
}
