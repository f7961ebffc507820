//! Inputs as unknowns: how values were computed from them, and what was decided by such values.
//!
//! A run has concrete values throughout. When inputs are followed, a value that depends on some of them also has a symbol: the
//! term that it is the value of. Wherever such a value decides something (which way a branch goes, which address is
//! accessed), that is noted. Whoever gives other inputs for which every decision is the same gets the same run.
//!
//! A term is kept once. Terms are never forgotten: the same ones come again in the next run.

use crate::decide::Source;
use crate::trace::ThreadNumber;
use std::collections::{HashMap, HashSet};
use tp_ir::rules::{self, Breaks};
use tp_ir::{BinOp, CmpOp, FuncId, Width, eval};

/// A term of `Symbols`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(u32);

impl Symbol {
    pub(crate) fn from_number(number: u32) -> Symbol {
        Symbol(number)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// For tables; terms are numbered from 0, the parts of one before it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// An unknown: one for each function of `Symbols::of_functions`, then `Symbols::inputs`.
    Input(u32),
    Constant(u64),
    /// The result has the width of both.
    Binary(BinOp, Symbol, Symbol),
    /// The result has one bit.
    Compare(CmpOp, Symbol, Symbol),
    /// To a smaller width.
    Truncate(Symbol),
    /// To a larger width.
    ZeroExtend(Symbol),
    SignExtend(Symbol),
    Select(Symbol, Symbol, Symbol),
    /// Eight bits from this one on.
    Byte(Symbol, u32),
    /// The second above the first.
    Join(Symbol, Symbol),
}

/// An input that is the same one in every run: what it is for, and for whom.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct InputKey {
    thread: ThreadNumber,
    source: Source,
}

impl InputKey {
    pub fn new(thread: ThreadNumber, source: Source) -> InputKey {
        // Other sources say themselves whose they are.
        let own = matches!(source, Source::Call { .. } | Source::Register { .. });
        InputKey { thread: if own { thread } else { 0 }, source }
    }
}

/// The term had this value, and something depended on it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    pub symbol: Symbol,
    pub value: u64,
}

/// More terms than this are not kept: a value that would need one decides instead.
const MOST_TERMS: usize = 1 << 22;

#[derive(Default)]
pub struct Symbols {
    terms: Vec<(Term, Width)>,
    known: HashMap<(Term, Width), Symbol>,
    inputs: Vec<(InputKey, Symbol)>,
    /// Functions of which nobody knows what they do, and what stands for all that they could have written.
    functions: Vec<(FuncId, Symbol)>,
    /// Those of them that could have freed something of the heap, or kept its address.
    had_heap: Vec<FuncId>,
    decisions: Vec<Decision>,
    decided: HashSet<Decision>,
}

impl Symbols {
    /// What these functions could have written is followed.
    pub fn of_functions(functions: impl Iterator<Item = FuncId>) -> Symbols {
        let mut symbols = Symbols::default();
        for function in functions {
            let symbol = symbols.make(Term::Input(symbols.functions.len() as u32), Width::W8);
            symbols.functions.push((function, symbol));
        }
        symbols
    }

    /// The functions that could have freed something of the heap, or kept its address.
    pub fn had_heap(&self) -> &[FuncId] {
        &self.had_heap
    }

    pub(crate) fn note_heap(&mut self, function: FuncId) {
        if !self.had_heap.contains(&function) {
            self.had_heap.push(function);
        }
    }

    pub(crate) fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    pub(crate) fn stands_for(&self, function: FuncId) -> Option<Symbol> {
        self.functions.iter().find(|(f, _)| *f == function).map(|(_, symbol)| *symbol)
    }

    pub(crate) fn is_of_function(&self, symbol: Symbol) -> bool {
        self.functions.iter().any(|(_, s)| *s == symbol)
    }

    /// The term and the width of its value.
    pub fn term(&self, symbol: Symbol) -> (Term, Width) {
        self.terms[symbol.index()]
    }

    /// By its number.
    pub fn nth(&self, number: usize) -> Option<Symbol> {
        (number < self.terms.len()).then_some(Symbol(number as u32))
    }

    pub fn width(&self, symbol: Symbol) -> Width {
        self.term(symbol).1
    }

    /// The unknowns that were asked for, in the order of their numbers.
    pub fn inputs(&self) -> &[(InputKey, Symbol)] {
        &self.inputs
    }

    /// What was decided since this was asked for last, each decision once.
    pub fn take_decisions(&mut self) -> Vec<Decision> {
        self.decided.clear();
        std::mem::take(&mut self.decisions)
    }

