//! Debug information: nodes of metadata and the records that bind variables.
//!
//! The C interface reads few fields of these nodes by name; the others are operands at fixed positions, which the
//! functions below name. The positions are those of LLVM 22. Bitcode that passes LLVM's verifier may still hold nodes
//! of the wrong kind, so every node is checked where it is taken.

use super::{Context, Value, copy_string};
use llvm_sys::LLVMDbgRecordKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::ffi::c_uint;
use std::marker::PhantomData;

use llvm_sys::debuginfo::LLVMMetadataKind as MetaKind;

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Meta<'a> {
    raw: LLVMMetadataRef,
    context: LLVMContextRef,
    lives: PhantomData<&'a Context>,
}

impl<'a> Meta<'a> {
    /// # Safety
    /// `raw` is null or metadata of `context`, which lives as long as 'a.
    pub(super) unsafe fn new(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<Meta<'a>> {
        (!raw.is_null()).then_some(Meta { raw, context, lives: PhantomData })
    }

    fn kind(self) -> MetaKind {
        // SAFETY: any metadata may be asked.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    /// Another node of the same context, if it is of the right kind.
    ///
    /// # Safety
    /// `raw` is null or metadata of the same context.
    unsafe fn sibling(self, raw: LLVMMetadataRef, wanted: fn(MetaKind) -> bool) -> Option<Meta<'a>> {
        // SAFETY: by the contract of this function.
        unsafe { Meta::new(raw, self.context) }.filter(|m| wanted(m.kind()))
    }

    /// The node itself, if it is a location or a function.
    pub(super) fn location_or_subprogram(self) -> Option<Meta<'a>> {
        let fits = matches!(
            self.kind(),
            MetaKind::LLVMDILocationMetadataKind | MetaKind::LLVMDISubprogramMetadataKind
        );
        fits.then_some(self)
    }

    fn operands(self) -> Vec<LLVMValueRef> {
        // SAFETY: called on nodes; the buffer has room for every operand.
        unsafe {
            let node = LLVMMetadataAsValue(self.context, self.raw);
            let mut list = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            if !list.is_empty() {
                LLVMGetMDNodeOperands(node, list.as_mut_ptr());
            }
            list
        }
    }

    fn node_operand(self, i: usize, wanted: fn(MetaKind) -> bool) -> Option<Meta<'a>> {
        let raw = self.operands().get(i).copied().filter(|raw| !raw.is_null())?;
        // SAFETY: the operand is a value of the context; only nodes are taken.
        unsafe {
            if LLVMIsAMDNode(raw).is_null() { None } else { self.sibling(LLVMValueAsMetadata(raw), wanted) }
        }
    }

    fn text_operand(self, i: usize) -> Option<String> {
        let raw = self.operands().get(i).copied().filter(|raw| !raw.is_null())?;
        let mut len: c_uint = 0;
        // SAFETY: LLVM returns null when the operand is not a string.
        unsafe {
            let text = LLVMGetMDString(raw, &mut len);
            (!text.is_null()).then(|| copy_string(text, len as usize))
        }
    }
}

/// Places.
impl<'a> Meta<'a> {
    /// Line and column of a location.
    pub fn line_and_column(self) -> (u32, u32) {
        // SAFETY: called on locations.
        unsafe { (LLVMDILocationGetLine(self.raw), LLVMDILocationGetColumn(self.raw)) }
    }

