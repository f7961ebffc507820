//! Random functions over a few local variables, and a plain interpreter for them: the oracle for promotion.

use super::rng::Rng;
use std::collections::HashMap;
use std::fmt::Write;
use threadproof_ir::{
    BlockId, Const, EntityRef, FuncId, Op, Operand, OperandKind, Program, Reg, Target, Terminator, Type,
    Width, eval,
};

/// Variables: numbers first, then pointers.
const NUMBERS: usize = 5;
const POINTERS: usize = 2;

struct Text<'r> {
    rng: &'r mut Rng,
    out: String,
    next: usize,
}

impl Text<'_> {
    fn reg(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// A number: a constant, or a register made in this block.
    fn number(&mut self) -> String {
        match self.rng.below(3) {
            0 => self.rng.below(4).to_string(),
            1 => {
                let (var, reg) = (self.rng.below(NUMBERS), self.reg());
                let _ = writeln!(self.out, "  %{reg} = load i32 %v{var}.{var}");
                format!("%{reg}")
            }
            _ => {
                let (a, b) = (self.number(), self.number());
                let reg = self.reg();
                let _ = writeln!(self.out, "  %{reg} = add i32 {a}, {b}");
                format!("%{reg}")
            }
        }
    }

    fn statement(&mut self) {
        let var = self.rng.below(NUMBERS);
        let pointer = NUMBERS + self.rng.below(POINTERS);
        match self.rng.below(14) {
            0..=5 => {
                let value = self.number();
                let _ = writeln!(self.out, "  store i32 {value}, %v{var}.{var}");
            }
            6..=8 => {
                let value = self.number();
                let _ = writeln!(self.out, "  store i32 {value}, @g");
            }
            9 => {
                let _ = writeln!(self.out, "  scope_begin %v{var}.{var}");
            }
            10 => {
                let _ = writeln!(self.out, "  scope_end %v{var}.{var}");
            }
            // Only the last number has its address taken, so that the others are promoted.
            11 => {
                let var = NUMBERS - 1;
                let _ = writeln!(self.out, "  store ptr %v{var}.{var}, %v{pointer}.{pointer}");
            }
            12 => {
                let (value, reg) = (self.number(), self.reg());
                let _ = writeln!(self.out, "  %{reg} = load ptr %v{pointer}.{pointer}");
                let _ = writeln!(self.out, "  store i32 {value}, %{reg}");
            }
            _ => {
                let (reg, other) = (self.reg(), NUMBERS + self.rng.below(POINTERS));
                let _ = writeln!(self.out, "  %{reg} = load ptr %v{other}.{other}");
                let _ = writeln!(self.out, "  store ptr %{reg}, %v{pointer}.{pointer}");
            }
        }
    }
}

pub fn random_function(rng: &mut Rng) -> String {
    let blocks = 2 + rng.below(9);
    let mut text = Text { rng, out: String::new(), next: NUMBERS + POINTERS };
    text.out.push_str("program LP64 entry &f\nglobal @g size 4 align 4 = zero\nfunc &f() {\n");
    for block in 0..blocks {
        let _ = writeln!(text.out, "bb{block}:");
        if block == 0 {
            for v in 0..NUMBERS + POINTERS {
                let size = if v < NUMBERS { 4 } else { 8 };
                let _ = writeln!(text.out, "  %v{v}.{v} = alloca i64 {size} align 4 named v{v}");
            }
        }
        for _ in 0..text.rng.below(5) {
            text.statement();
        }
        let mut target = || 1 + text.rng.below(blocks - 1);
        let (a, b, c) = (target(), target(), target());
        let reg = text.reg();
        let _ = match text.rng.below(6) {
            0 => writeln!(text.out, "  jump bb{a}"),
            1 => writeln!(text.out, "  return"),
            2 => writeln!(
                text.out,
                "  %{reg} = input i32 null\n  switch i32 %{reg} {{ 0: bb{a}, 1: bb{b}, default: bb{c} }}"
            ),
            _ => writeln!(text.out, "  %{reg} = input i1 null\n  branch %{reg}, bb{a}, bb{b}"),
        };
    }
    // Jumps and returns leave the register that was reserved for a condition unused.
    let mut body = text.out;
    let mut unused = Vec::new();
    for reg in NUMBERS + POINTERS..text.next {
        if !body.contains(&format!("%{reg} =")) {
            unused.push(format!("%{reg}: i32"));
        }
    }
    if !unused.is_empty() {
        body = body.replace("func &f() {\n", &format!("func &f() {{\nunassigned {}\n", unused.join(", ")));
    }
    body + "}\n"
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Number(u32),
    /// A local, in the order they were made.
    Local(usize),
    Uninit,
}

