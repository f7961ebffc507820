//! Finds the variables of the models that no other code can touch.
//!
//! A model may hand out the address of a variable (`__errno_location`), or pass it to the program (the strings of
//! `argv`). The address of each variable is followed forwards from every mention. It may be moved (`PtrAdd`, `Select`,
//! block parameters), compared, used to access memory, and returned to a caller that does no more with it. Anything
//! else (passing it as an argument, storing it, converting it to an integer) lets it escape; the variable is then
//! memory like any other.
//!
//! An internal variable is accessed by models only, or never written (`stdout`), or thread-local. So `errno` is
//! internal in a program that reads and sets it, but not in one that keeps its address.

use crate::{
    Body, Callee, Const, ConstId, FuncId, Global, GlobalId, Init, Inst, Op, Operand, OperandKind, Origin,
    Program, Reg, Terminator,
};
use cranelift_entity::SecondaryMap;
use std::collections::HashSet;

pub(super) fn mark(program: &mut Program) {
    let leaks = Search::new(program).run();
    for (id, global) in &mut program.globals {
        global.internal = is_candidate(global) && !leaks.contains(&id);
    }
}

fn is_candidate(global: &Global) -> bool {
    global.origin == Origin::Model && !global.constant
}

/// How a variable is used.
#[derive(Clone, Default)]
struct Use {
    escapes: bool,
    /// In `Search::uses`, only accesses by the user's code count.
    is_touched: bool,
    is_written: bool,
}

struct Search<'p> {
    program: &'p Program,
    uses: SecondaryMap<GlobalId, Use>,
    /// Functions that can be called through a pointer.
    taken: HashSet<FuncId>,
    /// Caller, callee and variable of the returned addresses that were followed already.
    followed: HashSet<(FuncId, FuncId, GlobalId)>,
    /// Functions that return the address of a variable, and whose callers are still to be examined.
    returned: Vec<(FuncId, GlobalId)>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Search<'p> {
        let taken = program.constants.values().filter_map(|c| match c {
            Const::Function(f) => Some(*f),
            _ => None,
        });
        Search {
            program,
            uses: SecondaryMap::new(),
            taken: taken.collect(),
            followed: HashSet::new(),
            returned: Vec::new(),
        }
    }

    /// The variables that cannot be internal.
    fn run(mut self) -> HashSet<GlobalId> {
        self.in_initialisers();
        let program = self.program;
        for (id, function) in &program.functions {
            let Some(body) = &function.body else { continue };
            for global in self.mentioned(body) {
                self.follow(id, body, global, None);
            }
        }
        while let Some((callee, global)) = self.returned.pop() {
            if self.taken.contains(&callee) {
                self.uses[global].escapes = true;
                continue;
            }
            for (id, function) in &program.functions {
                if let Some(body) = &function.body
                    && calls(body, callee)
                    && self.followed.insert((id, callee, global))
                {
                    self.follow(id, body, global, Some(callee));
                }
            }
        }
        let of_others = |(id, u): (GlobalId, &Use)| {
            let is_shared = !program.globals[id].thread_local;
            (u.escapes || is_shared && u.is_touched && u.is_written).then_some(id)
        };
        program.globals.keys().map(|id| (id, &self.uses[id])).filter_map(of_others).collect()
    }

    /// A variable whose address is in an initialiser can be reached through the initialised variable.
    fn in_initialisers(&mut self) {
        for global in self.program.globals.values() {
            if let Init::Bytes { pointers, .. } = &global.init {
                for &(_, constant) in pointers {
                    if let Some(to) = self.variable(constant) {
                        self.uses[to].escapes = true;
                    }
                }
            }
        }
    }

    fn variable(&self, constant: ConstId) -> Option<GlobalId> {
        match self.program.constants[constant] {
            Const::Global { global, .. } if is_candidate(&self.program.globals[global]) => Some(global),
            _ => None,
        }
    }

    /// The candidates whose address is in the code of a function.
    fn mentioned(&self, body: &Body) -> Vec<GlobalId> {
        let mut found = Vec::new();
        let mut note = |global: Option<GlobalId>| {
            if let Some(global) = global
                && !found.contains(&global)
            {
                found.push(global);
            }
        };
        let of = |operand: Operand| operand.as_const().and_then(|c| self.variable(c));
        for block in body.blocks.values() {
            for inst in &block.insts {
                if let Op::ThreadLocal { global } = inst.op {
                    note(Some(global).filter(|&g| is_candidate(&self.program.globals[g])));
                }
                inst.op.each_operand(|operand, _| note(of(*operand)));
            }
            block.terminator.each_operand(|operand, _| note(of(operand)));
            block.terminator.each_target(|target| target.args.iter().for_each(|&arg| note(of(arg))));
        }
        found
    }

    /// Follows the address of `global` through a function: from its mentions, or from the results of calls of `from`.
    fn follow(&mut self, id: FuncId, body: &Body, global: GlobalId, from: Option<FuncId>) {
        let addresses = addresses(self.program, body, global, from);
        let is_address = |operand: Operand| addresses.has(operand);
        let mut found = Use::default();
        let mut returns = false;
        for block in body.blocks.values() {
            for inst in &block.insts {
                note_use(&inst.op, &is_address, &mut found);
            }
            match &block.terminator {
                Terminator::Return(values) => returns |= values.iter().any(|&v| is_address(v)),
                terminator => terminator.each_operand(|o, _| found.escapes |= is_address(o)),
            }
        }
        let row = &mut self.uses[global];
        row.escapes |= found.escapes;
        row.is_written |= found.is_written;
        row.is_touched |= found.is_touched && self.program.functions[id].origin != Origin::Model;
        if returns {
            self.returned.push((id, global));
        }
    }
}