    pub(crate) fn decide(&mut self, symbol: Symbol, value: u64) {
        let decision = Decision { symbol, value };
        if self.decided.insert(decision) {
            self.decisions.push(decision);
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.terms.len() >= MOST_TERMS
    }

    fn make(&mut self, term: Term, width: Width) -> Symbol {
        if let Some(&symbol) = self.known.get(&(term, width)) {
            return symbol;
        }
        let symbol = Symbol(self.terms.len() as u32);
        self.terms.push((term, width));
        self.known.insert((term, width), symbol);
        symbol
    }

    pub(crate) fn input(&mut self, key: InputKey, width: Width) -> Symbol {
        match self.inputs.iter().find(|(k, s)| *k == key && self.width(*s) == width) {
            Some((_, symbol)) => *symbol,
            None => {
                let symbol = self.make(Term::Input((self.functions.len() + self.inputs.len()) as u32), width);
                self.inputs.push((key, symbol));
                symbol
            }
        }
    }

    pub(crate) fn constant(&mut self, width: Width, value: u64) -> Symbol {
        self.make(Term::Constant(eval::truncate(value, width)), width)
    }

    pub(crate) fn binary(&mut self, op: BinOp, a: Symbol, b: Symbol) -> Symbol {
        let width = self.width(a);
        self.make(Term::Binary(op, a, b), width)
    }

    pub(crate) fn compare(&mut self, op: CmpOp, a: Symbol, b: Symbol) -> Symbol {
        self.make(Term::Compare(op, a, b), Width::BOOL)
    }

    pub(crate) fn select(&mut self, cond: Symbol, a: Symbol, b: Symbol) -> Symbol {
        let width = self.width(a);
        self.make(Term::Select(cond, a, b), width)
    }

    /// The value in another width.
    pub(crate) fn resize(&mut self, a: Symbol, to: Width, signed: bool) -> Symbol {
        let from = self.width(a);
        if let Term::ZeroExtend(inner) | Term::SignExtend(inner) = self.term(a).0
            && self.width(inner) == to
        {
            return inner;
        }
        match from.bits().cmp(&to.bits()) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.make(Term::Truncate(a), to),
            std::cmp::Ordering::Less if signed => self.make(Term::SignExtend(a), to),
            std::cmp::Ordering::Less => self.make(Term::ZeroExtend(a), to),
        }
    }

    pub(crate) fn byte(&mut self, a: Symbol, number: u32) -> Symbol {
        if number == 0 && self.width(a) == Width::W8 {
            a
        } else {
            self.make(Term::Byte(a, number), Width::W8)
        }
    }

    pub(crate) fn join(&mut self, low: Symbol, high: Symbol) -> Symbol {
        let bits = self.width(low).bits() + self.width(high).bits();
        match Width::new(bits) {
            Some(width) => self.make(Term::Join(low, high), width),
            // Nothing of this size is read at once.
            None => low,
        }
    }

    /// Whether the operation breaks a rule of C, as `eval::binary` says it; none if that does not depend on inputs.
    pub(crate) fn fails(&mut self, op: BinOp, a: Symbol, b: Symbol, checked: bool) -> Option<Symbol> {
        let how = (op, self.width(a), checked);
        let mut any = None;
        for property in rules::ARITHMETIC {
            if let Breaks::If(breaks) = rules::breaks(self, property, how, a, b)
                && !self.is_constant(breaks)
            {
                any = Some(any.map_or(breaks, |other| self.binary(BinOp::Or, other, breaks)));
            }
        }
        any
    }

    /// Whether it is one by its form.
    fn is_constant(&self, a: Symbol) -> bool {
        match self.term(a).0 {
            Term::Constant(_) => true,
            Term::Compare(_, a, b) => self.is_constant(a) && self.is_constant(b),
            _ => false,
        }
    }
}

impl rules::Terms for Symbols {
    type Term = Symbol;

    fn constant(&mut self, width: Width, value: u128) -> Symbol {
        Symbols::constant(self, width, value as u64)
    }

    fn binary(&mut self, op: BinOp, a: Symbol, b: Symbol) -> Symbol {
        Symbols::binary(self, op, a, b)
    }

    fn compare(&mut self, op: CmpOp, a: Symbol, b: Symbol) -> Symbol {
        Symbols::compare(self, op, a, b)
    }

    fn sign_extend(&mut self, a: Symbol, to: Width) -> Symbol {
        self.resize(a, to, true)
    }
}
