//! What a branch says about the register that its condition was made from.

use crate::address::{Definitions, constant};
use tp_ir::{BinOp, CastOp, CmpOp, Op, Operand, Program, Reg};

/// A condition that tells whether a register is 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Test {
    pub register: Reg,
    /// The register is 0 if the condition is this, and is not otherwise.
    pub is_zero_if: bool,
}

/// The register at the end of a chain of comparisons with 0, extensions and negations.
pub fn tested(program: &Program, definitions: &Definitions<'_>, cond: Operand) -> Option<Test> {
    let mut test = Test { register: cond.as_reg()?, is_zero_if: false };
    let mut is_bool = true;
    while let Some(op) = definitions.op(test.register) {
        let (next, turns) = match op {
            Op::Cmp { op: CmpOp::Eq, a, b, .. } if constant(program, *b) == Some(0) => (a.as_reg(), true),
            Op::Cmp { op: CmpOp::Ne, a, b, .. } if constant(program, *b) == Some(0) => (a.as_reg(), false),
            Op::Cast { op: CastOp::ZExt | CastOp::SExt, a, .. } => (a.as_reg(), false),
            // The one number of one bit that is not 0 is -1 when it has a sign.
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
