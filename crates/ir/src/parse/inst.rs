//! Instructions: a word with its details, the operands in the order of `each_operand`, then flags.

use super::body::BodyParser;
use super::cursor::{Cursor, Result};
use super::error::Problem;
use crate::{
    BinOp, Call, Callee, CastOp, CmpOp, Expect, FloatBinary, FloatCmp, FloatUnary, InputKind, Inst,
    LocalInfo, LockMode, MemoryOrder, Op, Operand, Property, Reg, RmwOp, SourceTypeId, Type, WaitKind, Width,
};

impl<'a> BodyParser<'a, '_> {
    /// The rest of an instruction after its results and its `word`.
    pub(super) fn inst(
        &mut self,
        results: Vec<(Reg, Option<Type>)>,
        word: &str,
        at: Cursor<'a>,
        c: &mut Cursor<'a>,
    ) -> Result<Inst> {
        let (op, result) = if word == "call" {
            let mut call = self.call(c)?;
            for (reg, ty) in &results {
                let Some(ty) = ty else { return Err(at.error(Problem::ResultType)) };
                self.set_type(*reg, *ty, &at)?;
            }
            call.results = results.into_iter().map(|(reg, _)| reg).collect();
            (Op::Call(Box::new(call)), None)
        } else {
            let mut op = self.head(word, &at, c)?;
            self.fill(&mut op, c)?;
            self.tail(&mut op, c)?;
            let result = self.single_result(&results, &op, &at)?;
            (op, result)
        };
        Ok(Inst { op, result, place: self.tables.place(c)? })
    }

    fn single_result(
        &mut self,
        results: &[(Reg, Option<Type>)],
        op: &Op,
        at: &Cursor<'a>,
    ) -> Result<Option<Reg>> {
        match results {
            [] => Ok(None),
            [(reg, ty)] => {
                let implied = || op.result()?.implied(self.tables.program.data_model);
                let Some(ty) = ty.or_else(implied) else { return Err(at.error(Problem::ResultType)) };
                self.set_type(*reg, ty, at)?;
                Ok(Some(*reg))
            }
            _ => Err(at.error(Problem::SeveralResults)),
        }
    }

    fn call(&mut self, c: &mut Cursor<'a>) -> Result<Call> {
        let callee = if c.eat_word("indirect") {
            Callee::Indirect(self.operand(c, Expect::Any)?)
        } else {
            c.expect("&")?;
            Callee::Direct(self.tables.functions.find("function", c)?)
        };
        c.expect("(")?;
        Ok(Call { callee, args: self.operands_until(c, ")")?, results: Box::default() })
    }

    /// The instruction with its details before the operands, which are filled in later.
    fn head(&mut self, word: &str, at: &Cursor<'a>, c: &mut Cursor<'a>) -> Result<Op> {
        let hole = Operand::from(Reg::from_u32(0));
        Ok(match word {
            "cmp" => {
                let op = c.find_word("a comparison", CmpOp::from_word)?;
                Op::Cmp { op, width: c.width()?, a: hole, b: hole }
            }
            "fcmp" => {
                let op = c.find_word("a comparison of floats", FloatCmp::from_word)?;
                Op::FloatCmp { op, ty: c.ty()?, a: hole, b: hole }
            }
            "select" => Op::Select { cond: hole, a: hole, b: hole },
            "ptradd" => {
                let width = c.width()?;
                c.expect("*")?;
                Op::PtrAdd { base: hole, index: hole, width, scale: c.number()? }
            }
            "thread_local" => {
                c.expect("@")?;
                Op::ThreadLocal { global: self.tables.globals.find("global", c)? }
            }
            "uninit" => Op::Uninit { ty: c.ty()? },
            "load" => Op::Load { ty: c.ty()?, ptr: hole, order: MemoryOrder::Plain },
            "store" => Op::Store { ty: c.ty()?, ptr: hole, value: hole, order: MemoryOrder::Plain },
            "rmw" => {
                let op = c.find_word("a read-modify-write operation", RmwOp::from_word)?;
                Op::Rmw { op, ty: c.ty()?, ptr: hole, value: hole, order: MemoryOrder::Plain }
            }
            "cmpxchg" => {
                let fails = c.eat_word("weak").then_some(hole);
                let (success, failure) = (MemoryOrder::Plain, MemoryOrder::Plain);
                Op::CmpXchg { ty: c.ty()?, ptr: hole, expected: hole, new: hole, fails, success, failure }
            }
            "fence" => Op::Fence { order: MemoryOrder::Plain },
            "copy" => Op::Copy { dst: hole, src: hole, len: hole, len_width: c.width()?, overlap: false },
            "set" => Op::Set { dst: hole, byte: hole, len: hole, len_width: c.width()? },
            "alloca" => {
                let (size_width, info) = (c.width()?, Box::default());
                Op::Alloca { size: hole, size_width, align: 0, private: false, info }
            }
            "scope_begin" => Op::ScopeBegin { ptr: hole },
            "scope_end" => Op::ScopeEnd { ptr: hole, last: c.eat_word("last") },
            "stack_save" => Op::StackSave,
            "stack_restore" => Op::StackRestore { token: hole },
            "heap_alloc" => {
                let size_width = c.width()?;
                c.expect("align")?;
                let align_width = c.width()?;
                let record = c.eat_word("record");
                let at = c.eat_word("at").then_some(hole);
                Op::HeapAlloc { size: hole, size_width, align: hole, align_width, record, at }
            }
            "heap_free" => Op::HeapFree { ptr: hole },
            "heap_size" => Op::HeapSize { ptr: hole },
            "unsupported" => Op::Unsupported { what: c.text()? },
            _ => match primitive(word, hole, c)? {
                Some(op) => op,
                None => match operator(word, hole, c)? {
                    Some(op) => op,
                    None if word.is_empty() => return at.expected("an instruction"),
                    None => return at.unknown("an instruction", word),
                },
            },
        })
    }

    /// Orders, flags and names after the operands.
    fn tail(&mut self, op: &mut Op, c: &mut Cursor<'a>) -> Result<()> {
        match op {
            Op::Binary { checked, .. } => *checked = c.eat_word("checked"),
            Op::Load { .. } | Op::Store { .. } if c.is_at_place_or_end() => {}
            Op::Load { order, .. }
            | Op::Store { order, .. }
            | Op::Rmw { order, .. }
            | Op::Fence { order } => *order = memory_order(c)?,
            Op::CmpXchg { success, failure, .. } => {
                *success = memory_order(c)?;
                *failure = memory_order(c)?;
            }
            Op::Copy { overlap, .. } => *overlap = c.eat_word("overlap"),
            Op::Alloca { align, private, info, .. } => {
                c.expect("align")?;
                *align = c.number()?;
                *private = c.eat_word("private");
                let name = if c.eat_word("named") { Some(c.name()?.into_owned().into()) } else { None };
                let ty =
                    if c.eat_word("typed") { Some(SourceTypeId::from_u32(c.handle("type")?)) } else { None };
                **info = LocalInfo { name, ty };
            }
            _ => {}
        }
        Ok(())
    }
}

