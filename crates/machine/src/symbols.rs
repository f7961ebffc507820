//! Symbolic inputs: how values were computed from them, and what such values decided.
//!
//! A run has concrete values throughout. When inputs are followed, a value that depends on them also has a term.
//! Wherever such a value decides something (the direction of a branch, the address of an access), a path constraint is
//! noted. Any inputs for which all constraints hold give the same run.
//!
//! Terms are never dropped: the next run makes the same ones again.

use crate::decide::InputSource;
use crate::trace::ThreadNumber;
use std::collections::{HashMap, HashSet};
use tp_ir::rules::{self, Breaks};
use tp_ir::{BinOp, FuncId, Width};
use tp_terms::{Term, TermKind, Terms, VarId};

/// Identifies an input in all runs: what it is for, and in which thread.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct InputKey {
    thread: ThreadNumber,
    source: InputSource,
}

impl InputKey {
    pub fn new(thread: ThreadNumber, source: InputSource) -> InputKey {
        // Other sources do not depend on the thread that asks.
        let own = matches!(source, InputSource::Call { .. } | InputSource::Register { .. });
        InputKey { thread: if own { thread } else { 0 }, source }
    }
}

/// The term had this value, and something depended on it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct PathConstraint {
    pub term: Term,
    pub value: u64,
}

/// What an unknown stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SymbolOrigin {
    /// One of `Symbols::inputs`, by its index.
    Input(usize),
    /// What this function could have written.
    WrittenBy(FuncId),
}

/// The most terms that are kept: a value that would need another decides instead.
const MAX_TERMS: usize = 1 << 22;

#[derive(Default)]
pub struct Symbols {
    terms: Terms,
    /// By the number of the variable.
    unknowns: Vec<SymbolOrigin>,
    inputs: Vec<(InputKey, Term)>,
    /// The same, by key and width.
    known: HashMap<(InputKey, Width), Term>,
    /// Unknown functions, each with the mark on the bytes that it could have written.
    functions: Vec<(FuncId, Term)>,
    /// Those of them that could have freed heap memory, or kept its address.
    had_heap: Vec<FuncId>,
    constraints: Vec<PathConstraint>,
    noted: HashSet<PathConstraint>,
}

impl Symbols {
    /// What these functions could have written is followed.
    pub fn of_functions(functions: impl Iterator<Item = FuncId>) -> Symbols {
        let mut symbols = Symbols::default();
        for function in functions {
            let mark = symbols.unknown(SymbolOrigin::WrittenBy(function), Width::W8);
            symbols.functions.push((function, mark));
        }
        symbols
    }

    fn unknown(&mut self, unknown: SymbolOrigin, width: Width) -> Term {
        self.unknowns.push(unknown);
        self.terms.variable(width)
    }

    /// The unknown functions that could have freed heap memory, or kept its address.
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

    /// The mark on bytes that this function could have written; `None` if it is no unknown function.
    pub(crate) fn mark_of(&self, function: FuncId) -> Option<Term> {
        self.functions.iter().find(|(f, _)| *f == function).map(|(_, mark)| *mark)
    }

    pub(crate) fn is_mark(&self, term: Term) -> bool {
        self.functions.iter().any(|(_, mark)| *mark == term)
    }

    /// A variable for bytes that an unknown function could have written, not a term computed from one.
    pub(crate) fn is_written_by_unknown(&self, term: Term) -> bool {
        match self.terms.kind(term) {
            TermKind::Var(variable) => matches!(self.stands_for(variable), SymbolOrigin::WrittenBy(_)),
            _ => false,
        }
    }

    /// A fresh variable for a marked byte: bytes with the same mark can have different values.
    pub(crate) fn value_of_mark(&mut self, mark: Term) -> Term {
        match self.terms.kind(mark) {
            TermKind::Var(variable) => self.unknown(self.stands_for(variable), Width::W8),
            _ => mark,
        }
    }

    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(crate) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// That a constraint does not hold.
    pub fn broken(&mut self, PathConstraint { term, value }: PathConstraint) -> Term {
        let value = self.terms.constant(self.terms.width(term), value.into());
        self.terms.ne(term, value)
    }

    /// What a variable of the terms stands for.
    pub fn stands_for(&self, variable: VarId) -> SymbolOrigin {
        self.unknowns[variable.index()]
    }

    /// The inputs that were asked for, in that order.
    pub fn inputs(&self) -> &[(InputKey, Term)] {
        &self.inputs
    }

    /// The constraints noted since the last call, each once.
    pub fn take_constraints(&mut self) -> Vec<PathConstraint> {
        self.noted.clear();
        std::mem::take(&mut self.constraints)
    }

    pub(crate) fn decide(&mut self, term: Term, value: u64) {
        let constraint = PathConstraint { term, value };
        if self.terms.as_const(term).is_none() && self.noted.insert(constraint) {
            self.constraints.push(constraint);
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.terms.len() >= MAX_TERMS
    }

    pub(crate) fn input(&mut self, key: InputKey, width: Width) -> Term {
        if let Some(term) = self.known.get(&(key, width)) {
            return *term;
        }
        let term = self.unknown(SymbolOrigin::Input(self.inputs.len()), width);
        self.inputs.push((key, term));
        self.known.insert((key, width), term);
        term
    }

    /// The value in another width.
    pub(crate) fn resize(&mut self, a: Term, to: Width, signed: bool) -> Term {
        match self.terms.width(a).bits().cmp(&to.bits()) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.terms.extract(a, 0, to),
            std::cmp::Ordering::Less if signed => self.terms.sign_extend(a, to),
            std::cmp::Ordering::Less => self.terms.zero_extend(a, to),
        }
    }

    pub(crate) fn byte(&mut self, a: Term, number: u32) -> Term {
        self.terms.extract(a, 8 * number, Width::W8)
    }

    /// Whether the operation breaks a rule of C, as `eval::binary` says; `None` if that does not depend on inputs.
    pub(crate) fn fails(&mut self, op: BinOp, a: Term, b: Term, checked: bool) -> Option<Term> {
        let how = (op, self.terms.width(a), checked);
        let mut any = None;
        for property in rules::ARITHMETIC {
            if let Breaks::If(breaks) = rules::breaks(&mut self.terms, property, how, a, b)
                && self.terms.as_const(breaks).is_none()
            {
                any = Some(any.map_or(breaks, |other| self.terms.or(other, breaks)));
            }
        }
        any
    }
}
