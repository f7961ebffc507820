//! Arithmetic on constants, as in `INT_MAX + 1`, never reaches the code: clang replaces it by a number, or by an
//! undefined value. So each source is also compiled with checks before operations that can go wrong. That version is
//! only used if one of its checks is known to fail; otherwise the plain code is used, which means the same.

use crate::llvm::{Block, Module, Value};
use llvm_sys::LLVMOpcode;

/// The flags that add the checks. The functions that failing checks call are in models/arithmetic.c.
pub const CHECKS: &[&str] =
    &["-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift-exponent,float-cast-overflow", "-w"];

/// Whether the user asks for signed arithmetic that wraps: then no checks are added.
pub fn is_defined(args: &[String]) -> bool {
    args.iter().any(|a| matches!(a.as_str(), "-fwrapv" | "-fno-strict-overflow"))
}

/// Whether a module with checks has one that is known to fail.
pub fn has_failing_check(module: Module<'_>) -> bool {
    module.functions().flat_map(|f| f.blocks()).any(|b| fails(b) || b.instructions().any(overflows))
}

/// A check whose condition is the constant false.
fn fails(block: Block<'_>) -> bool {
    let Some(last) = block.terminator().filter(|last| last.opcode() == LLVMOpcode::LLVMBr) else {
        return false;
    };
    match (last.branch_condition(), &last.successors()[..]) {
        (Some(cond), &[_, failed]) if cond.is_null() => {
            let mut called = failed.instructions().filter_map(called_name);
            called.any(|name| name.starts_with("__ubsan_handle_"))
        }
        _ => false,
    }
}

/// Clang folds operations on constants, and so their checks, unless they overflow.
fn overflows(instruction: Value<'_>) -> bool {
    called_name(instruction)
        .is_some_and(|name| name.starts_with("llvm.s") && name.contains(".with.overflow."))
        && instruction.arguments().iter().all(|a| a.is_constant())
}

fn called_name(instruction: Value<'_>) -> Option<String> {
    (instruction.opcode() == LLVMOpcode::LLVMCall)
        .then(|| instruction.called_value())
        .flatten()
        .map(|f| f.name())
}
