//! What a branch tells about the register that its condition tests, and so about locks.

use super::FlowState;
use crate::address::{Definitions, constant};
use crate::callgraph::ContextId;
use tp_ir::{BinOp, BlockId, CastOp, CmpOp, Op, Operand, Program, Reg, Terminator};

/// A condition that tells whether a register is 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Test {
    register: Reg,
    /// The register is 0 exactly if the condition has this value.
    is_zero_if: bool,
}

/// The register at the end of a chain of comparisons with 0, extensions and negations.
fn tested(program: &Program, definitions: &Definitions<'_>, cond: Operand) -> Option<Test> {
    let mut test = Test { register: cond.as_reg()?, is_zero_if: false };
    let mut is_bool = true;
    while let Some(op) = definitions.op(test.register) {
        let (next, turns) = match op {
            Op::Cmp { op: CmpOp::Eq, a, b, .. } if constant(program, *b) == Some(0) => (a.as_reg(), true),
            Op::Cmp { op: CmpOp::Ne, a, b, .. } if constant(program, *b) == Some(0) => (a.as_reg(), false),
            Op::Cast { op: CastOp::ZExt | CastOp::SExt, a, .. } => (a.as_reg(), false),
            // As a signed number, a single 1 bit is -1.
            Op::Binary { op: BinOp::Xor, width, a, b, .. }
                if width.bits() == 1 && constant(program, *b) == Some(-1) =>
            {
                (a.as_reg(), true)
            }
            _ => break,
        };
        let Some(register) = next else { break };
        test = Test { register, is_zero_if: test.is_zero_if ^ turns };
        is_bool = false;
    }
    (!is_bool).then_some(test)
}

/// The outgoing edges of a block, each with the register that is tested and whether it is 0 there.
pub fn tests(
    program: &Program,
    definitions: Option<&Definitions<'_>>,
    terminator: &Terminator,
) -> Vec<(BlockId, Option<(Reg, bool)>)> {
    match terminator {
        Terminator::Branch { cond, then, otherwise } => {
            let test = definitions.and_then(|definitions| tested(program, definitions, *cond));
            let when = |holds: bool| test.map(|test| (test.register, test.is_zero_if == holds));
            vec![(then.block, when(true)), (otherwise.block, when(false))]
        }
        Terminator::Switch(switch) => {
            let when = |is_zero: bool| switch.value.as_reg().map(|register| (register, is_zero));
            let cases = switch.cases.iter().map(|(value, target)| (target.block, when(*value == 0)));
            // The default may be for other values than 0, so it counts as not 0.
            cases.chain([(switch.default.block, when(false))]).collect()
        }
        Terminator::Jump(target) => vec![(target.block, None)],
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// The outgoing edges of a block with their states: a branch tells whether a lock was taken.
pub fn edges(
    program: &Program,
    definitions: Option<&Definitions<'_>>,
    context: ContextId,
    terminator: &Terminator,
    state: &FlowState,
) -> Vec<(BlockId, FlowState)> {
    let definitions = definitions.filter(|_| !state.tried.is_empty());
    let decided = |test: Option<(Reg, bool)>| match test {
        Some((register, is_zero)) => decide(context, state, register, is_zero),
        None => state.clone(),
    };
    let edges = tests(program, definitions, terminator).into_iter();
    edges.map(|(target, test)| (target, decided(test))).collect()
}

fn decide(context: ContextId, state: &FlowState, register: Reg, is_zero: bool) -> FlowState {
    let mut state = state.clone();
    if let Some((lock, hold)) = state.tried.remove(&(context, register))
        && is_zero
    {
        state.lock(lock, hold);
    }
    state
}
