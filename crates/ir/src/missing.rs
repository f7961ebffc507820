//! Functions that the program uses and that have neither body nor model, with how often and where.

use crate::*;
use std::collections::HashMap;

/// A function without body and model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingFunction {
    pub function: FuncId,
    /// How many calls of it the program has; taking its address counts as one.
    pub uses: usize,
    /// The first of them, in the order in which functions are reached from `main`.
    pub first: PlaceId,
}

/// The functions without body that the program's own code, or a model that the user adds, uses: the most used first,
/// then by name. What only our models use is left out: it stands for a case that they do not have.
pub fn missing_functions(program: &Program) -> Vec<MissingFunction> {
    let mut uses = Uses { program, found: HashMap::new() };
    for f in program.functions.values().filter(|f| !f.embedded) {
        let blocks = f.body.iter().flat_map(|body| body.blocks.values());
        blocks.for_each(|block| uses.of_block(block));
    }
    for global in program.globals.values().filter(|g| g.origin == Origin::User) {
        if let Init::Bytes { pointers, .. } = &global.init {
            pointers.iter().for_each(|&(_, constant)| uses.of_constant(constant, global.place));
        }
    }
    let mut list: Vec<MissingFunction> = uses.found.into_values().collect();
    let name = |missing: &MissingFunction| &program.functions[missing.function].name;
    list.sort_by(|a, b| b.uses.cmp(&a.uses).then_with(|| name(a).cmp(name(b))));
    list
}

struct Uses<'p> {
    program: &'p Program,
    found: HashMap<FuncId, MissingFunction>,
}

impl Uses<'_> {
    fn of_block(&mut self, block: &Block) {
        for inst in &block.insts {
            if let Op::Call(call) = &inst.op
                && let Callee::Direct(function) = call.callee
            {
                self.add(function, inst.place);
            }
            inst.op.each_operand(|&operand, _| self.of_operand(operand, inst.place));
        }
        block.terminator.each_operand(|operand, _| self.of_operand(operand, block.terminator_place));
    }

    fn of_operand(&mut self, operand: Operand, place: PlaceId) {
        if let OperandKind::Const(constant) = operand.kind() {
            self.of_constant(constant, place);
        }
    }

    fn of_constant(&mut self, constant: ConstId, place: PlaceId) {
        if let Const::Function(function) = self.program.constants[constant] {
            self.add(function, place);
        }
    }

    fn add(&mut self, function: FuncId, place: PlaceId) {
        if self.program.functions[function].body.is_none() {
            let first = MissingFunction { function, uses: 0, first: place };
            self.found.entry(function).or_insert(first).uses += 1;
        }
    }
}
