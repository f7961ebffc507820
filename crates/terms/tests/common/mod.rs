//! Random expressions: a tree that is evaluated directly, from the IR's own definitions, and made into a term.
#![allow(dead_code)] // each test uses its part

use fastrand::Rng;
use threadproof_terms::{Term, Terms};
use tp_ir::eval::{self, mask, sign_extend, truncate};
use tp_ir::{BinOp, CmpOp, Width};

pub const COMPARE: [CmpOp; 10] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Ult,
    CmpOp::Ule,
    CmpOp::Ugt,
    CmpOp::Uge,
    CmpOp::Slt,
    CmpOp::Sle,
    CmpOp::Sgt,
    CmpOp::Sge,
];

pub fn w(bits: u32) -> Width {
    Width::new(bits).unwrap()
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(Width, u128),
    Var(Width, usize),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    Concat(Box<Expr>, Box<Expr>),
    Extract(Box<Expr>, u32, Width),
    ZeroExtend(Box<Expr>, Width),
    SignExtend(Box<Expr>, Width),
}

/// An operation, with the value that terms give it where the IR calls it an error.
pub fn total(op: BinOp, width: Width, a: u128, b: u128) -> u128 {
    let least = 1u128 << (width.bits() - 1);
    let sign = a >= least;
    match op {
        BinOp::UDiv if b == 0 => mask(width),
        BinOp::SDiv if b == 0 => {
            if sign {
                1
            } else {
                mask(width)
            }
        }
        BinOp::URem | BinOp::SRem if b == 0 => a,
        BinOp::SDiv if a == least && b == mask(width) => least,
        BinOp::SRem if a == least && b == mask(width) => 0,
        BinOp::Shl | BinOp::LShr if b >= width.bits() as u128 => 0,
        BinOp::AShr if b >= width.bits() as u128 => {
            if sign {
                mask(width)
            } else {
                0
            }
        }
        _ => eval::binary(op, width, a, b, false).unwrap(),
    }
}

impl Expr {
    pub fn width(&self) -> Width {
        match self {
            Expr::Const(w, _) | Expr::Var(w, _) => *w,
            Expr::Extract(_, _, w) | Expr::ZeroExtend(_, w) | Expr::SignExtend(_, w) => *w,
            Expr::Not(a) | Expr::Neg(a) | Expr::Binary(_, a, _) | Expr::Ite(_, a, _) => a.width(),
            Expr::Compare(..) => Width::BOOL,
            Expr::Concat(a, b) => w(a.width().bits() + b.width().bits()),
        }
    }

    pub fn value(&self, vars: &[u128]) -> u128 {
        let width = self.width();
        match self {
            Expr::Const(_, v) => *v,
            Expr::Var(_, i) => vars[*i],
            Expr::Not(a) => truncate(!a.value(vars), width),
            Expr::Neg(a) => truncate(a.value(vars).wrapping_neg(), width),
            Expr::Binary(op, a, b) => total(*op, width, a.value(vars), b.value(vars)),
            Expr::Compare(op, a, b) => eval::compare(*op, a.width(), a.value(vars), b.value(vars)) as u128,
            Expr::Ite(c, a, b) => {
                if c.value(vars) == 1 {
                    a.value(vars)
                } else {
                    b.value(vars)
                }
            }
            Expr::Concat(a, b) => a.value(vars) << b.width().bits() | b.value(vars),
            Expr::Extract(a, low, _) => truncate(a.value(vars) >> low, width),
            Expr::ZeroExtend(a, _) => a.value(vars),
            Expr::SignExtend(a, _) => truncate(sign_extend(a.value(vars), a.width()), width),
        }
    }

    pub fn term(&self, terms: &mut Terms, vars: &[Term]) -> Term {
        match self {
            Expr::Const(w, v) => terms.constant(*w, *v),
            Expr::Var(_, i) => vars[*i],
            Expr::Not(a) => {
                let a = a.term(terms, vars);
                terms.not(a)
            }
            Expr::Neg(a) => {
                let a = a.term(terms, vars);
                terms.neg(a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (a.term(terms, vars), b.term(terms, vars));
                terms.binary(*op, a, b)
            }
            Expr::Compare(op, a, b) => {
                let (a, b) = (a.term(terms, vars), b.term(terms, vars));
                terms.compare(*op, a, b)
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (c.term(terms, vars), a.term(terms, vars), b.term(terms, vars));
                terms.ite(c, a, b)
            }
            Expr::Concat(a, b) => {
                let (a, b) = (a.term(terms, vars), b.term(terms, vars));
                terms.concat(a, b)
            }
            Expr::Extract(a, low, w) => {
                let a = a.term(terms, vars);
                terms.extract(a, *low, *w)
            }
            Expr::ZeroExtend(a, w) => {
                let a = a.term(terms, vars);
                terms.zero_extend(a, *w)
            }
            Expr::SignExtend(a, w) => {
                let a = a.term(terms, vars);
                terms.sign_extend(a, *w)
            }
        }
    }
}

/// A source of random expressions over given variables. Subexpressions are reused, so that rules about equal parts
/// apply.
pub struct Source<'a> {
    pub rng: &'a mut Rng,
    pub vars: &'a [Width],
    /// Whether multiplications and divisions are made, which are slow to solve.
    pub hard: bool,
    seen: Vec<Expr>,
}

