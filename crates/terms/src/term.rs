//! Terms over bit-vectors, each stored once.
//!
//! A term is a handle into an arena; equal terms have equal handles, and the parts of a term were made before it. Truth
//! values are bit-vectors of one bit, as in the IR, so there is one set of rules for both.
//!
//! Terms are made by the functions in `simplify`, which bring them to a normal form: constants are folded, *or* is the
//! negation of an *and* of negations, `a <= b` is the negation of `b < a`, zero extension is a concatenation with zero,
//! and a shift by a constant is an extracted part, extended or concatenated with zero. So `TermKind` has fewer cases
//! than there are operations.
//!
//! Every operator is total here (see `total`). The caller that builds a division or a shift also makes the check that C
//! requires.

use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;
use tp_ir::{BinOp, CmpOp, Width};

/// A term in an arena.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// Its index in the arena. The parts of a term have smaller ones.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The index as a `u32`, for packed representations; `from_number` is the inverse.
    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }

    #[inline]
    pub fn from_number(number: u32) -> Term {
        Term(number)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// An unknown of the formula, numbered from 0 in the order of creation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(u32);

impl VarId {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a constant, in four words so that a node is not aligned to 16 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bits([u32; 4]);

impl Bits {
    fn new(v: u128) -> Bits {
        Bits([v as u32, (v >> 32) as u32, (v >> 64) as u32, (v >> 96) as u32])
    }

    pub fn value(self) -> u128 {
        self.0.iter().rev().fold(0, |v, &word| v << 32 | word as u128)
    }
}

/// The relations that the others are expressed with.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Eq,
    Ult,
    Slt,
}

/// What a term is, one level deep.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermKind {
    Const(Width, Bits),
    Var(VarId),
    Not(Term),
    /// Every operation but `Or`; a commutative one has its operands in order, a constant last.
    Binary(BinOp, Term, Term),
    Compare(Relation, Term, Term),
    /// The condition, then the value if it holds, then the value if not.
    Ite(Term, Term, Term),
    /// The high part, then the low part.
    Concat(Term, Term),
    /// `width` bits from bit `low` on.
    Extract {
        of: Term,
        low: u8,
        width: Width,
    },
    SignExtend(Term, Width),
}

impl TermKind {
    /// The terms it is made of.
    pub fn parts(self) -> impl Iterator<Item = Term> {
        let parts = match self {
            TermKind::Const(..) | TermKind::Var(_) => [None; 3],
            TermKind::Not(a) | TermKind::Extract { of: a, .. } | TermKind::SignExtend(a, _) => {
                [Some(a), None, None]
            }
            TermKind::Binary(_, a, b) | TermKind::Compare(_, a, b) | TermKind::Concat(a, b) => {
                [Some(a), Some(b), None]
            }
            TermKind::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        parts.into_iter().flatten()
    }
}

/// The arena. It may extend another one, whose terms it then contains; several arenas can extend the same one.
#[derive(Clone)]
pub struct Terms {
    below: Option<Arc<Terms>>,
    /// How many terms are below.
    first: usize,
    nodes: Vec<TermKind>,
    widths: Vec<Width>,
    known: FxHashMap<TermKind, Term>,
    variables: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        Terms {
            below: None,
            first: 0,
            nodes: Vec::new(),
            widths: Vec::new(),
            known: FxHashMap::default(),
            variables: 0,
        }
    }

    /// An arena that begins with all terms of another one.
    pub fn over(below: Arc<Terms>) -> Terms {
        Terms { first: below.len(), variables: below.variables, below: Some(below), ..Terms::new() }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.first + self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn kind(&self, t: Term) -> TermKind {
        match &self.below {
            Some(below) if t.index() < self.first => below.kind(t),
            _ => self.nodes[t.index() - self.first],
        }
    }

    #[inline]
    pub fn width(&self, t: Term) -> Width {
        match &self.below {
            Some(below) if t.index() < self.first => below.width(t),
            _ => self.widths[t.index() - self.first],
        }
    }

    fn find(&self, node: &TermKind) -> Option<Term> {
        let below = self.below.as_ref().and_then(|below| below.find(node));
        below.or_else(|| self.known.get(node).copied())
    }

    /// The value of a constant term.
    #[inline]
    pub fn as_const(&self, t: Term) -> Option<u128> {
        match self.kind(t) {
            TermKind::Const(_, bits) => Some(bits.value()),
            _ => None,
        }
    }

    /// A constant; bits of `value` above the width are ignored.
    pub fn constant(&mut self, width: Width, value: u128) -> Term {
        let value = tp_ir::eval::truncate(value, width);
        self.intern(TermKind::Const(width, Bits::new(value)), width)
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Width::BOOL, value as u128)
    }

    /// A new unknown.
    pub fn variable(&mut self, width: Width) -> Term {
        let var = VarId(self.variables);
        self.variables += 1;
        self.intern(TermKind::Var(var), width)
    }

    /// The term of this node, which has to be in normal form.
    pub(crate) fn intern(&mut self, node: TermKind, width: Width) -> Term {
        if let Some(t) = self.find(&node) {
            return t;
        }
        let index = u32::try_from(self.len()).expect("memory ends before 2^32 terms are made");
        let t = Term(index);
        self.nodes.push(node);
        self.widths.push(width);
        self.known.insert(node, t);
        t
    }
}

impl tp_ir::rules::TermBuilder for Terms {
    type Term = Term;

    fn constant(&mut self, width: Width, value: u128) -> Term {
        Terms::constant(self, width, value)
    }

    fn binary(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        Terms::binary(self, op, a, b)
    }

    fn compare(&mut self, op: CmpOp, a: Term, b: Term) -> Term {
        Terms::compare(self, op, a, b)
    }

    fn sign_extend(&mut self, a: Term, to: Width) -> Term {
        Terms::sign_extend(self, a, to)
    }
}