fn memory_order(c: &mut Cursor<'_>) -> Result<MemoryOrder> {
    c.find_word("a memory order", MemoryOrder::from_word)
}

/// The primitives that models are written in.
fn primitive(word: &str, hole: Operand, c: &mut Cursor<'_>) -> Result<Option<Op>> {
    Ok(Some(match word {
        "thread_start" => Op::ThreadStart { func: hole, arg: hole },
        "thread_self" => Op::ThreadSelf,
        "thread_exit" => Op::ThreadExit,
        "exit" => Op::Exit { status: hole },
        "atomic_begin" => Op::AtomicBegin,
        "atomic_end" => Op::AtomicEnd,
        "await" => Op::Await { cond: hole },
        "assume" => Op::Assume { cond: hole },
        "rest" => Op::Rest { done: hole, seconds: hole, nanoseconds: hole, is_moment: c.eat_word("until") },
        "input" => {
            let (ty, signed) = (c.ty()?, c.eat_word("signed"));
            let kind = if c.eat_word("mostly_zero") {
                InputKind::MostlyZero
            } else if c.eat_word("event") {
                InputKind::Event
            } else {
                InputKind::Value
            };
            Op::Input { ty, signed, kind, name: hole }
        }
        word @ ("assert" | "report") => {
            let goes_on = word == "report";
            let start = c.clone();
            let word = c.dashed_word();
            match Property::from_word(word) {
                Some(property) => Op::Assert { cond: hole, property, message: hole, goes_on },
                None => return start.unknown("a property", word),
            }
        }
        "yield" => Op::Yield,
        "output" => Op::Output { fd: hole, ptr: hole, len: hole },
        "format_float" => Op::FormatFloat {
            buffer: hole,
            size: hole,
            conversion: hole,
            precision: hole,
            flags: hole,
            value: hole,
        },
        "parse_float" => Op::ParseFloat { text: hole, consumed: hole },
        "acquired" => Op::Acquired { lock: hole, mode: c.find_word("a lock mode", LockMode::from_word)? },
        "released" => Op::Released { lock: hole },
        "waiting" => {
            let kind = c.find_word("a kind of waiting", WaitKind::from_word)?;
            Op::Waiting { kind, object: hole, owner: hole }
        }
        _ => return Ok(None),
    }))
}

/// Arithmetic: the word is the operator.
fn operator(word: &str, hole: Operand, c: &mut Cursor<'_>) -> Result<Option<Op>> {
    Ok(Some(if let Some(op) = BinOp::from_word(word) {
        let width: Width = c.width()?;
        Op::Binary { op, width, a: hole, b: hole, checked: false }
    } else if let Some(op) = FloatUnary::from_word(word) {
        Op::FloatUnary { op, ty: c.ty()?, a: hole }
    } else if let Some(op) = FloatBinary::from_word(word) {
        Op::FloatBinary { op, ty: c.ty()?, a: hole, b: hole }
    } else if let Some(op) = CastOp::from_word(word) {
        let from = c.ty()?;
        c.expect("to")?;
        Op::Cast { op, from, to: c.ty()?, a: hole }
    } else {
        return Ok(None);
    }))
}
