//! Arithmetic on terms. Operators mean what `tp_ir::eval` computes, which the folding of terms calls.

use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::*;
use tp_ir::rules::{self, Breaks};
use tp_ir::{BinOp, CastOp, Property, RmwOp, RmwValue, Type, Width, eval};

impl Pass<'_> {
    /// Claims that an operation breaks no rule of C that is checked. `None`: it always breaks one.
    pub fn claim_arithmetic(
        &mut self,
        state: &mut State,
        how: (BinOp, Width, bool),
        (a, b): (Term, Term),
    ) -> Alive<()> {
        for property in rules::ARITHMETIC {
            if !self.config.checks.has(property) && !property.ends_execution() {
                continue;
            }
            match rules::breaks(&mut self.out.terms, property, how, a, b) {
                Breaks::Never => {}
                Breaks::If(breaks) => {
                    let keeps = self.out.terms.not(breaks);
                    if self.claim(state, property, keeps)?.is_none() {
                        return Ok(None);
                    }
                }
                Breaks::TooWide => self.limit(state, LimitKind::Gap(Gap::WideProduct)),
            }
        }
        Ok(Some(()))
    }

    /// An operation, with the result that the machine gives after an unchecked error.
    pub fn binary(&mut self, op: BinOp, width: Width, a: Term, b: Term) -> Term {
        let terms = &mut self.out.terms;
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                let zero = terms.constant(width, 0);
                let by_zero = terms.eq(b, zero);
                let quotient = terms.binary(op, a, b);
                let mut result = terms.ite(by_zero, zero, quotient);
                if matches!(op, BinOp::SDiv | BinOp::SRem) && width.bits() > 1 {
                    let least = terms.constant(width, 1 << (width.bits() - 1));
                    let ones = terms.constant(width, u128::MAX);
                    let (x, y) = (terms.eq(a, least), terms.eq(b, ones));
                    let overflows = terms.and(x, y);
                    let then = if op == BinOp::SDiv { a } else { zero };
                    result = terms.ite(overflows, then, result);
                }
                result
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let bits = width.bits();
                let by = if bits.is_power_of_two() {
                    let mask = terms.constant(width, bits as u128 - 1);
                    terms.binary(BinOp::And, b, mask)
                } else {
                    let size = terms.constant(width, bits as u128);
                    terms.binary(BinOp::URem, b, size)
                };
                terms.binary(op, a, by)
            }
            _ => terms.binary(op, a, b),
        }
    }

    pub fn cast(&mut self, state: &mut State, op: CastOp, from: Type, to: Type, a: Term) -> Alive<Term> {
        let data = self.program.data_model;
        let (from_width, to_width) = (from.width(data), to.width(data));
        let terms = &mut self.out.terms;
        Ok(Some(match op {
            CastOp::Trunc => terms.extract(a, 0, to_width),
            CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
                terms.resize_unsigned(a, to_width)
            }
            CastOp::SExt => terms.sign_extend(a, to_width),
            CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat => {
                let cast = |v: u128| eval::cast(op, (from, from_width), (to, to_width), v);
                let fits = self.float(state, &[a], Width::BOOL, &|v| cast(v[0]).is_ok() as u128)?;
                let Some(fits) = fits else { return Ok(None) };
                if self.claim(state, Property::FloatConversion, fits)?.is_none() {
                    return Ok(None);
                }
                let f = |v: &[u128]| cast(v[0]).unwrap_or_else(|_| eval::cast_after_error(to_width));
                return self.float(state, &[a], to_width, &f);
            }
        }))
    }

    /// An operation on floats. Only constants and choices between few of them can be expressed.
    pub fn float(
        &mut self,
        state: &State,
        operands: &[Term],
        width: Width,
        f: &dyn Fn(&[u128]) -> u128,
    ) -> Alive<Term> {
        let mut cases: Vec<(Term, Vec<u128>)> = vec![(self.out_true(), Vec::new())];
        for &operand in operands {
            let Some(values) = self.cases(operand).filter(|v| v.len() * cases.len() <= 64) else {
                self.limit(state, LimitKind::Gap(Gap::FloatArithmetic));
                return Ok(None);
            };
            let mut next = Vec::new();
            for (condition, before) in &cases {
                for (c, v) in values.iter() {
                    let both = self.out.terms.and(*condition, *c);
                    next.push((both, before.iter().copied().chain([*v]).collect()));
                }
            }
            cases = next;
        }
        let mut result = None;
        for (condition, values) in cases {
            let value = self.out.terms.constant(width, f(&values));
            result = Some(match result {
                Some(rest) => self.out.terms.ite(condition, value, rest),
                None => value,
            });
        }
        Ok(result)
    }

    pub fn rmw_value(&mut self, state: &State, op: RmwOp, ty: Type, old: Term, value: Term) -> Alive<Term> {
        Ok(Some(match op.value() {
            RmwValue::Operand => value,
            RmwValue::Binary(op) => self.out.terms.binary(op, old, value),
            RmwValue::Complement(op) => {
                let result = self.out.terms.binary(op, old, value);
                self.out.terms.not(result)
            }
            RmwValue::OldIf(cmp) => {
                let keep = self.out.terms.compare(cmp, old, value);
                self.out.terms.ite(keep, old, value)
            }
            RmwValue::Float(_) => {
                let width = ty.width(self.program.data_model);
                let f = |v: &[u128]| eval::rmw::<u128>(op, ty, width, v[0], v[1]);
                return self.float(state, &[old, value], width, &f);
            }
        }))
    }
}
