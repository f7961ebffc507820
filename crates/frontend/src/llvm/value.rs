//! Values of LLVM: constants, globals, functions; and basic blocks.

use super::{Context, Meta, Module, Ty, copy_string, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind};
use std::marker::PhantomData;

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Value<'a> {
    raw: LLVMValueRef,
    context: PhantomData<&'a Context>,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Block<'a> {
    raw: LLVMBasicBlockRef,
    context: PhantomData<&'a Context>,
}

impl<'a> Block<'a> {
    /// # Safety
    /// `raw` is null or a block of a context that lives as long as 'a.
    pub(super) unsafe fn new(raw: LLVMBasicBlockRef) -> Option<Block<'a>> {
        (!raw.is_null()).then_some(Block { raw, context: PhantomData })
    }

    pub fn instructions(self) -> impl Iterator<Item = Value<'a>> {
        // SAFETY: the block lives as long as 'a.
        let first = unsafe { Value::new(LLVMGetFirstInstruction(self.raw)) };
        // SAFETY: each value is an instruction of the block.
        std::iter::successors(first, |i| unsafe { Value::new(LLVMGetNextInstruction(i.raw)) })
    }

    pub fn terminator(self) -> Option<Value<'a>> {
        // SAFETY: the block lives as long as 'a.
        unsafe { Value::new(LLVMGetBasicBlockTerminator(self.raw)) }
    }
}

/// Any value.
impl<'a> Value<'a> {
    /// # Safety
    /// `raw` is null or a value of a context that lives as long as 'a.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Option<Value<'a>> {
        (!raw.is_null()).then_some(Value { raw, context: PhantomData })
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    pub(super) fn context(self) -> LLVMContextRef {
        // SAFETY: any value belongs to a context.
        unsafe { LLVMGetValueContext(self.raw) }
    }

    pub fn kind(self) -> LLVMValueKind {
        // SAFETY: any value may be asked.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub fn ty(self) -> Ty<'a> {
        // SAFETY: any value has a type.
        unsafe { Ty::new(LLVMTypeOf(self.raw)) }
    }

    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the name is kept by the value; we copy it.
        unsafe {
            let raw = LLVMGetValueName2(self.raw, &mut len);
            copy_string(raw, len)
        }
    }

    pub fn printed(self) -> String {
        // SAFETY: any value can be printed.
        unsafe { take_message(LLVMPrintValueToString(self.raw)) }
    }

    pub fn is_constant(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    /// An operand of an instruction or a constant expression, or an element of a constant struct.
    pub fn operand(self, i: u32) -> Option<Value<'a>> {
        // SAFETY: the index is checked against the number of operands.
        unsafe { if i < self.operand_count() { Value::new(LLVMGetOperand(self.raw, i)) } else { None } }
    }

    pub fn operand_count(self) -> u32 {
        // SAFETY: instructions and constants are users; others are never asked.
        unsafe { LLVMGetNumOperands(self.raw).max(0) as u32 }
    }
}

/// Constants.
impl<'a> Value<'a> {
    pub fn is_null(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    pub fn constant_opcode(self) -> LLVMOpcode {
        // SAFETY: called on constant expressions.
        unsafe { LLVMGetConstOpcode(self.raw) }
    }

    /// The bits of an integer constant. The C interface gives only 64 of them, so wider ones are read from their text.
    pub fn int_bits(self, width: u32) -> Option<u128> {
        if width <= 64 {
            // SAFETY: called on integer constants of at most 64 bits.
            return Some(unsafe { LLVMConstIntGetZExtValue(self.raw) } as u128);
        }
        let text = self.printed();
        let digits = text.rsplit(' ').next()?;
        if let Ok(v) = digits.parse::<u128>() {
            return Some(v);
        }
        let v = digits.parse::<i128>().ok()? as u128;
        Some(if width < 128 { v & ((1 << width) - 1) } else { v })
    }

    /// The number of a float constant of type float or double.
    pub fn float_value(self) -> f64 {
        let mut lossy = 0;
        // SAFETY: called on float constants.
        unsafe { LLVMConstRealGetDouble(self.raw, &mut lossy) }
    }

    /// An element of a constant struct, array or vector, or of a zero or undefined one.
    pub fn element(self, i: u32) -> Option<Value<'a>> {
        // SAFETY: LLVM returns null when there is no such element.
        unsafe { Value::new(LLVMGetAggregateElement(self.raw, i)) }
    }

    /// The bytes of a constant data array.
    pub fn raw_data(self) -> Vec<u8> {
        let mut size: usize = 0;
        // SAFETY: called on constant data arrays. The binding declares the address of the size as a number.
        unsafe {
            let raw = LLVMGetRawDataValues(self.raw, &raw mut size as usize) as *const u8;
            if raw.is_null() { Vec::new() } else { std::slice::from_raw_parts(raw, size).to_vec() }
        }
    }

