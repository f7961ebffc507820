//! Types of LLVM and their layout in memory.

use super::{Context, take_message};
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::marker::PhantomData;

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Ty<'a> {
    raw: LLVMTypeRef,
    context: PhantomData<&'a Context>,
}

/// What a type is, with its parts.
pub enum TyKind<'a> {
    Void,
    Int(u32),
    Float,
    Double,
    Pointer {
        address_space: u32,
    },
    Struct,
    Array {
        element: Ty<'a>,
        len: u64,
    },
    Vector {
        element: Ty<'a>,
        len: u32,
    },
    /// Anything else, printed.
    Other(String),
}

impl<'a> Ty<'a> {
    /// # Safety
    /// `raw` is a type of a context that lives as long as 'a.
    pub(super) unsafe fn new(raw: LLVMTypeRef) -> Ty<'a> {
        Ty { raw, context: PhantomData }
    }

    pub fn kind(self) -> TyKind<'a> {
        // SAFETY: each accessor is called on the kind it is defined for.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                LLVMTypeKind::LLVMVoidTypeKind => TyKind::Void,
                LLVMTypeKind::LLVMIntegerTypeKind => TyKind::Int(LLVMGetIntTypeWidth(self.raw)),
                LLVMTypeKind::LLVMFloatTypeKind => TyKind::Float,
                LLVMTypeKind::LLVMDoubleTypeKind => TyKind::Double,
                LLVMTypeKind::LLVMPointerTypeKind => {
                    TyKind::Pointer { address_space: LLVMGetPointerAddressSpace(self.raw) }
                }
                LLVMTypeKind::LLVMStructTypeKind if LLVMIsOpaqueStruct(self.raw) == 0 => TyKind::Struct,
                LLVMTypeKind::LLVMArrayTypeKind => TyKind::Array {
                    element: Ty::new(LLVMGetElementType(self.raw)),
                    len: LLVMGetArrayLength2(self.raw),
                },
                LLVMTypeKind::LLVMVectorTypeKind => TyKind::Vector {
                    element: Ty::new(LLVMGetElementType(self.raw)),
                    len: LLVMGetVectorSize(self.raw),
                },
                LLVMTypeKind::LLVMX86_FP80TypeKind => TyKind::Other("long double".to_owned()),
                LLVMTypeKind::LLVMFP128TypeKind => TyKind::Other("__float128".to_owned()),
                LLVMTypeKind::LLVMHalfTypeKind => TyKind::Other("_Float16".to_owned()),
                LLVMTypeKind::LLVMBFloatTypeKind => TyKind::Other("__bf16".to_owned()),
                _ => TyKind::Other(take_message(LLVMPrintTypeToString(self.raw))),
            }
        }
    }

    /// Whether values of this type have a size in memory.
    pub fn is_sized(self) -> bool {
        // SAFETY: any type may be asked.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The element types of a struct type.
    pub fn struct_elements(self) -> Vec<Ty<'a>> {
        // SAFETY: the buffer has room for every element.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountStructElementTypes(self.raw) as usize];
            LLVMGetStructElementTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(|t| Ty::new(t)).collect()
        }
    }

    /// The parameter types of a function type.
    pub fn parameters(self) -> Vec<Ty<'a>> {
        // SAFETY: the buffer has room for every parameter.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(|t| Ty::new(t)).collect()
        }
    }

    /// The result type of a function type.
    pub fn result(self) -> Ty<'a> {
        // SAFETY: called on function types.
        unsafe { Ty::new(LLVMGetReturnType(self.raw)) }
    }

    /// Whether a function type takes variable arguments.
    pub fn is_variadic(self) -> bool {
        // SAFETY: called on function types.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}

/// Sizes and offsets on the target of one module.
#[derive(Copy, Clone)]
pub struct DataLayout<'a> {
    raw: LLVMTargetDataRef,
    context: PhantomData<&'a Context>,
}

impl<'a> DataLayout<'a> {
    pub(super) fn new(raw: LLVMTargetDataRef) -> DataLayout<'a> {
        DataLayout { raw, context: PhantomData }
    }

    pub fn pointer_bytes(self) -> u32 {
        // SAFETY: the layout lives as long as its module.
        unsafe { LLVMPointerSize(self.raw) }
    }

    pub fn is_little_endian(self) -> bool {
        // SAFETY: as above.
        matches!(unsafe { LLVMByteOrder(self.raw) }, LLVMByteOrdering::LLVMLittleEndian)
    }

    /// The distance between two values of this type in an array; the type is sized.
    pub fn size(self, ty: Ty<'a>) -> u64 {
        // SAFETY: callers ask for sized types.
        unsafe { LLVMABISizeOfType(self.raw, ty.raw) }
    }

    pub fn bits(self, ty: Ty<'a>) -> u64 {
        // SAFETY: as above.
        unsafe { LLVMSizeOfTypeInBits(self.raw, ty.raw) }
    }

    pub fn align(self, ty: Ty<'a>) -> u32 {
        // SAFETY: as above.
        unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw) }
    }

    /// Where a field of a struct type begins.
    pub fn field_offset(self, ty: Ty<'a>, field: u32) -> u64 {
        // SAFETY: callers pass a struct type and one of its fields.
        unsafe { LLVMOffsetOfElement(self.raw, ty.raw, field) }
    }
}
