//! Branches on options of the models that are assumed to be off: what they guard is not imported, and the files of models that
//! only such code needs are not read. `tp_ir::decide_option` does the same, later, for what has been imported.

use super::FunctionImport;
use super::arithmetic::compare_op;
use crate::llvm::{Block, Value};
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use tp_ir::{Width, eval};

/// The blocks that a terminator can lead to. Exceptions are not followed.
fn successors(terminator: Value<'_>) -> Vec<Block<'_>> {
    match terminator.opcode() {
        LLVMOpcode::LLVMInvoke => terminator.invoke_normal().into_iter().collect(),
        LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch | LLVMOpcode::LLVMIndirectBr => terminator.successors(),
        _ => Vec::new(),
    }
}

impl<'a> FunctionImport<'_, 'a> {
    /// The blocks that can follow.
    pub(super) fn followed(&self, terminator: Value<'a>) -> Vec<Block<'a>> {
        match self.only_way(terminator) {
            Some(block) => vec![block],
            None => successors(terminator),
        }
    }

    /// The block that a branch leads to if an option that is off decides it.
    pub(super) fn only_way(&self, terminator: Value<'a>) -> Option<Block<'a>> {
        if terminator.opcode() != LLVMOpcode::LLVMBr || self.importer.off.is_empty() {
            return None;
        }
        let [then, otherwise] = terminator.successors()[..] else { return None };
        let holds = self.holds(terminator.branch_condition()?)?;
        Some(if holds { then } else { otherwise })
    }

    /// Whether a condition holds, if it compares an option that is off with a constant.
    fn holds(&self, condition: Value<'a>) -> Option<bool> {
        if condition.opcode() != LLVMOpcode::LLVMICmp {
            return None;
        }
        let (left, right) = (condition.operand(0)?, condition.operand(1)?);
        if left.opcode() != LLVMOpcode::LLVMLoad || !self.is_off(left.operand(0)?) {
            return None;
        }
        let with = u64::try_from(right.int_bits(32)?).ok()?;
        Some(eval::compare::<u64>(compare_op(condition.icmp_predicate()), Width::W32, 0, with))
    }

    fn is_off(&self, variable: Value<'a>) -> bool {
        matches!(variable.kind(), LLVMValueKind::LLVMGlobalVariableValueKind)
            && variable.initializer().is_none()
            && self.importer.off.contains(&variable.name().as_str())
    }
}
