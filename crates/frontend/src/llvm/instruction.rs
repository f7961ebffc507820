//! What instructions of LLVM say about themselves.

use super::value::byval_kind;
use super::{Block, DebugRecord, Meta, Ty, Value, copy_string};
use llvm_sys::core::*;
use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

/// Instructions. Accessors are called on the instruction that their name says.
impl<'a> Value<'a> {
    pub fn opcode(self) -> LLVMOpcode {
        // SAFETY: called on instructions.
        unsafe { LLVMGetInstructionOpcode(self.raw()) }
    }

    pub fn icmp_predicate(self) -> LLVMIntPredicate {
        // SAFETY: called on icmp.
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    pub fn fcmp_predicate(self) -> LLVMRealPredicate {
        // SAFETY: called on fcmp.
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }

    /// Of an add, sub or mul: signed overflow is undefined.
    pub fn no_signed_wrap(self) -> bool {
        // SAFETY: called on those.
        unsafe { LLVMGetNSW(self.raw()) != 0 }
    }

    /// Of a load, store, fence or atomicrmw.
    pub fn ordering(self) -> LLVMAtomicOrdering {
        // SAFETY: called on those.
        unsafe { LLVMGetOrdering(self.raw()) }
    }

    pub fn cmpxchg_orderings(self) -> (LLVMAtomicOrdering, LLVMAtomicOrdering) {
        // SAFETY: called on cmpxchg.
        unsafe { (LLVMGetCmpXchgSuccessOrdering(self.raw()), LLVMGetCmpXchgFailureOrdering(self.raw())) }
    }

    /// Of cmpxchg: it may fail where it would succeed.
    pub fn is_weak(self) -> bool {
        // SAFETY: called on cmpxchg.
        unsafe { LLVMGetWeak(self.raw()) != 0 }
    }

    /// Of an atomic instruction: it orders only against the same thread's signal handlers.
    pub fn is_single_thread(self) -> bool {
        // SAFETY: called on atomic instructions.
        unsafe { LLVMIsAtomicSingleThread(self.raw()) != 0 }
    }

    pub fn rmw_op(self) -> LLVMAtomicRMWBinOp {
        // SAFETY: called on atomicrmw.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    pub fn allocated_type(self) -> Ty<'a> {
        // SAFETY: called on alloca.
        unsafe { Ty::new(LLVMGetAllocatedType(self.raw())) }
    }

    /// Of a getelementptr, instruction or constant expression.
    pub fn gep_source_type(self) -> Ty<'a> {
        // SAFETY: called on those.
        unsafe { Ty::new(LLVMGetGEPSourceElementType(self.raw())) }
    }

    /// The path of an extractvalue or insertvalue.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: LLVM keeps as many indices as it says.
        unsafe {
            let n = LLVMGetNumIndices(self.raw()) as usize;
            if n == 0 {
                Vec::new()
            } else {
                std::slice::from_raw_parts(LLVMGetIndices(self.raw()), n).to_vec()
            }
        }
    }

    /// The lanes of a shufflevector; `None` where a lane does not matter.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: called on shufflevector.
        unsafe {
            let n = LLVMGetNumMaskElements(self.raw());
            (0..n).map(|i| u32::try_from(LLVMGetMaskValue(self.raw(), i)).ok()).collect()
        }
    }

    pub fn incoming(self) -> impl Iterator<Item = (Block<'a>, Value<'a>)> {
        // SAFETY: called on phi.
        let n = unsafe { LLVMCountIncoming(self.raw()) };
        (0..n).filter_map(move |i| {
            // SAFETY: the index is below the count.
            unsafe {
                let block = Block::new(LLVMGetIncomingBlock(self.raw(), i))?;
                Some((block, Value::new(LLVMGetIncomingValue(self.raw(), i))?))
            }
        })
    }

    /// Of a terminator other than a return.
    pub fn successors(self) -> Vec<Block<'a>> {
        // SAFETY: called on terminators, with indices below the count.
        unsafe {
            let n = LLVMGetNumSuccessors(self.raw());
            (0..n).filter_map(|i| Block::new(LLVMGetSuccessor(self.raw(), i))).collect()
        }
    }

    /// The condition of a conditional branch.
    pub fn branch_condition(self) -> Option<Value<'a>> {
        // SAFETY: called on br.
        unsafe {
            if LLVMIsConditional(self.raw()) != 0 { Value::new(LLVMGetCondition(self.raw())) } else { None }
        }
    }

    /// The value of a switch for one of its successors; the first is the default and has none.
    pub fn switch_case(self, successor: u32) -> Option<Value<'a>> {
        // SAFETY: called on switch with one of its successors.
        unsafe {
            if successor > 0 { Value::new(LLVMGetSwitchCaseValue(self.raw(), successor)) } else { None }
        }
    }

    pub fn invoke_normal(self) -> Option<Block<'a>> {
        // SAFETY: called on invoke.
        unsafe { Block::new(LLVMGetNormalDest(self.raw())) }
    }

    pub fn debug_location(self) -> Option<Meta<'a>> {
        // SAFETY: called on instructions.
        unsafe { Meta::new(llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(self.raw()), self.context()) }
            .and_then(Meta::location_or_subprogram)
    }

    /// The variables that the debug information binds just before an instruction.
    pub fn debug_records(self) -> impl Iterator<Item = DebugRecord<'a>> {
        // SAFETY: called on instructions.
        let first = unsafe { DebugRecord::new(LLVMGetFirstDbgRecord(self.raw()), self.context()) };
        std::iter::successors(first, |r| r.next())
    }
}

/// Calls.
impl<'a> Value<'a> {
    pub fn called_value(self) -> Option<Value<'a>> {
        // SAFETY: called on call and invoke.
        unsafe { Value::new(LLVMGetCalledValue(self.raw())) }
    }

    pub fn called_type(self) -> Ty<'a> {
        // SAFETY: called on call and invoke.
        unsafe { Ty::new(LLVMGetCalledFunctionType(self.raw())) }
    }

    pub fn arguments(self) -> Vec<Value<'a>> {
        // SAFETY: called on call and invoke; the arguments are the first operands.
        unsafe {
            let n = LLVMGetNumArgOperands(self.raw());
            (0..n).filter_map(|i| Value::new(LLVMGetOperand(self.raw(), i))).collect()
        }
    }

    pub fn byval_argument(self, i: u32) -> Option<Ty<'a>> {
        // SAFETY: called on call and invoke; attribute indices of arguments start at 1.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw(), i + 1, byval_kind());
            (!attribute.is_null()).then(|| Ty::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Template and constraints of inline assembly.
    pub fn inline_asm(self) -> (String, String) {
        // SAFETY: called on inline assembly; the strings are kept by the value.
        unsafe {
            let mut len = 0;
            let template = copy_string(LLVMGetInlineAsmAsmString(self.raw(), &mut len), len);
            let mut len = 0;
            let constraints = copy_string(LLVMGetInlineAsmConstraintString(self.raw(), &mut len), len);
            (template, constraints)
        }
    }
}
