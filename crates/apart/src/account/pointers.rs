//! What hands addresses on, statement by statement, and the sets that the analysis has found: `certify` compares each
//! statement with the sets.
//!
//! A statement has a line unless it is about constants only, and what a line says depends on the program alone, but for
//! two things: which functions are called through a pointer, and which differences are within one object. There the
//! line says what has to hold of the sets for it.

mod values;

use super::Account;
use crate::frames::{FrameId, Site};
use crate::models;
use crate::objects::Object;
use crate::origins::Origins;
use crate::points::{ObjectId, Points};
use crate::solved::Solved;
use std::collections::BTreeMap;
use tp_analysis::address::constant;
use tp_ir::{
    Body, Call, Callee, CmpOp, Const, EntityRef, FuncId, Init, Inst, Op, Operand, OperandKind, Program, Reg,
    RmwOp, Target, Terminator, Type,
};

/// The registers of all frames, numbered, and the lines about them.
pub(super) struct Statements<'a, 'p> {
    solved: &'a Solved<'p>,
    program: &'p Program,
    /// By frame: the number of its first register.
    first: Vec<usize>,
    /// Values that have no register of their own, after all registers.
    more: Vec<Points>,
    origins: BTreeMap<FuncId, Origins<'p>>,
    lines: Vec<String>,
}

/// Where a statement is.
struct Here<'p> {
    frame: FrameId,
    function: FuncId,
    body: &'p Body,
    /// What it computes does not depend on where objects lie.
    hides: bool,
}

impl<'p> Account<'_, '_, 'p> {
    /// The number of each register, and of what comes after all of them.
    pub(super) fn first_registers(solved: &Solved<'_>) -> Vec<usize> {
        let mut first = vec![0];
        first.extend(solved.registers.iter().scan(0, |next, registers| {
            *next += registers.len();
            Some(*next)
        }));
        first
    }

    /// An operand of a frame as a word.
    pub(super) fn word(&self, frame: FrameId, operand: Operand) -> String {
        word(self.solved, &self.first, frame, operand)
    }

    pub(super) fn register(&self, frame: FrameId, reg: Reg) -> usize {
        self.first[frame.0 as usize] + reg.index()
    }

    /// The lines with statements, and the sets of values that have no register.
    pub(super) fn statements(&self) -> (Vec<String>, Vec<Points>) {
        let mut all = Statements {
            solved: self.solved,
            program: self.solved.program,
            first: self.first.clone(),
            more: Vec::new(),
            origins: BTreeMap::new(),
            lines: Vec::new(),
        };
        all.globals();
        for frame in self.solved.frames.ids() {
            all.frame(frame);
        }
        (all.lines, all.more)
    }
}

fn word(solved: &Solved<'_>, first: &[usize], frame: FrameId, operand: Operand) -> String {
    match operand.kind() {
        OperandKind::Reg(reg) => (first[frame.0 as usize] + reg.index()).to_string(),
        OperandKind::Const(_) => match solved.points(frame, operand).only() {
            Some((object, offset)) => format!("&{}+{offset}", object.0),
            None => "-".to_owned(),
        },
    }
}