/// How a run ended.
#[derive(PartialEq, Eq, Debug)]
pub enum End {
    Return,
    Steps,
    BadPointer,
}

struct Run<'a> {
    program: &'a Program,
    regs: HashMap<Reg, Value>,
    locals: Vec<Value>,
    inputs: Rng,
    written: Vec<Value>,
}

/// What `&f` writes to its global with these inputs. A local is one cell; reading one that was never written gives
/// `Uninit`, as does arithmetic with `Uninit`.
pub fn run(program: &Program, inputs: u64) -> (Vec<Value>, End) {
    let inputs = Rng::new(inputs);
    let mut run = Run { program, regs: HashMap::new(), locals: Vec::new(), inputs, written: Vec::new() };
    let end = run.function();
    (run.written, end)
}

impl Run<'_> {
    fn value(&self, operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Reg(reg) => self.regs[&reg],
            OperandKind::Const(id) => match &self.program.constants[id] {
                Const::Int { bits, .. } => Value::Number(*bits as u32),
                other => panic!("{other:?} is no value of these functions"),
            },
        }
    }

    fn cell(&mut self, ptr: Operand) -> Option<&mut Value> {
        match self.value(ptr) {
            Value::Local(local) => Some(&mut self.locals[local]),
            Value::Number(_) | Value::Uninit => None,
        }
    }

    fn function(&mut self) -> End {
        let body = self.program.functions[FuncId::new(0)].body.as_ref().expect("&f has a body");
        let mut at = BlockId::new(0);
        for _ in 0..60 {
            let block = &body.blocks[at];
            for inst in &block.insts {
                if let Op::Assume { .. } = inst.op {
                    // Promotion has replaced a loop that does nothing.
                    return End::Steps;
                }
                match self.inst(&inst.op) {
                    Some(Some(value)) => {
                        self.regs.insert(inst.result.expect("a result"), value);
                    }
                    Some(None) => {}
                    None => return End::BadPointer,
                }
            }
            let target = match &block.terminator {
                Terminator::Jump(target) => target,
                Terminator::Branch { cond, then, otherwise } => match self.value(*cond) {
                    Value::Number(1) => then,
                    _ => otherwise,
                },
                Terminator::Switch(switch) => {
                    let value = self.value(switch.value);
                    let case = switch.cases.iter().find(|(case, _)| value == Value::Number(*case as u32));
                    case.map_or(&switch.default, |(_, target)| target)
                }
                Terminator::Return(_) | Terminator::Unreachable => return End::Return,
            };
            at = self.enter(target, &body.blocks[target.block].params);
        }
        End::Steps
    }

    /// All arguments are read before any parameter is assigned.
    fn enter(&mut self, target: &Target, params: &[Reg]) -> BlockId {
        let values: Vec<Value> = target.args.iter().map(|arg| self.value(*arg)).collect();
        self.regs.extend(params.iter().copied().zip(values));
        target.block
    }

    /// The result, if there is one; `None` if a pointer is invalid.
    fn inst(&mut self, op: &Op) -> Option<Option<Value>> {
        let is_global = |o: &Operand| o.as_const().is_some();
        Some(match op {
            Op::Alloca { .. } => {
                self.locals.push(Value::Uninit);
                Some(Value::Local(self.locals.len() - 1))
            }
            Op::Uninit { .. } => Some(Value::Uninit),
            Op::Load { ptr, .. } => Some(*self.cell(*ptr)?),
            Op::Store { ptr, value, .. } if is_global(ptr) => {
                self.written.push(self.value(*value));
                None
            }
            Op::Store { ptr, value, .. } => {
                let value = self.value(*value);
                *self.cell(*ptr)? = value;
                None
            }
            Op::ScopeBegin { ptr } | Op::ScopeEnd { ptr, .. } => {
                *self.cell(*ptr)? = Value::Uninit;
                None
            }
            Op::Input { ty, .. } => {
                let choices = if *ty == Type::BOOL { 2 } else { 3 };
                Some(Value::Number(self.inputs.below(choices) as u32))
            }
            Op::Binary { op, a, b, .. } => match (self.value(*a), self.value(*b)) {
                (Value::Number(a), Value::Number(b)) => {
                    let sum = eval::binary(*op, Width::W32, a as u64, b as u64, false);
                    Some(Value::Number(sum.expect("no division") as u32))
                }
                _ => Some(Value::Uninit),
            },
            other => panic!("{other:?} is not in these functions"),
        })
    }
}