    /// The scope of a location.
    pub fn location_scope(self) -> Option<Meta<'a>> {
        // SAFETY: called on locations.
        unsafe { self.sibling(LLVMDILocationGetScope(self.raw), is_scope) }
    }

    /// Where the code of a location was inlined.
    pub fn inlined_at(self) -> Option<Meta<'a>> {
        // SAFETY: called on locations.
        unsafe { self.sibling(LLVMDILocationGetInlinedAt(self.raw), is_location) }
    }

    /// The file of a scope.
    pub fn scope_file(self) -> Option<Meta<'a>> {
        // SAFETY: called on scopes.
        unsafe { self.sibling(LLVMDIScopeGetFile(self.raw), is_file) }
    }

    /// Whether the scope is a lexical block, not a whole function or file.
    pub fn is_lexical_block(self) -> bool {
        matches!(self.kind(), MetaKind::LLVMDILexicalBlockMetadataKind)
    }

    /// Strips the scopes that only say that a block or function continues in another file.
    pub fn without_files(self) -> Meta<'a> {
        let mut scope = self;
        while matches!(scope.kind(), MetaKind::LLVMDILexicalBlockFileMetadataKind)
            && let Some(outer) = scope.node_operand(1, is_scope)
        {
            scope = outer;
        }
        scope
    }

    /// Whether the scope is this block, or lies in it.
    pub fn is_within(self, block: Meta<'a>) -> bool {
        let mut scope = self;
        while scope != block {
            let is_block = matches!(
                scope.kind(),
                MetaKind::LLVMDILexicalBlockMetadataKind | MetaKind::LLVMDILexicalBlockFileMetadataKind
            );
            match scope.node_operand(1, is_scope).filter(|_| is_block) {
                Some(outer) => scope = outer,
                None => return false,
            }
        }
        true
    }

    /// Directory and name of a file.
    pub fn file_path(self) -> (String, String) {
        (self.text_operand(1).unwrap_or_default(), self.text_operand(0).unwrap_or_default())
    }

    /// The line of a function.
    pub fn subprogram_line(self) -> u32 {
        // SAFETY: called on subprograms.
        unsafe { LLVMDISubprogramGetLine(self.raw) }
    }
}

/// Variables.
impl<'a> Meta<'a> {
    /// The variable in the debug information of a global.
    pub fn global_variable(self) -> Option<Meta<'a>> {
        match self.kind() {
            MetaKind::LLVMDIGlobalVariableExpressionMetadataKind => {
                // SAFETY: the kind was just matched.
                unsafe { self.sibling(LLVMDIGlobalVariableExpressionGetVariable(self.raw), is_variable) }
            }
            MetaKind::LLVMDIGlobalVariableMetadataKind => Some(self),
            _ => None,
        }
    }

    /// The block or function that a local variable is declared in.
    pub fn variable_scope(self) -> Option<Meta<'a>> {
        self.node_operand(0, is_scope)
    }

    pub fn variable_name(self) -> Option<String> {
        self.text_operand(1).filter(|name| !name.is_empty())
    }

    pub fn variable_type(self) -> Option<Meta<'a>> {
        self.node_operand(3, is_type)
    }

    pub fn variable_file(self) -> Option<Meta<'a>> {
        // SAFETY: called on variables.
        unsafe { self.sibling(LLVMDIVariableGetFile(self.raw), is_file) }
    }

    pub fn variable_line(self) -> u32 {
        // SAFETY: called on variables.
        unsafe { LLVMDIVariableGetLine(self.raw) }
    }
}

/// Types.
impl<'a> Meta<'a> {
    pub fn tag(self) -> u16 {
        // SAFETY: called on nodes of debug information.
        unsafe { LLVMGetDINodeTag(self.raw) }
    }

    pub fn type_name(self) -> String {
        self.text_operand(2).unwrap_or_default()
    }

    pub fn type_bits(self) -> u64 {
        // SAFETY: called on types.
        unsafe { LLVMDITypeGetSizeInBits(self.raw) }
    }

    /// Where a member begins in its record.
    pub fn member_offset_bits(self) -> u64 {
        // SAFETY: called on members, which are types.
        unsafe { LLVMDITypeGetOffsetInBits(self.raw) }
    }

    pub fn is_function_type(self) -> bool {
        matches!(self.kind(), MetaKind::LLVMDISubroutineTypeMetadataKind)
    }