impl<'a> Source<'a> {
    pub fn new(rng: &'a mut Rng, vars: &'a [Width], hard: bool) -> Source<'a> {
        Source { rng, vars, hard, seen: Vec::new() }
    }

    /// Constants that matter to the rules are frequent.
    fn constant(&mut self, width: Width) -> Expr {
        let most: u128 = mask(width);
        let v = match self.rng.u8(0..9) {
            0 => 0,
            1 => 1,
            2 => most,
            3 => most >> 1,
            4 => (most >> 1) + 1,
            5 => 1 << self.rng.u32(0..width.bits()),
            6 => most >> self.rng.u32(0..width.bits()),
            _ => self.rng.u128(..),
        };
        Expr::Const(width, truncate(v, width))
    }

    fn leaf(&mut self, width: Width) -> Expr {
        let fitting: Vec<usize> = (0..self.vars.len()).filter(|&i| self.vars[i] == width).collect();
        if fitting.is_empty() || self.rng.u8(0..4) == 0 {
            if self.rng.bool() || self.vars.is_empty() {
                return self.constant(width);
            }
            // A variable of another width, made to fit.
            let i = self.rng.usize(0..self.vars.len());
            let var = Expr::Var(self.vars[i], i);
            return self.fit(var, width);
        }
        Expr::Var(width, fitting[self.rng.usize(0..fitting.len())])
    }

    fn fit(&mut self, e: Expr, width: Width) -> Expr {
        let from = e.width().bits();
        match from.cmp(&width.bits()) {
            std::cmp::Ordering::Equal => e,
            std::cmp::Ordering::Greater => {
                let low = self.rng.u32(0..=from - width.bits());
                Expr::Extract(Box::new(e), low, width)
            }
            std::cmp::Ordering::Less if self.rng.bool() => Expr::ZeroExtend(Box::new(e), width),
            std::cmp::Ordering::Less => Expr::SignExtend(Box::new(e), width),
        }
    }

    pub fn expr(&mut self, width: Width, depth: u32) -> Expr {
        if depth == 0 || self.rng.u8(0..10) == 0 {
            return self.leaf(width);
        }
        if self.rng.u8(0..5) == 0 {
            let same: Vec<Expr> = self.seen.iter().filter(|e| e.width() == width).cloned().collect();
            if !same.is_empty() {
                return same[self.rng.usize(0..same.len())].clone();
            }
        }
        let e = self.node(width, depth - 1);
        if self.seen.len() < 64 {
            self.seen.push(e.clone());
        }
        e
    }

    fn node(&mut self, width: Width, depth: u32) -> Expr {
        let bits = width.bits();
        let a = Box::new(self.expr(width, depth));
        match self.rng.u8(0..12) {
            0 => Expr::Not(a),
            1 => Expr::Neg(a),
            2 | 3 => {
                let c = self.expr(Width::BOOL, depth);
                Expr::Ite(Box::new(c), a, Box::new(self.expr(width, depth)))
            }
            4 if bits > 1 => {
                let low = self.rng.u32(1..bits);
                let (x, y) = (self.expr(w(bits - low), depth), self.expr(w(low), depth));
                Expr::Concat(Box::new(x), Box::new(y))
            }
            5 if bits < 120 => {
                let wide = w(bits + self.rng.u32(1..8));
                let x = self.expr(wide, depth);
                self.fit(x, width)
            }
            6 if bits > 1 => {
                let narrow = w(self.rng.u32(1..bits));
                let x = self.expr(narrow, depth);
                self.fit(x, width)
            }
            7 if bits == 1 => self.comparison(depth),
            8 if bits == 1 => self.comparison(depth),
            _ => {
                let op = loop {
                    let op = BinOp::ALL[self.rng.usize(0..BinOp::ALL.len())];
                    let hard =
                        matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
                    if self.hard || !hard {
                        break op;
                    }
                };
                Expr::Binary(op, a, Box::new(self.expr(width, depth)))
            }
        }
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let width = match self.vars.len() {
            0 => w(self.rng.u32(1..9)),
            n => self.vars[self.rng.usize(0..n)],
        };
        let op = COMPARE[self.rng.usize(0..COMPARE.len())];
        Expr::Compare(op, Box::new(self.expr(width, depth)), Box::new(self.expr(width, depth)))
    }
}
