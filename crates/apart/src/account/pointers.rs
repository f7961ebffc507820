//! How addresses flow, statement by statement, and the points-to sets that the analysis has found: `certify` checks
//! each statement against the sets.
//!
//! A statement has a line unless it is about constants only. A line depends on the program alone, with two exceptions:
//! which functions are called through a pointer, and which differences are within one object. There the line says what
//! the sets must fulfil.

mod values;

use super::Account;
use std::collections::BTreeMap;
use tp_analysis::address::constant;
use tp_analysis::callgraph::{ContextId, InstSite};
use tp_analysis::models;
use tp_analysis::pointsto::{AbstractObject, ObjectId, Origins, PointsTo, PointsToSet};
use tp_ir::{
    Body, Call, Callee, CmpOp, Const, EntityRef, FuncId, Init, Inst, Op, Operand, OperandKind, Program, Reg,
    RmwOp, Target, Terminator, Type,
};

/// The registers of all contexts, numbered, and the lines about them.
pub(super) struct Statements<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    program: &'p Program,
    /// By context: the number of its first register.
    first: Vec<usize>,
    /// Values that have no register of their own, after all registers.
    more: Vec<PointsToSet>,
    origins: BTreeMap<FuncId, Origins<'p>>,
    lines: Vec<String>,
}

/// Where a statement is.
struct Here<'p> {
    context: ContextId,
    function: FuncId,
    body: &'p Body,
    /// Its results do not depend on the memory layout.
    hides: bool,
}

impl<'p> Account<'_, '_, 'p> {
    /// By context: the number of its first register. The last entry is the number of registers of all contexts.
    pub(super) fn first_registers(points_to: &PointsTo<'_>) -> Vec<usize> {
        let mut first = vec![0];
        first.extend(points_to.call_graph().contexts().scan(0, |next, context| {
            *next += points_to.registers(context).len();
            Some(*next)
        }));
        first
    }

    /// An operand of a context as a word.
    pub(super) fn word(&self, context: ContextId, operand: Operand) -> String {
        word(self.points_to, &self.first, context, operand)
    }

    pub(super) fn register(&self, context: ContextId, reg: Reg) -> usize {
        self.first[context.index()] + reg.index()
    }

    /// The lines with statements, and the sets of values that have no register.
    pub(super) fn statements(&self) -> (Vec<String>, Vec<PointsToSet>) {
        let mut all = Statements {
            points_to: self.points_to,
            program: self.points_to.program(),
            first: self.first.clone(),
            more: Vec::new(),
            origins: BTreeMap::new(),
            lines: Vec::new(),
        };
        all.globals();
        for context in self.points_to.call_graph().contexts() {
            all.context(context);
        }
        (all.lines, all.more)
    }
}

fn word(points_to: &PointsTo<'_>, first: &[usize], context: ContextId, operand: Operand) -> String {
    match operand.kind() {
        OperandKind::Reg(reg) => (first[context.index()] + reg.index()).to_string(),
        OperandKind::Const(_) => match points_to.points(context, operand).only() {
            Some((object, offset)) => format!("&{}+{offset}", object.index()),
            None => "-".to_owned(),
        },
    }
}