fn calls(body: &Body, callee: FuncId) -> bool {
    body.blocks.values().flat_map(|b| &b.insts).any(|inst| calls_directly(inst, callee))
}

fn calls_directly(inst: &Inst, callee: FuncId) -> bool {
    matches!(&inst.op, Op::Call(call) if call.callee == Callee::Direct(callee))
}

/// The operands that hold the address in a function: registers, and constants unless it comes from a call.
struct Addresses<'p> {
    program: &'p Program,
    constant: Option<GlobalId>,
    regs: HashSet<Reg>,
}

impl Addresses<'_> {
    fn has(&self, operand: Operand) -> bool {
        match operand.kind() {
            OperandKind::Reg(reg) => self.regs.contains(&reg),
            OperandKind::Const(c) => {
                matches!(self.program.constants[c], Const::Global { global, .. } if Some(global) == self.constant)
            }
        }
    }

    /// Adds `to` if one of `from` holds the address. Returns whether it is new.
    fn moves(&mut self, from: &[Operand], to: Option<Reg>) -> bool {
        to.is_some_and(|to| from.iter().any(|&f| self.has(f)) && self.regs.insert(to))
    }
}

fn addresses<'p>(program: &'p Program, body: &Body, global: GlobalId, from: Option<FuncId>) -> Addresses<'p> {
    let mut regs = HashSet::new();
    for inst in body.blocks.values().flat_map(|b| &b.insts) {
        match from {
            Some(callee) if calls_directly(inst, callee) => regs.extend(inst.results()),
            None if inst.op == (Op::ThreadLocal { global }) => regs.extend(inst.result),
            _ => {}
        }
    }
    let constant = if from.is_none() { Some(global) } else { None };
    let mut found = Addresses { program, constant, regs };
    while spread(body, &mut found) {}
    found
}

fn spread(body: &Body, found: &mut Addresses<'_>) -> bool {
    let mut news = false;
    for block in body.blocks.values() {
        for inst in &block.insts {
            news |= match inst.op {
                Op::PtrAdd { base, .. } => found.moves(&[base], inst.result),
                Op::Select { a, b, .. } => found.moves(&[a, b], inst.result),
                _ => false,
            };
        }
        block.terminator.each_target(|target| {
            for (arg, param) in target.args.iter().zip(&body.blocks[target.block].params) {
                news |= found.moves(&[*arg], Some(*param));
            }
        });
    }
    news
}

/// Records what an instruction does with the address, except moving it: `spread` follows moves.
fn note_use(op: &Op, is_address: &impl Fn(Operand) -> bool, found: &mut Use) {
    let mut accesses = |ptr: &Operand, writes: bool| {
        if is_address(*ptr) {
            found.is_touched = true;
            found.is_written |= writes;
        }
    };
    match op {
        Op::Load { ptr, .. } => accesses(ptr, false),
        Op::Store { ptr, .. } | Op::Rmw { ptr, .. } | Op::CmpXchg { ptr, .. } => accesses(ptr, true),
        Op::Copy { dst, src, .. } => {
            accesses(dst, true);
            accesses(src, false);
        }
        Op::Set { dst, .. } => accesses(dst, true),
        _ => {}
    }
    found.escapes |= match op {
        Op::Store { value, .. } | Op::Rmw { value, .. } => is_address(*value),
        Op::CmpXchg { expected, new, .. } => is_address(*expected) || is_address(*new),
        Op::Load { .. } | Op::Copy { .. } | Op::Set { .. } => false,
        Op::Cmp { .. } | Op::Select { .. } | Op::PtrAdd { .. } => false,
        _ => {
            let mut any = false;
            op.each_operand(|operand, _| any |= is_address(*operand));
            any
        }
    };
}
