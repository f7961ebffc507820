//! Blocks and instructions as text: a word with its details, the operands in the order of `each_operand`, then flags.

use super::Printer;
use super::value::{Int, Name, Quoted};
use crate::{Block, Body, Callee, Expect, InputKind, Inst, MemoryOrder, Op, Reg, Target, Terminator};
use cranelift_entity::SecondaryMap;
use std::fmt::{self, Write};

impl Printer<'_> {
    pub(super) fn body(&self, out: &mut impl Write, body: &Body) -> fmt::Result {
        self.unassigned(out, body)?;
        for (id, block) in &body.blocks {
            write!(out, "{id}")?;
            for (i, param) in block.params.iter().enumerate() {
                out.write_str(if i == 0 { "(" } else { ", " })?;
                self.typed_reg(out, body, *param)?;
            }
            out.write_str(if block.params.is_empty() { ":\n" } else { "):\n" })?;
            self.block(out, body, block)?;
        }
        Ok(())
    }

    /// Registers that nothing assigns would be lost: they get a line of their own.
    fn unassigned(&self, out: &mut impl Write, body: &Body) -> fmt::Result {
        let mut assigned: SecondaryMap<Reg, bool> = SecondaryMap::with_capacity(body.regs.len());
        let mut assign = |reg: Reg| {
            if body.regs.is_valid(reg) {
                assigned[reg] = true;
            }
        };
        body.params.iter().copied().for_each(&mut assign);
        for block in body.blocks.values() {
            block.params.iter().copied().for_each(&mut assign);
            block.insts.iter().for_each(|inst| inst.results().for_each(&mut assign));
        }
        let mut separator = "unassigned ";
        for reg in body.regs.keys().filter(|reg| !assigned[*reg]) {
            out.write_str(separator)?;
            self.typed_reg(out, body, reg)?;
            separator = ", ";
        }
        if separator == ", " { out.write_char('\n') } else { Ok(()) }
    }

    fn block(&self, out: &mut impl Write, body: &Body, block: &Block) -> fmt::Result {
        for inst in &block.insts {
            out.write_str("  ")?;
            self.inst(out, body, inst)?;
            self.place(out, inst.place)?;
            out.write_char('\n')?;
        }
        out.write_str("  ")?;
        self.terminator(out, body, &block.terminator)?;
        self.place(out, block.terminator_place)?;
        out.write_char('\n')
    }

    fn inst(&self, out: &mut impl Write, body: &Body, inst: &Inst) -> fmt::Result {
        let implied = inst.op.result().and_then(|expect| expect.implied(self.program.data_model));
        let mut separator = "";
        for reg in inst.results() {
            out.write_str(separator)?;
            match body.regs.get(reg) {
                Some(info) if Some(info.ty) == implied => self.reg(out, body, reg)?,
                _ => self.typed_reg(out, body, reg)?,
            }
            separator = ", ";
        }
        if !separator.is_empty() {
            out.write_str(" = ")?;
        }
        if let Op::Call(call) = &inst.op {
            out.write_str("call ")?;
            match &call.callee {
                Callee::Direct(id) => self.func_name(out, *id)?,
                Callee::Indirect(pointer) => {
                    out.write_str("indirect ")?;
                    self.operand(out, body, *pointer, Expect::Any)?;
                }
            }
            out.write_char('(')?;
            for (i, arg) in call.args.iter().enumerate() {
                out.write_str(if i == 0 { "" } else { ", " })?;
                self.operand(out, body, *arg, Expect::Any)?;
            }
            return out.write_char(')');
        }
        self.head(out, &inst.op)?;
        let (mut result, mut separator) = (Ok(()), " ");
        inst.op.each_operand(|operand, expect| {
            if result.is_ok() {
                result = out.write_str(separator).and_then(|()| self.operand(out, body, *operand, expect));
                separator = ", ";
            }
        });
        result?;
        tail(out, &inst.op)
    }

    /// The word of an instruction and its details before the operands.
    fn head(&self, out: &mut impl Write, op: &Op) -> fmt::Result {
        match op {
            Op::Binary { op, width, .. } => write!(out, "{} i{}", op.word(), width.bits()),
            Op::Cmp { op, width, .. } => write!(out, "cmp {} i{}", op.word(), width.bits()),
            Op::FloatUnary { op, ty, .. } => write!(out, "{} {ty}", op.word()),
            Op::FloatBinary { op, ty, .. } => write!(out, "{} {ty}", op.word()),
            Op::FloatCmp { op, ty, .. } => write!(out, "fcmp {} {ty}", op.word()),
            Op::Cast { op, from, to, .. } => write!(out, "{} {from} to {to}", op.word()),
            Op::Select { .. } => out.write_str("select"),
            Op::PtrAdd { width, scale, .. } => write!(out, "ptradd i{} * {scale}", width.bits()),
            Op::ThreadLocal { global } => {
                out.write_str("thread_local ")?;
                self.global_name(out, *global)
            }
            Op::Uninit { ty } => write!(out, "uninit {ty}"),
            Op::Load { ty, .. } => write!(out, "load {ty}"),
            Op::Store { ty, .. } => write!(out, "store {ty}"),
            Op::Rmw { op, ty, .. } => write!(out, "rmw {} {ty}", op.word()),
            Op::CmpXchg { ty, fails, .. } => {
                write!(out, "cmpxchg {}{ty}", if fails.is_some() { "weak " } else { "" })
            }
            Op::Fence { .. } => out.write_str("fence"),
            Op::Copy { len_width, .. } => write!(out, "copy i{}", len_width.bits()),
            Op::Set { len_width, .. } => write!(out, "set i{}", len_width.bits()),
            Op::Alloca { size_width, .. } => write!(out, "alloca i{}", size_width.bits()),
            Op::ScopeBegin { .. } => out.write_str("scope_begin"),
            Op::ScopeEnd { last, .. } => out.write_str(if *last { "scope_end last" } else { "scope_end" }),
            Op::StackSave => out.write_str("stack_save"),
            Op::StackRestore { .. } => out.write_str("stack_restore"),
            Op::HeapAlloc { size_width, align_width, record, at, .. } => {
                let record = if *record { " record" } else { "" };
                let at = if at.is_some() { " at" } else { "" };
                write!(out, "heap_alloc i{} align i{}{record}{at}", size_width.bits(), align_width.bits())
            }
            Op::HeapFree { .. } => out.write_str("heap_free"),
            Op::HeapSize { .. } => out.write_str("heap_size"),
            Op::Call(_) => out.write_str("call"),
            Op::ThreadStart { .. } => out.write_str("thread_start"),
            Op::ThreadSelf => out.write_str("thread_self"),
            Op::ThreadExit => out.write_str("thread_exit"),
            Op::Exit { .. } => out.write_str("exit"),
            Op::AtomicBegin => out.write_str("atomic_begin"),
            Op::AtomicEnd => out.write_str("atomic_end"),
            Op::Await { .. } => out.write_str("await"),
            Op::Assume { .. } => out.write_str("assume"),
            Op::Rest { is_moment, .. } => write!(out, "rest{}", if *is_moment { " until" } else { "" }),
            Op::Input { ty, signed, kind, .. } => {
                let signed = if *signed { " signed" } else { "" };
                let kind = match kind {
                    InputKind::Value => "",
                    InputKind::MostlyZero => " mostly_zero",
                    InputKind::Event => " event",
                };
                write!(out, "input {ty}{signed}{kind}")
            }
            Op::Assert { property, goes_on, .. } => {
                write!(out, "{} {}", if *goes_on { "report" } else { "assert" }, property.word())
            }
            Op::Yield => out.write_str("yield"),
            Op::Output { .. } => out.write_str("output"),
            Op::FormatFloat { .. } => out.write_str("format_float"),
            Op::ParseFloat { .. } => out.write_str("parse_float"),
            Op::Acquired { mode, .. } => write!(out, "acquired {}", mode.word()),
            Op::Released { .. } => out.write_str("released"),
            Op::Waiting { kind, .. } => write!(out, "waiting {}", kind.word()),
            Op::Unsupported { what } => write!(out, "unsupported {}", Quoted(what.as_bytes())),
        }
    }

    fn terminator(&self, out: &mut impl Write, body: &Body, terminator: &Terminator) -> fmt::Result {
        match terminator {
            Terminator::Jump(target) => {
                out.write_str("jump ")?;
                self.target(out, body, target)
            }
            Terminator::Branch { cond, then, otherwise } => {
                out.write_str("branch ")?;
                self.operand(out, body, *cond, Expect::Is(crate::Type::BOOL))?;
                out.write_str(", ")?;
                self.target(out, body, then)?;
                out.write_str(", ")?;
                self.target(out, body, otherwise)
            }
            Terminator::Switch(switch) => {
                write!(out, "switch i{} ", switch.width.bits())?;
                self.operand(out, body, switch.value, Expect::Is(crate::Type::Int(switch.width)))?;
                out.write_str(" {")?;
                for (value, target) in &switch.cases {
                    write!(out, " {}: ", Int(*value, switch.width))?;
                    self.target(out, body, target)?;
                    out.write_char(',')?;
                }
                out.write_str(" default: ")?;
                self.target(out, body, &switch.default)?;
                out.write_str(" }")
            }
            Terminator::Return(values) => {
                out.write_str("return")?;
                for (i, value) in values.iter().enumerate() {
                    out.write_str(if i == 0 { " " } else { ", " })?;
                    self.operand(out, body, *value, Expect::Any)?;
                }
                Ok(())
            }
            Terminator::Unreachable => out.write_str("unreachable"),
        }
    }

    fn target(&self, out: &mut impl Write, body: &Body, target: &Target) -> fmt::Result {
        write!(out, "{}", target.block)?;
        for (i, arg) in target.args.iter().enumerate() {
            out.write_str(if i == 0 { "(" } else { ", " })?;
            self.operand(out, body, *arg, Expect::Any)?;
        }
        if target.args.is_empty() { Ok(()) } else { out.write_char(')') }
    }
}

/// Orders, flags and names after the operands.
fn tail(out: &mut impl Write, op: &Op) -> fmt::Result {
    match op {
        Op::Binary { checked: true, .. } => out.write_str(" checked"),
        Op::Load { order, .. } | Op::Store { order, .. } if *order == MemoryOrder::Plain => Ok(()),
        Op::Load { order, .. } | Op::Store { order, .. } | Op::Rmw { order, .. } | Op::Fence { order } => {
            write!(out, " {}", order.word())
        }
        Op::CmpXchg { success, failure, .. } => write!(out, " {} {}", success.word(), failure.word()),
        Op::Copy { overlap: true, .. } => out.write_str(" overlap"),
        Op::Alloca { align, private, info, .. } => {
            write!(out, " align {align}")?;
            if *private {
                out.write_str(" private")?;
            }
            if let Some(name) = &info.name {
                write!(out, " named {}", Name(name))?;
            }
            if let Some(ty) = info.ty {
                write!(out, " typed {ty}")?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