impl<'p> Statements<'_, 'p> {
    fn word(&self, here: &Here<'p>, operand: Operand) -> String {
        word(self.points_to, &self.first, here.context, operand)
    }

    fn register(&self, context: ContextId, reg: Reg) -> usize {
        self.first[context.index()] + reg.index()
    }

    /// Adds a line, unless its operand is a constant that is no address.
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

    /// The number of a value that no register holds.
    fn another(&mut self, points: PointsToSet) -> usize {
        self.more.push(points);
        self.first.last().copied().unwrap_or(0) + self.more.len() - 1
    }

    fn globals(&mut self) {
        let outside = self.points_to.objects().known(AbstractObject::Outside);
        let of_outside = outside.map_or("-".to_owned(), |id| format!("&{}", id.index()));
        let mut lines = vec![format!("store {of_outside} 1 {of_outside}")];
        for id in self.points_to.objects().ids() {
            let (AbstractObject::Global(global) | AbstractObject::ThreadLocal(global, _)) =
                self.points_to.objects().get(id)
            else {
                continue;
            };
            match &self.program.globals[global].init {
                Init::Zero => {}
                Init::Unknown => lines.push(format!("store &{} 1 {of_outside}", id.index())),
                Init::Bytes { pointers, .. } => {
                    for (offset, constant) in pointers {
                        let value =
                            word(self.points_to, &self.first, ContextId::ENTRY, Operand::from(*constant));
                        let at = i64::try_from(*offset).map_or(String::new(), |at| format!("+{at}"));
                        let line = format!("store &{}{at} {} {value}", id.index(), self.bytes(Type::Ptr));
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

    fn context(&mut self, context: ContextId) {
        let function = self.points_to.call_graph().function(context);
        let Some(body) = &self.program.functions[function].body else { return };
        let hides = models::hides_addresses(self.program, function);
        let here = Here { context, function, body, hides };
        for (block, row) in &body.blocks {
            for (inst, row) in row.insts.iter().enumerate() {
                self.inst(&here, InstSite { context, block, inst }, row);
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
            self.hand(here, "copy", self.register(here.context, param), arg, "");
        }
    }

    fn returned(&mut self, here: &Here<'p>, values: &[Operand]) {
        for caller in self.points_to.call_graph().callers(here.context) {
            let Op::Call(call) = &self.points_to.inst(*caller).op else { continue };
            for (reg, value) in call.results.iter().zip(values) {
                self.hand(here, "copy", self.register(caller.context, *reg), *value, "");
            }
        }
    }

    /// A value that decides something: it must be a number.
    fn decides(&mut self, here: &Here<'p>, value: Operand) {
        // A comparison has a line of its own, and its result is a plain number.
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

    fn inst(&mut self, here: &Here<'p>, site: InstSite, inst: &'p Inst) {
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
        let to = self.register(here.context, reg);
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

    /// The lines of an instruction without a result.
    fn numbers(&mut self, here: &Here<'p>, op: &Op) {
        match op {
            Op::Rmw { ty, ptr, value, .. } | Op::CmpXchg { ty, ptr, new: value, .. } => {
                let mut old = PointsToSet::default();
                for (object, offset) in self.points_to.targets(here.context, *ptr).iter() {
                    let len = u64::from(self.bytes(*ty));
                    old.add_all(&self.points_to.memory(object).load(offset, len));
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

    fn address(&mut self, to: usize, object: AbstractObject) {
        if let Some(id) = self.points_to.objects().known(object) {
            let at = if object == AbstractObject::Outside { "" } else { "+0" };
            self.lines.push(format!("copy {to} &{}{at}", id.index()));
        }
    }

    fn call(&mut self, here: &Here<'p>, site: InstSite, call: &Call) {
        let functions = self.points_to.functions(here.context, call);
        if let Callee::Indirect(pointer) = call.callee {
            self.called(here, pointer, &functions);
        }
        for function in functions {
            if self.points_to.is_output(here.context, call, function) {
                self.only_output(here, call, function);
                continue;
            }
            let callee = self.points_to.call_graph().callees(site).find(|f| self.function(*f) == function);
            if let Some(callee) = callee {
                let params = self.program.functions[function].body.as_ref().map_or(&[][..], |b| &b.params);
                for (param, arg) in params.iter().zip(&call.args) {
                    self.hand(here, "copy", self.register(callee, *param), *arg, "");
                }
            }
        }
    }

    fn function(&self, context: ContextId) -> FuncId {
        self.points_to.call_graph().function(context)
    }

    /// A call that only writes text because of its format: the line lists the formats it may have.
    fn only_output(&mut self, here: &Here<'p>, call: &Call, function: FuncId) {
        let format = models::format_of(self.program, function).and_then(|i| call.args.get(i));
        let Some(&format) = format.filter(|_| !self.program.functions[function].is_output()) else { return };
        let texts = self.points_to.targets(here.context, format);
        let texts = texts.iter().filter_map(|(o, at)| Some(format!(" {} {}", o.index(), at.as_exact()?)));
        let line = format!("formats {}{}", self.word(here, format), texts.collect::<String>());
        self.lines.push(line);
    }

    fn called(&mut self, here: &Here<'p>, pointer: Operand, functions: &[FuncId]) {
        let known = |f: &FuncId| self.points_to.objects().known(AbstractObject::Function(*f));
        let ids: Vec<ObjectId> = functions.iter().filter_map(known).collect();
        let functions: String = ids.iter().map(|id| format!(" {}", id.index())).collect();
        let line = format!("calls {}{functions}", self.word(here, pointer));
        self.lines.push(line);
    }

    fn start(&mut self, here: &Here<'p>, site: InstSite, func: Operand, arg: Operand) {
        let functions = self.points_to.functions_at(here.context, func);
        self.called(here, func, &functions);
        let threads: Vec<ContextId> =
            self.points_to.call_graph().started(site).map(|t| self.points_to.call_graph().root(t)).collect();
        for root in threads {
            let body = self.program.functions[self.function(root)].body.as_ref();
            if let Some(param) = body.and_then(|body| body.params.first()) {
                self.hand(here, "copy", self.register(root, *param), arg, "");
            }
        }
    }
}
