//! Arithmetic of constants, as in `INT_MAX + 1`, never gets into the code: clang puts a number in its place, or a value that
//! is not defined. So each source is compiled a second time, with checks before what can go wrong. They are only needed
//! where one of them is known to fail; everywhere else the plain code is taken, which means the same.

use crate::llvm::{Block, Module, Value};
use llvm_sys::LLVMOpcode;

/// What makes clang check. Its functions are in models/arithmetic.c.
pub const CHECKS: &[&str] =
    &["-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift-exponent,float-cast-overflow", "-w"];

/// Whether signed numbers wrap around by the user's wish: then nothing of this is an error.
pub fn is_defined(args: &[String]) -> bool {
    args.iter().any(|a| matches!(a.as_str(), "-fwrapv" | "-fno-strict-overflow"))
}

/// Whether a module with checks has one of constants that fails.
pub fn has_failing_check(module: Module<'_>) -> bool {
    module.functions().flat_map(|f| f.blocks()).any(|b| fails(b) || b.instructions().any(overflows))
}

/// A check that is no longer one, because its condition is known.
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

/// Of constants, clang checks only what overflows.
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