    /// Function and block of a block address.
    pub fn block_address(self) -> (Option<Value<'a>>, Option<Block<'a>>) {
        // SAFETY: called on block addresses.
        unsafe {
            (
                Value::new(LLVMGetBlockAddressFunction(self.raw)),
                Block::new(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }
}

/// Globals, functions and aliases.
impl<'a> Value<'a> {
    pub fn module(self) -> Module<'a> {
        // SAFETY: called on global values.
        Module { raw: unsafe { LLVMGetGlobalParent(self.raw) }, context: PhantomData }
    }

    pub fn linkage(self) -> LLVMLinkage {
        // SAFETY: called on global values.
        unsafe { LLVMGetLinkage(self.raw) }
    }

    pub fn is_declaration(self) -> bool {
        // SAFETY: called on global values.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// The type of what a global holds, or a function's type.
    pub fn value_type(self) -> Ty<'a> {
        // SAFETY: called on global values.
        unsafe { Ty::new(LLVMGlobalGetValueType(self.raw)) }
    }

    pub fn initializer(self) -> Option<Value<'a>> {
        // SAFETY: called on global variables.
        unsafe { Value::new(LLVMGetInitializer(self.raw)) }
    }

    pub fn is_thread_local(self) -> bool {
        // SAFETY: called on global variables.
        unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    pub fn is_global_constant(self) -> bool {
        // SAFETY: called on global variables.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// The alignment that an alloca, load, store or global states; 0 when it states none.
    pub fn alignment(self) -> u32 {
        // SAFETY: called on those.
        unsafe { LLVMGetAlignment(self.raw) }
    }

    pub fn aliasee(self) -> Option<Value<'a>> {
        // SAFETY: called on aliases.
        unsafe { Value::new(LLVMAliasGetAliasee(self.raw)) }
    }

    pub fn parameters(self) -> Vec<Value<'a>> {
        // SAFETY: called on functions.
        let first = unsafe { Value::new(LLVMGetFirstParam(self.raw)) };
        // SAFETY: each value is a parameter.
        std::iter::successors(first, |p| unsafe { Value::new(LLVMGetNextParam(p.raw)) }).collect()
    }

    pub fn blocks(self) -> impl Iterator<Item = Block<'a>> {
        // SAFETY: called on functions.
        let first = unsafe { Block::new(LLVMGetFirstBasicBlock(self.raw)) };
        // SAFETY: each block is one of the function.
        std::iter::successors(first, |b| unsafe { Block::new(LLVMGetNextBasicBlock(b.raw)) })
    }

    /// If the function is an intrinsic: its name, without the suffixes for types.
    pub fn intrinsic_name(self) -> Option<String> {
        // SAFETY: called on functions; the name of a known intrinsic is static.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw);
            if id == 0 {
                return None;
            }
            let mut len = 0;
            let raw = LLVMIntrinsicGetName(id, &mut len);
            Some(copy_string(raw, len))
        }
    }

    /// The type of the object that is copied for a `byval` parameter of a function.
    pub fn byval_parameter(self, i: u32) -> Option<Ty<'a>> {
        // SAFETY: called on functions; attribute indices of parameters start at 1.
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.raw, i + 1, byval_kind());
            (!attribute.is_null()).then(|| Ty::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Whether a function has this attribute.
    pub fn has_attribute(self, name: &std::ffi::CStr) -> bool {
        // SAFETY: called on functions; the name is a valid string of this length.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr(), name.count_bytes());
            !LLVMGetEnumAttributeAtIndex(self.raw, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
        }
    }

    /// Whether a parameter of a function is the address of a copy (`byval`) or of the result (`sret`).
    pub fn is_passed_in_memory(self, i: u32) -> bool {
        // SAFETY: called on functions; attribute indices of parameters start at 1.
        unsafe {
            let sret = LLVMGetEnumAttributeKindForName(c"sret".as_ptr(), 4);
            let has = |kind| !LLVMGetEnumAttributeAtIndex(self.raw, i + 1, kind).is_null();
            has(sret) || has(byval_kind())
        }
    }

    /// The function's node in the debug information.
    pub fn subprogram(self) -> Option<Meta<'a>> {
        // SAFETY: called on functions.
        unsafe { Meta::new(llvm_sys::debuginfo::LLVMGetSubprogram(self.raw), self.context()) }
            .and_then(Meta::location_or_subprogram)
    }

    /// The debug information attached to a global variable.
    pub fn global_debug_info(self) -> Option<Meta<'a>> {
        // SAFETY: called on global variables; the entries are freed after reading.
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &mut count);
            let debug_kind = 0;
            let found = (0..count as u32)
                .find(|&i| LLVMValueMetadataEntriesGetKind(entries, i) == debug_kind)
                .and_then(|i| Meta::new(LLVMValueMetadataEntriesGetMetadata(entries, i), self.context()));
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }
}

/// The number of the attribute `byval`.
pub(super) fn byval_kind() -> u32 {
    // SAFETY: the name is a valid string of this length.
    unsafe { LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5) }
}