impl<'p> Statements<'_, 'p> {
    fn word(&self, here: &Here<'p>, operand: Operand) -> String {
        word(self.solved, &self.first, here.frame, operand)
    }

    fn register(&self, frame: FrameId, reg: Reg) -> usize {
        self.first[frame.0 as usize] + reg.index()
    }

    /// A statement that adds nothing for a number.
    fn of(&mut self, from: &str, line: String) {
        if from != "-" {
            self.lines.push(line);
        }
    }

    fn say(&mut self, here: &Here<'p>, kind: &str, operand: Operand) {
        let word = self.word(here, operand);
        self.of(&word, format!("{kind} {word}"));
    }

    fn hand(&mut self, here: &Here<'p>, kind: &str, to: usize, from: Operand, rest: &str) {
        let from = self.word(here, from);
        self.of(&from, format!("{kind} {to} {from}{rest}"));
    }

    /// A value that no register holds.
    fn another(&mut self, points: Points) -> usize {
        self.more.push(points);
        self.first.last().copied().unwrap_or(0) + self.more.len() - 1
    }

    fn globals(&mut self) {
        let outside = self.solved.objects.known(Object::Outside);
        let of_outside = outside.map_or("-".to_owned(), |id| format!("&{}", id.0));
        let mut lines = vec![format!("store {of_outside} 1 {of_outside}")];
        for id in self.solved.objects.ids() {
            let (Object::Global(global) | Object::ThreadLocal(global, _)) = self.solved.objects.get(id)
            else {
                continue;
            };
            match &self.program.globals[global].init {
                Init::Zero => {}
                Init::Unknown => lines.push(format!("store &{} 1 {of_outside}", id.0)),
                Init::Bytes { pointers, .. } => {
                    for (offset, constant) in pointers {
                        let value = word(self.solved, &self.first, FrameId(0), Operand::from(*constant));
                        let at = i64::try_from(*offset).map_or(String::new(), |at| format!("+{at}"));
                        let line = format!("store &{}{at} {} {value}", id.0, self.bytes(Type::Ptr));
                        if value != "-" {
                            lines.push(line);
                        }
                    }
                }
            }
        }
        self.lines = lines;
    }

    fn bytes(&self, ty: Type) -> u32 {
        ty.bytes(self.program.data_model)
    }

    fn frame(&mut self, frame: FrameId) {
        let function = self.solved.frames.frame(frame).function;
        let Some(body) = &self.program.functions[function].body else { return };
        let hides = models::hides_addresses(self.program, function);
        let here = Here { frame, function, body, hides };
        for (block, row) in &body.blocks {
            for (inst, row) in row.insts.iter().enumerate() {
                self.inst(&here, Site { frame, block, inst }, row);
            }
            self.terminator(&here, &row.terminator);
        }
    }

    fn terminator(&mut self, here: &Here<'p>, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { cond, .. } => self.decides(here, *cond),
            Terminator::Switch(switch) => self.decides(here, switch.value),
            Terminator::Return(values) => self.returned(here, values),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        let mut moves: Vec<(Reg, Operand)> = Vec::new();
        terminator.each_target(|Target { block, args }| {
            moves.extend(here.body.blocks[*block].params.iter().copied().zip(args.iter().copied()));
        });
        for (param, arg) in moves {
            self.hand(here, "copy", self.register(here.frame, param), arg, "");
        }
    }

    fn returned(&mut self, here: &Here<'p>, values: &[Operand]) {
        for caller in &self.solved.frames.frame(here.frame).callers {
            let Op::Call(call) = &self.solved.inst(*caller).op else { continue };
            for (reg, value) in call.results.iter().zip(values) {
                self.hand(here, "copy", self.register(caller.frame, *reg), *value, "");
            }
        }
    }

    /// Something that is decided by a number.
    fn decides(&mut self, here: &Here<'p>, value: Operand) {
        // What is compared says so itself, and the result of that is a number.
        let definition = value.as_reg().and_then(|reg| self.definition(here, reg));
        if !here.hides && !matches!(definition, Some(Op::Cmp { .. } | Op::FloatCmp { .. })) {
            self.say(here, "number", value);
        }
    }

    fn origins(&mut self, here: &Here<'p>) -> &Origins<'p> {
        let program = self.program;
        self.origins.entry(here.function).or_insert_with(|| Origins::new(program, here.body))
    }

    fn definition(&mut self, here: &Here<'p>, reg: Reg) -> Option<&'p Op> {
        self.origins(here).definition(reg)
    }

    fn constant(&self, operand: Operand) -> Option<i64> {
        let is_null = operand.as_const().is_some_and(|c| matches!(self.program.constants[c], Const::Null));
        if is_null { Some(0) } else { constant(self.program, operand) }
    }

    fn inst(&mut self, here: &Here<'p>, site: Site, inst: &'p Inst) {
        match &inst.op {
            Op::Call(call) => return self.call(here, site, call),
            Op::ThreadStart { func, arg } => return self.start(here, site, *func, *arg),
            Op::Store { ty, ptr, value, .. } => return self.store(here, "store", *ptr, *ty, *value),
            Op::Copy { dst, src, len, .. } => {
                self.say(here, "number", *len);
                let (dst, src) = (self.word(here, *dst), self.word(here, *src));
                let len = constant(self.program, *len).and_then(|n| u64::try_from(n).ok());
                let len = len.map_or("-".to_owned(), |n| n.to_string());
                return self.lines.push(format!("transfer {dst} {src} {len}"));
            }
            Op::Set { dst, byte, len, .. } => {
                self.say(here, "number", *len);
                return self.fill(here, *dst, *byte);
            }
            Op::HeapFree { ptr } | Op::Output { ptr, .. } => return self.say(here, "whole", *ptr),
            _ => {}
        }
        let Some(reg) = inst.result else { return self.numbers(here, &inst.op) };
        let to = self.register(here.frame, reg);
        match &inst.op {
            Op::Load { ty, ptr, .. } => self.load(here, to, *ptr, *ty),
            Op::Rmw { op, ty, ptr, value, .. } => {
                self.load(here, to, *ptr, *ty);
                self.store(here, "store", *ptr, *ty, *value);
                if *op != RmwOp::Exchange {
                    self.store(here, "store-part", *ptr, *ty, *value);
                    self.store(here, "store-part", *ptr, *ty, reg.into());
                }
            }
            Op::CmpXchg { ty, ptr, expected, new, .. } => {
                self.load(here, to, *ptr, *ty);
                self.store(here, "store", *ptr, *ty, *new);
                self.compared(here, CmpOp::Eq, reg.into(), *expected);
            }
            op => self.computed(here, site, to, op),
        }
    }

    /// What is told by an instruction that computes nothing.
    fn numbers(&mut self, here: &Here<'p>, op: &Op) {
        match op {
            Op::Rmw { ty, ptr, value, .. } | Op::CmpXchg { ty, ptr, new: value, .. } => {
                let mut old = Points::default();
                for (object, offset) in self.solved.targets(here.frame, *ptr).iter() {
                    let len = u64::from(self.bytes(*ty));
                    old.add_all(&self.solved.memory[object.0 as usize].load(offset, len));
                }
                let old = self.another(old);
                self.load(here, old, *ptr, *ty);
                self.store(here, "store", *ptr, *ty, *value);
                self.store(here, "store-part", *ptr, *ty, *value);
                let (ptr, len) = (self.word(here, *ptr), self.bytes(*ty));
                self.lines.push(format!("store-part {ptr} {len} {old}"));
            }
            Op::FormatFloat { value, .. } => self.say(here, "number", *value),
            _ => {}
        }
    }

    fn load(&mut self, here: &Here<'p>, to: usize, ptr: Operand, ty: Type) {
        let len = format!(" {}", self.bytes(ty));
        self.hand(here, "load", to, ptr, &len);
    }

    fn store(&mut self, here: &Here<'p>, kind: &str, ptr: Operand, ty: Type, value: Operand) {
        let (ptr, value, len) = (self.word(here, ptr), self.word(here, value), self.bytes(ty));
        self.lines.push(match value.as_str() {
            "-" => format!("whole {ptr}"),
            _ => format!("{kind} {ptr} {len} {value}"),
        });
    }

    fn fill(&mut self, here: &Here<'p>, ptr: Operand, value: Operand) {
        let (ptr, value) = (self.word(here, ptr), self.word(here, value));
        self.lines.push(format!("fill {ptr} {value}"));
    }

    fn address(&mut self, to: usize, object: Object) {
        if let Some(id) = self.solved.objects.known(object) {
            let at = if object == Object::Outside { "" } else { "+0" };
            self.lines.push(format!("copy {to} &{}{at}", id.0));
        }
    }

    fn call(&mut self, here: &Here<'p>, site: Site, call: &Call) {
        let functions = self.solved.functions(here.frame, call);
        if let Callee::Indirect(pointer) = call.callee {
            self.called(here, pointer, &functions);
        }
        for function in functions {
            if self.solved.is_output(here.frame, call, function) {
                self.only_output(here, call, function);
                continue;
            }
            let callee = self.solved.frames.callees(site).find(|f| self.function(*f) == function);
            if let Some(callee) = callee {
                let params = self.program.functions[function].body.as_ref().map_or(&[][..], |b| &b.params);
                for (param, arg) in params.iter().zip(&call.args) {
                    self.hand(here, "copy", self.register(callee, *param), *arg, "");
                }
            }
        }
    }

    fn function(&self, frame: FrameId) -> FuncId {
        self.solved.frames.frame(frame).function
    }

    /// A call that only writes text, whatever else the function could do: which formats it has is why.
    fn only_output(&mut self, here: &Here<'p>, call: &Call, function: FuncId) {
        let format = models::format_of(self.program, function).and_then(|i| call.args.get(i));
        let Some(&format) = format.filter(|_| !self.program.functions[function].is_output()) else { return };
        let texts = self.solved.targets(here.frame, format);
        let texts = texts.iter().filter_map(|(o, at)| Some(format!(" {} {}", o.0, at.as_exact()?)));
        let line = format!("formats {}{}", self.word(here, format), texts.collect::<String>());
        self.lines.push(line);
    }

    fn called(&mut self, here: &Here<'p>, pointer: Operand, functions: &[FuncId]) {
        let known = |f: &FuncId| self.solved.objects.known(Object::Function(*f));
        let ids: Vec<ObjectId> = functions.iter().filter_map(known).collect();
        let functions: String = ids.iter().map(|id| format!(" {}", id.0)).collect();
        let line = format!("calls {}{functions}", self.word(here, pointer));
        self.lines.push(line);
    }

    fn start(&mut self, here: &Here<'p>, site: Site, func: Operand, arg: Operand) {
        let functions = self.solved.functions_at(here.frame, func);
        self.called(here, func, &functions);
        let threads: Vec<FrameId> =
            self.solved.frames.started(site).map(|t| self.solved.frames.thread(t).root).collect();
        for root in threads {
            let body = self.program.functions[self.function(root)].body.as_ref();
            if let Some(param) = body.and_then(|body| body.params.first()) {
                self.hand(here, "copy", self.register(root, *param), arg, "");
            }
        }
    }
}