    /// The type of a function.
    pub fn subprogram_type(self) -> Option<Meta<'a>> {
        self.node_operand(4, is_type).filter(|ty| ty.is_function_type())
    }

    /// Of a function type: the result and the parameters, `None` for `void` and for what is variable.
    pub fn signature(self) -> Vec<Option<Meta<'a>>> {
        let Some(list) = self.node_operand(5, |_| true) else { return Vec::new() };
        (0..list.operands().len()).map(|i| list.node_operand(i, is_type)).collect()
    }

    /// The type that a pointer points to, of a member or an array element, or that a qualified type qualifies.
    pub fn base_type(self) -> Option<Meta<'a>> {
        self.node_operand(5, is_type)
    }

    /// The members of a record or the dimensions of an array.
    pub fn elements(self) -> Vec<Meta<'a>> {
        let Some(list) = self.node_operand(6, |_| true) else { return Vec::new() };
        (0..list.operands().len()).filter_map(|i| list.node_operand(i, is_type_part)).collect()
    }

    /// The number of elements in one dimension of an array, when it is a constant.
    pub fn dimension_count(self) -> Option<u64> {
        let raw = self.operands().first().copied().filter(|raw| !raw.is_null())?;
        // SAFETY: the value is checked to be an integer constant; counts have 64 bits.
        unsafe { if LLVMIsAConstantInt(raw).is_null() { None } else { Some(LLVMConstIntGetZExtValue(raw)) } }
    }
}

fn is_location(kind: MetaKind) -> bool {
    matches!(kind, MetaKind::LLVMDILocationMetadataKind)
}

fn is_file(kind: MetaKind) -> bool {
    matches!(kind, MetaKind::LLVMDIFileMetadataKind)
}

fn is_variable(kind: MetaKind) -> bool {
    matches!(kind, MetaKind::LLVMDIGlobalVariableMetadataKind | MetaKind::LLVMDILocalVariableMetadataKind)
}

fn is_scope(kind: MetaKind) -> bool {
    use MetaKind::*;
    matches!(
        kind,
        LLVMDIFileMetadataKind
            | LLVMDICompileUnitMetadataKind
            | LLVMDISubprogramMetadataKind
            | LLVMDILexicalBlockMetadataKind
            | LLVMDILexicalBlockFileMetadataKind
            | LLVMDINamespaceMetadataKind
    )
}

fn is_type(kind: MetaKind) -> bool {
    use MetaKind::*;
    matches!(
        kind,
        LLVMDIBasicTypeMetadataKind
            | LLVMDIDerivedTypeMetadataKind
            | LLVMDICompositeTypeMetadataKind
            | LLVMDISubroutineTypeMetadataKind
    )
}

/// A type, or one dimension of an array.
fn is_type_part(kind: MetaKind) -> bool {
    matches!(kind, MetaKind::LLVMDISubrangeMetadataKind) || is_type(kind)
}

/// A variable of the source bound to a value.
#[derive(Copy, Clone)]
pub struct DebugRecord<'a> {
    raw: LLVMDbgRecordRef,
    context: LLVMContextRef,
    lives: PhantomData<&'a Context>,
}

impl<'a> DebugRecord<'a> {
    /// # Safety
    /// `raw` is null or a record of `context`, which lives as long as 'a.
    pub(super) unsafe fn new(raw: LLVMDbgRecordRef, context: LLVMContextRef) -> Option<DebugRecord<'a>> {
        (!raw.is_null()).then_some(DebugRecord { raw, context, lives: PhantomData })
    }

    pub(super) fn next(self) -> Option<DebugRecord<'a>> {
        // SAFETY: the record lives as long as its instruction.
        unsafe { DebugRecord::new(LLVMGetNextDbgRecord(self.raw), self.context) }
    }

    /// The address that a variable lives at, with the variable and its place.
    pub fn declared(self) -> Option<(Value<'a>, Meta<'a>, Option<Meta<'a>>)> {
        // SAFETY: the kind is checked before the accessors of variable records are called.
        unsafe {
            if !matches!(LLVMDbgRecordGetKind(self.raw), LLVMDbgRecordKind::LLVMDbgRecordDeclare) {
                return None;
            }
            let address = Value::new(LLVMDbgVariableRecordGetValue(self.raw, 0))?;
            let variable = Meta::new(LLVMDbgVariableRecordGetVariable(self.raw), self.context)?;
            let place = Meta::new(LLVMDbgRecordGetDebugLoc(self.raw), self.context);
            is_variable(variable.kind()).then_some((
                address,
                variable,
                place.filter(|p| is_location(p.kind())),
            ))
        }
    }
}
