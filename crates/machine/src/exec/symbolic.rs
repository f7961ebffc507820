//! Values that depend on inputs, while those are followed: how they are computed from one another, and where they decide.
//!
//! What an instruction makes of the numbers is computed as always; here is what it makes of their symbols. An operation that
//! has no term, or whose result does not depend on the inputs alone, is a decision: its operands are the numbers that
//! they are, and plain from there on.

use crate::machine::Machine;
use crate::memory::SymbolByte;
use crate::symbols::{InputKey, Symbol, Symbols};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use crate::{InputRequest, Source};
use std::cell::RefMut;
use tp_ir::{BinOp, CmpOp, Operand, OperandKind, Property, RmwOp, Type, Width, eval};

impl<'p> Machine<'p, '_> {
    fn symbols(&self) -> Option<RefMut<'_, Symbols>> {
        self.symbols.map(|symbols| symbols.borrow_mut())
    }

    /// The value as a mere number; that it is this one has decided something.
    #[inline]
    pub(crate) fn decided(&self, v: Value) -> Value {
        match v.symbol() {
            None => v,
            Some(symbol) => {
                if let Some(mut symbols) = self.symbols() {
                    symbols.decide(symbol, v.bits);
                }
                Value::int(v.bits)
            }
        }
    }

    /// A value from outside, followed if whoever gives it wants that.
    pub(crate) fn followed(&mut self, request: &InputRequest<'_>, bits: u128) -> Option<Value> {
        let is_number = matches!(request.ty, Type::Int(_)) && request.width.bits() <= 64;
        let symbols = self.symbols?;
        if !is_number || request.source == Source::Output || !self.inputs.is_followed(request) {
            return None;
        }
        let key = InputKey::new(request.thread, request.source);
        Some(Value::symbolic(bits as u64, symbols.borrow_mut().input(key, request.width)))
    }

    /// Both operands as terms, if one depends on inputs and neither is anything else than a number.
    fn terms(&self, width: Width, x: Value, y: Value) -> Option<(RefMut<'_, Symbols>, Symbol, Symbol)> {
        let mut symbols = self.symbols().filter(|s| !s.is_full())?;
        let mut term = |v: Value| match v.symbol() {
            Some(symbol) => Some(symbols.resize(symbol, width, false)),
            None => v.is_plain().then(|| symbols.constant(width, v.bits)),
        };
        let (a, b) = (term(x)?, term(y)?);
        Some((symbols, a, b))
    }

    /// `None` if no operand depends on inputs, or they have only decided something.
    pub(crate) fn binary_on_symbols(
        &self,
        (op, width, checked): (BinOp, Width, bool),
        x: Value,
        y: Value,
    ) -> Option<Value> {
        // An overflow that nobody looks for wraps.
        let checked = checked && self.config.checks.has(Property::Overflow);
        let result = eval::binary::<u64>(op, width, x.bits, y.bits, checked);
        let (mut symbols, a, b) = self.terms(width, x, y)?;
        // Where it is asked what a run rests on, an operation that could have failed as well is no way out.
        let is_harmless = symbols.has_functions() && result.is_ok();
        if let Some(fails) = symbols.fails(op, a, b, checked).filter(|_| !is_harmless) {
            symbols.decide(fails, result.is_err() as u64);
        }
        Some(Value::symbolic(result.ok()?, symbols.binary(op, a, b)))
    }

    pub(crate) fn compare(&self, op: CmpOp, width: Width, x: Value, y: Value) -> Value {
        let result = eval::compare::<u64>(op, width, x.bits, y.bits) as u64;
        if x.symbol().is_none() && y.symbol().is_none() {
            if let (Some(a), Some(b), false) = (x.object(), y.object(), matches!(op, CmpOp::Eq | CmpOp::Ne))
                && a != b
            {
                self.ordered.set(true);
            }
            return Value::int(result);
        }
        match self.terms(width, x, y) {
            Some((mut symbols, a, b)) => Value::symbolic(result, symbols.compare(op, a, b)),
            None => {
                self.decided(x);
                self.decided(y);
                Value::int(result)
            }
        }
    }

    /// The value with other bits, in another width.
    pub(crate) fn resized(&self, v: Value, bits: u64, to: Width, signed: bool) -> Value {
        match (v.symbol(), self.symbols()) {
            (Some(symbol), Some(mut symbols)) if to.bits() <= 64 => {
                Value::symbolic(bits, symbols.resize(symbol, to, signed))
            }
            _ => Value::int(bits),
        }
    }

    /// One of two values, by a condition that depends on inputs. Numbers of which none does have no width that is known
    /// here.
    pub(crate) fn select(&self, t: &Thread<'p>, c: Value, a: Operand, b: Operand) -> Value {
        let (x, y) = (self.get(t, a), self.get(t, b));
        let chosen = if c.bits & 1 == 1 { x } else { y };
        let width = self.operand_width(t, a);
        let Some((cond, width)) = c.symbol().zip(width) else {
            self.decided(c);
            return chosen;
        };
        if let Some((mut symbols, a, b)) = self.terms(width, x, y) {
            return Value::symbolic(chosen.bits, symbols.select(cond, a, b));
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

    /// Whether a location has the value that a compare-exchange expects; that decides what it does.
    pub(crate) fn is_expected(&self, r: ObjectRef, offset: u64, width: Width, expected: Value) -> bool {
        let (bits, _, _) = self.memory.read(r, offset, width.bytes() as u64);
        if width.bits() > 64 || !self.memory.has_symbols(r) && expected.symbol().is_none() {
            self.decided_bytes(r, offset, width.bytes() as u64);
            return eval::compare(CmpOp::Eq, width, bits, expected.wide(width));
        }
        let there = self.read_symbols(r, offset, eval::truncate(bits, width), width);
        self.decided(self.compare(CmpOp::Eq, width, there, expected)).bits == 1
    }

    /// What an atomic read-modify-write leaves, if it can be said in terms.
    pub(crate) fn rmw_on_symbols(&self, op: RmwOp, width: Width, old: Value, v: Value) -> Option<Value> {
        if old.symbol().is_none() && v.symbol().is_none() {
            return None;
        }
        let op = match op {
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
            _ => return None,
        };
        self.binary_on_symbols((op, width, false), old, v)
    }

    /// The number that a switch goes by: which case it is decides, not more.
    pub(crate) fn switched(&self, v: Value, width: Width, cases: impl Iterator<Item = u128>) {
        if v.symbol().is_none() {
            return;
        }
        for case in cases {
            let Some((mut symbols, a, b)) = self.terms(width, v, Value::int(case as u64)) else {
                self.decided(v);
                return;
            };
            let is_case = v.bits == case as u64;
            let equal = symbols.compare(CmpOp::Eq, a, b);
            symbols.decide(equal, is_case as u64);
            if is_case {
                return;
            }
        }
    }

    /// What is read where some bytes of the object depend on inputs.
    pub(crate) fn read_symbols(&self, r: ObjectRef, offset: u64, bits: u128, width: Width) -> Value {
        let len = width.bytes();
        if width.bits() > 64 {
            self.decided_bytes(r, offset, len as u64);
            return Value::from_wide(bits, width);
        }
        if !(0..len).any(|i| self.memory.symbol_at(r, offset + i as u64).is_some()) {
            return Value::int(bits as u64);
        }
        self.join_bytes(r, offset, bits as u64, width)
    }

    fn join_bytes(&self, r: ObjectRef, offset: u64, bits: u64, width: Width) -> Value {
        let Some(mut symbols) = self.symbols() else { return Value::int(bits) };
        let len = width.bytes();
        let byte_of = |i: u32| self.memory.symbol_at(r, offset + i as u64);
        if let Some(SymbolByte { symbol, byte: 0 }) = byte_of(0)
            && symbols.width(symbol).bits() == 8 * len
            && (1..len).all(|i| byte_of(i) == Some(SymbolByte { symbol, byte: i }))
        {
            return Value::symbolic(bits, symbols.resize(symbol, width, false));
        }
        let mut whole = None;
        for i in 0..len {
            let byte = match byte_of(i) {
                Some(SymbolByte { symbol, byte }) => symbols.byte(symbol, byte),
                None => symbols.constant(Width::W8, bits >> (8 * i)),
            };
            whole = Some(whole.map_or(byte, |low| symbols.join(low, byte)));
        }
        match whole {
            Some(symbol) => Value::symbolic(bits, symbols.resize(symbol, width, false)),
            None => Value::int(bits),
        }
    }

    /// Puts the symbol of a value beside the bytes that were just written.
    pub(crate) fn write_symbol(&mut self, r: ObjectRef, offset: u64, width: Width, value: Value) {
        let Some((symbol, symbols)) = value.symbol().zip(self.symbols) else { return };
        let whole = Width::new(8 * width.bytes()).unwrap_or(width);
        let symbol = symbols.borrow_mut().resize(symbol, whole, false);
        self.memory.set_symbol(r, offset, width.bytes(), symbol);
    }

    /// Bytes that are used as numbers where there are no terms.
    pub(crate) fn decided_bytes(&self, r: ObjectRef, offset: u64, len: u64) {
        if self.memory.has_symbols(r) {
            for i in offset..offset + len {
                if let Some(SymbolByte { symbol, byte }) = self.memory.symbol_at(r, i)
                    && let Some(mut symbols) = self.symbols()
                {
                    let value = self.memory.bytes(r, i, 1)[0] as u64;
                    let byte = symbols.byte(symbol, byte);
                    symbols.decide(byte, value);
                }
            }
        }
    }
}
