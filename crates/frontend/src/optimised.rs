//! Whether a module was optimised before we read it. LLVM's passes are only correct for programs without races: they
//! move loads over branches and drop accesses, and so can introduce races that the source does not have.
//!
//! A module does not record this. But clang marks the functions that it does not optimise with `optnone`, and stores
//! every parameter in a local; any optimisation begins by removing these locals.

use crate::llvm::{Module, Value};
use llvm_sys::{LLVMOpcode, LLVMValueKind};

/// Whether some function looks optimised.
pub fn is_optimised(module: Module<'_>) -> bool {
    module.functions().filter(|f| !f.is_declaration() && !f.has_attribute(c"optnone")).any(|function| {
        let stored = stored_in_locals(function);
        let parameters = function.parameters().into_iter().enumerate();
        let mut kept = parameters.filter(|(i, _)| !function.is_passed_in_memory(*i as u32));
        kept.any(|(_, parameter)| !stored.contains(&parameter))
    })
}

/// The values that a function stores in locals.
fn stored_in_locals(function: Value<'_>) -> Vec<Value<'_>> {
    let instructions = function.blocks().flat_map(|block| block.instructions());
    let stores = instructions.filter(|i| i.opcode() == LLVMOpcode::LLVMStore);
    stores.filter_map(|store| store.operand(0).filter(|_| store.operand(1).is_some_and(is_local))).collect()
}

/// An address in a local: of the whole, or of one part of a struct that is passed in parts.
fn is_local(address: Value<'_>) -> bool {
    if address.kind() != LLVMValueKind::LLVMInstructionValueKind {
        return false;
    }
    match address.opcode() {
        LLVMOpcode::LLVMAlloca => true,
        LLVMOpcode::LLVMGetElementPtr => address.operand(0).is_some_and(is_local),
        _ => false,
    }
}
