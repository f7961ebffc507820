//! Concolic execution of followed inputs: the terms of values that depend on them, and where such values decide.
//!
//! Concrete results are computed as always; this file computes their terms. An operation that has no term, or whose
//! result does not depend on the inputs alone, is a decision: its operands are constrained to their concrete values,
//! and are plain numbers from there on.

use crate::machine::Machine;
use crate::memory::SymbolByte;
use crate::symbols::{InputKey, Symbols};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use crate::{InputRequest, InputSource};
use std::cell::RefMut;
use tp_ir::{BinOp, CmpOp, Operand, OperandKind, Property, RmwOp, Type, Width, eval};
use tp_terms::Term;

impl<'p> Machine<'p, '_> {
    fn symbols(&self) -> Option<RefMut<'_, Symbols>> {
        self.symbols.map(|symbols| symbols.borrow_mut())
    }

    /// The value as a plain number; if it has a term, the path constraint that the term has this value is noted.
    #[inline]
    pub(crate) fn decided(&self, v: Value) -> Value {
        match v.term() {
            None => v,
            Some(term) => {
                if let Some(mut symbols) = self.symbols() {
                    symbols.decide(term, v.bits);
                }
                Value::int(v.bits)
            }
        }
    }

    /// The input with a term, if `Inputs` wants it followed.
    pub(crate) fn followed(&mut self, request: &InputRequest<'_>, bits: u128) -> Option<Value> {
        let is_number = matches!(request.ty, Type::Int(_)) && request.width.bits() <= 64;
        let symbols = self.symbols?;
        if !is_number || request.source == InputSource::Output || !self.inputs.is_followed(request) {
            return None;
        }
        let key = InputKey::new(request.thread, request.source);
        Some(Value::symbolic(bits as u64, symbols.borrow_mut().input(key, request.width)))
    }

    /// Both operands as terms; `None` if one is not a number (an address, or unwritten), or there are too many terms.
    fn terms(&self, width: Width, x: Value, y: Value) -> Option<(RefMut<'_, Symbols>, Term, Term)> {
        let mut symbols = self.symbols().filter(|s| !s.is_full())?;
        let mut term = |v: Value| match v.term() {
            Some(term) => Some(symbols.resize(term, width, false)),
            None => v.is_plain().then(|| symbols.terms_mut().constant(width, v.bits.into())),
        };
        let (a, b) = (term(x)?, term(y)?);
        Some((symbols, a, b))
    }

    /// `None` if the result has no term, or the operation fails.
    pub(crate) fn binary_on_symbols(
        &self,
        (op, width, checked): (BinOp, Width, bool),
        x: Value,
        y: Value,
    ) -> Option<Value> {
        // An overflow that is not checked wraps.
        let checked = checked && self.config.checks.has(Property::Overflow);
        let result = eval::binary::<u64>(op, width, x.bits, y.bits, checked);
        let (mut symbols, a, b) = self.terms(width, x, y)?;
        // While it is traced what a run rests on, an operation that succeeded is no decision.
        let is_harmless = symbols.has_functions() && result.is_ok();
        if let Some(fails) = symbols.fails(op, a, b, checked).filter(|_| !is_harmless) {
            symbols.decide(fails, result.is_err() as u64);
        }
        let term = symbols.terms_mut().binary(op, a, b);
        Some(value_of(&symbols, result.ok()?, term))
    }

    pub(crate) fn compare(&self, op: CmpOp, width: Width, x: Value, y: Value) -> Value {
        let result = eval::compare::<u64>(op, width, x.bits, y.bits) as u64;
        if x.term().is_none() && y.term().is_none() {
            if let (Some(a), Some(b), false) = (x.object(), y.object(), matches!(op, CmpOp::Eq | CmpOp::Ne))
                && a != b
            {
                self.state.ordered.set(true);
            }
            return Value::int(result);
        }
        match self.terms(width, x, y) {
            Some((mut symbols, a, b)) => {
                let term = symbols.terms_mut().compare(op, a, b);
                value_of(&symbols, result, term)
            }
            None => {
                self.decided(x);
                self.decided(y);
                Value::int(result)
            }
        }
    }

    /// The value converted to another width, in which its bits are `bits`.
    pub(crate) fn resized(&self, v: Value, bits: u64, to: Width, signed: bool) -> Value {
        match (v.term(), self.symbols()) {
            (Some(term), Some(mut symbols)) if to.bits() <= 64 => {
                let term = symbols.resize(term, to, signed);
                value_of(&symbols, bits, term)
            }
            _ => Value::int(bits),
        }
    }

    /// One of two values, by a condition that depends on inputs. Only integers of at most 64 bits get a term.
    pub(crate) fn select(&self, t: &Thread<'p>, c: Value, a: Operand, b: Operand) -> Value {
        let (x, y) = (self.get(t, a), self.get(t, b));
        let chosen = if c.bits & 1 == 1 { x } else { y };
        let width = self.operand_width(t, a);
        let Some((cond, width)) = c.term().zip(width) else {
            self.decided(c);
            return chosen;
        };
        if let Some((mut symbols, a, b)) = self.terms(width, x, y) {
            let term = symbols.terms_mut().ite(cond, a, b);
            return value_of(&symbols, chosen.bits, term);
        }
        self.decided(c);
        chosen
    }

    fn operand_width(&self, t: &Thread<'p>, operand: Operand) -> Option<Width> {
        let ty = match operand.kind() {
            OperandKind::Reg(r) => t.frames.last()?.body.regs[r].ty,
            OperandKind::Const(c) => self.program.constants[c].ty(),
        };
        match ty {
            Type::Int(width) if width.bits() <= 64 => Some(width),
            _ => None,
        }
    }

    /// Whether a location has the value that a compare-exchange expects, which is a path constraint.
    pub(crate) fn is_expected(&mut self, r: ObjectRef, offset: u64, width: Width, expected: Value) -> bool {
        let (bits, _, _) = self.state.memory.read(r, offset, width.bytes() as u64);
        if width.bits() > 64 || !self.state.memory.has_symbols(r) && expected.term().is_none() {
            self.decided_bytes(r, offset, width.bytes() as u64);
            return eval::compare(CmpOp::Eq, width, bits, expected.wide(width));
        }
        let there = self.read_symbols(r, offset, eval::truncate(bits, width), width);
        self.decided(self.compare(CmpOp::Eq, width, there, expected)).bits == 1
    }

    /// The value that an atomic read-modify-write writes, if it has a term.
    pub(crate) fn rmw_on_symbols(&self, op: RmwOp, width: Width, old: Value, v: Value) -> Option<Value> {
        if old.term().is_none() && v.term().is_none() {
            return None;
        }
        self.binary_on_symbols((op.binary()?, width, false), old, v)
    }

    /// Notes the path constraints of a switch: which case is taken, not the exact value.
    pub(crate) fn switched(&self, v: Value, width: Width, cases: impl Iterator<Item = u128>) {
        if v.term().is_none() {
            return;
        }
        for case in cases {
            let Some((mut symbols, a, b)) = self.terms(width, v, Value::int(case as u64)) else {
                self.decided(v);
                return;
            };
            let is_case = v.bits == case as u64;
            let equal = symbols.terms_mut().eq(a, b);
            symbols.decide(equal, is_case as u64);
            if is_case {
                return;
            }
        }
    }

    /// The value of a read from an object some of whose bytes depend on inputs.
    pub(crate) fn read_symbols(&mut self, r: ObjectRef, offset: u64, bits: u128, width: Width) -> Value {
        let len = width.bytes();
        if width.bits() > 64 {
            self.decided_bytes(r, offset, len as u64);
            return Value::from_wide(bits, width);
        }
        if !(0..len).any(|i| self.state.memory.symbol_at(r, offset + i as u64).is_some()) {
            return Value::int(bits as u64);
        }
        self.name_marked(r, offset, len);
        self.join_bytes(r, offset, bits as u64, width)
    }

    /// A byte that an unknown function could have written gets a variable of its own at its first read, and keeps it.
    fn name_marked(&mut self, r: ObjectRef, offset: u64, len: u32) {
        let Some(symbols) = self.symbols else { return };
        let mut symbols = symbols.borrow_mut();
        for at in offset..offset + len as u64 {
            if let Some(SymbolByte { term, .. }) = self.state.memory.symbol_at(r, at)
                && symbols.is_mark(term)
                && !symbols.is_full()
            {
                let value = symbols.value_of_mark(term);
                self.state.memory.set_symbol(r, at, 1, value);
            }
        }
    }

    fn join_bytes(&self, r: ObjectRef, offset: u64, bits: u64, width: Width) -> Value {
        let Some(mut symbols) = self.symbols() else { return Value::int(bits) };
        let len = width.bytes();
        let byte_of = |i: u32| self.state.memory.symbol_at(r, offset + i as u64);
        if let Some(SymbolByte { term, byte: 0 }) = byte_of(0)
            && !symbols.is_mark(term)
            && symbols.terms().width(term).bits() == 8 * len
            && (1..len).all(|i| byte_of(i) == Some(SymbolByte { term, byte: i }))
        {
            let term = symbols.resize(term, width, false);
            return value_of(&symbols, bits, term);
        }
        let mut whole = None;
        for i in 0..len {
            let byte = match byte_of(i) {
                Some(SymbolByte { term, byte }) => symbols.byte(term, byte),
                None => symbols.terms_mut().constant(Width::W8, (bits >> (8 * i)).into()),
            };
            whole = Some(whole.map_or(byte, |low| symbols.terms_mut().concat(byte, low)));
        }
        match whole {
            Some(term) => {
                let term = symbols.resize(term, width, false);
                value_of(&symbols, bits, term)
            }
            None => Value::int(bits),
        }
    }

    /// Puts the term of a value beside the bytes that were just written.
    pub(crate) fn write_symbol(&mut self, r: ObjectRef, offset: u64, width: Width, value: Value) {
        let Some((term, symbols)) = value.term().zip(self.symbols) else { return };
        let whole = Width::new(8 * width.bytes()).unwrap_or(width);
        let term = symbols.borrow_mut().resize(term, whole, false);
        self.state.memory.set_symbol(r, offset, width.bytes(), term);
    }

    /// Constrains bytes to their concrete values, where they are used without terms.
    pub(crate) fn decided_bytes(&self, r: ObjectRef, offset: u64, len: u64) {
        if self.state.memory.has_symbols(r) {
            for i in offset..offset + len {
                if let Some(SymbolByte { term, byte }) = self.state.memory.symbol_at(r, i)
                    && let Some(mut symbols) = self.symbols()
                {
                    let value = self.state.memory.bytes(r, i, 1)[0] as u64;
                    let byte = symbols.byte(term, byte);
                    symbols.decide(byte, value);
                }
            }
        }
    }
}

/// A number with its term, if it depends on inputs at all.
fn value_of(symbols: &Symbols, bits: u64, term: Term) -> Value {
    match symbols.terms().as_const(term) {
        Some(_) => Value::int(bits),
        None => Value::symbolic(bits, term),
    }
}
