//! What a branch says about the register that its condition was made from.

use tp_ir::{BinOp, Body, CastOp, CmpOp, Const, Op, Operand, OperandKind, Program, Reg};

/// A condition that tells whether a register is 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Test {
    pub register: Reg,
    /// The register is 0 if the condition is this, and is not otherwise.
    pub is_zero_if: bool,
}

/// The register at the end of a chain of comparisons with 0, extensions and negations.
pub fn tested(program: &Program, body: &Body, cond: Operand) -> Option<Test> {
    let mut test = Test { register: cond.as_reg()?, is_zero_if: false };
    let mut is_bool = true;
    while let Some(op) = definition(body, test.register) {
        let (next, turns) = match op {
            Op::Cmp { op: CmpOp::Eq, a, b, .. } if is_zero(program, *b) => (a.as_reg(), true),
            Op::Cmp { op: CmpOp::Ne, a, b, .. } if is_zero(program, *b) => (a.as_reg(), false),
            Op::Cast { op: CastOp::ZExt | CastOp::SExt, a, .. } => (a.as_reg(), false),
            Op::Binary { op: BinOp::Xor, width, a, b, .. } if width.bits() == 1 && is_one(program, *b) => {
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

fn definition(body: &Body, register: Reg) -> Option<&Op> {
    let insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.into_iter().find(|inst| inst.result == Some(register)).map(|inst| &inst.op)
}

fn is_zero(program: &Program, operand: Operand) -> bool {
    is_int(program, operand, 0)
}

fn is_one(program: &Program, operand: Operand) -> bool {
    is_int(program, operand, 1)
}

fn is_int(program: &Program, operand: Operand, number: u128) -> bool {
    match operand.kind() {
        OperandKind::Const(c) => matches!(program.constants[c], Const::Int { bits, .. } if bits == number),
        OperandKind::Reg(_) => false,
    }
}
