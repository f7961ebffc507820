//! A thin safe layer over LLVM's C interface: only what the import reads.
//!
//! Everything borrows from a `Context`, which owns the modules. Accessors that LLVM defines for one kind of value or
//! instruction are only called after the kind was matched; each says which in its name or comment.

mod instruction;
mod meta;
mod types;
mod value;

pub use meta::{DebugRecord, Meta};
pub use types::{DataLayout, Ty, TyKind};
pub use value::{Block, Value};

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::ptr;

/// Owns everything LLVM allocates. Errors that LLVM reports while reading are collected instead of ending the process.
pub struct Context {
    raw: LLVMContextRef,
    modules: RefCell<Vec<LLVMModuleRef>>,
    messages: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, to: *mut c_void) {
    // SAFETY: `to` is the context's `messages`, which outlives the LLVM context that calls this.
    let messages = unsafe { &*(to as *const RefCell<Vec<String>>) };
    // SAFETY: `info` is valid for the duration of the call.
    let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    if let Ok(mut list) = messages.try_borrow_mut() {
        list.push(text);
    }
}

/// Copies a message that LLVM allocated, and frees it.
///
/// # Safety
/// `raw` is null or a message from LLVM.
unsafe fn take_message(raw: *mut c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: by the contract of this function.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        text
    }
}

/// Copies a string that LLVM keeps.
///
/// # Safety
/// `raw` points to `len` bytes, or is null.
unsafe fn copy_string(raw: *const c_char, len: usize) -> String {
    if raw.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: by the contract of this function.
    let bytes = unsafe { std::slice::from_raw_parts(raw as *const u8, len) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Context {
    pub fn new() -> Context {
        let messages: Box<RefCell<Vec<String>>> = Box::default();
        // SAFETY: the handler's argument is boxed, so its address stays valid while the context lives.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let to = &*messages as *const RefCell<Vec<String>> as *mut c_void;
            LLVMContextSetDiagnosticHandler(raw, Some(collect), to);
            raw
        };
        Context { raw, modules: RefCell::default(), messages }
    }

    /// Reads a module, or says what is wrong with the bytes.
    pub fn parse_bitcode(&self, bytes: &[u8]) -> Result<Module<'_>, String> {
        self.messages.borrow_mut().clear();
        let mut module = ptr::null_mut();
        // SAFETY: the buffer is a copy that we dispose of after the parse, which does not keep it.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"bitcode".as_ptr(),
            );
            let failed = llvm_sys::bit_reader::LLVMParseBitcodeInContext2(self.raw, buffer, &mut module);
            LLVMDisposeMemoryBuffer(buffer);
            failed != 0
        };
        if failed || module.is_null() {
            return Err(self.messages.borrow().join("; "));
        }
        Ok(self.owned(module))
    }

    /// Reads a module from bitcode or from text.
    pub fn parse_any(&self, bytes: &[u8]) -> Result<Module<'_>, String> {
        self.messages.borrow_mut().clear();
        let mut module = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the buffer is a copy that we dispose of after the parse, which does not keep it.
        let (failed, text) = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"module".as_ptr(),
            );
            let failed =
                llvm_sys::ir_reader::LLVMParseIRInContext2(self.raw, buffer, &mut module, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            (failed != 0, take_message(message))
        };
        if failed || module.is_null() {
            let list = self.messages.borrow();
            return Err(list
                .iter()
                .cloned()
                .chain([text])
                .filter(|t| !t.is_empty())
                .collect::<Vec<_>>()
                .join("; "));
        }
        Ok(self.owned(module))
    }

    fn owned(&self, module: LLVMModuleRef) -> Module<'_> {
        self.modules.borrow_mut().push(module);
        Module { raw: module, context: PhantomData }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: nothing that borrows from the context is left; each module was created in it once.
        unsafe {
            for module in self.modules.take() {
                LLVMDisposeModule(module);
            }
            LLVMContextDispose(self.raw);
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Module<'a> {
    raw: LLVMModuleRef,
    context: PhantomData<&'a Context>,
}

impl<'a> Module<'a> {
    pub fn functions(self) -> impl Iterator<Item = Value<'a>> {
        // SAFETY: the module lives as long as 'a.
        let first = unsafe { Value::new(LLVMGetFirstFunction(self.raw)) };
        // SAFETY: each value is a function of the module.
        std::iter::successors(first, |f| unsafe { Value::new(LLVMGetNextFunction(f.raw())) })
    }

    pub fn globals(self) -> impl Iterator<Item = Value<'a>> {
        // SAFETY: as in `functions`.
        let first = unsafe { Value::new(LLVMGetFirstGlobal(self.raw)) };
        // SAFETY: each value is a global variable of the module.
        std::iter::successors(first, |g| unsafe { Value::new(LLVMGetNextGlobal(g.raw())) })
    }

    pub fn aliases(self) -> impl Iterator<Item = Value<'a>> {
        // SAFETY: as in `functions`.
        let first = unsafe { Value::new(LLVMGetFirstGlobalAlias(self.raw)) };
        // SAFETY: each value is an alias of the module.
        std::iter::successors(first, |a| unsafe { Value::new(LLVMGetNextGlobalAlias(a.raw())) })
    }

    pub fn layout(self) -> DataLayout<'a> {
        // SAFETY: the layout is owned by the module.
        DataLayout::new(unsafe { llvm_sys::target::LLVMGetModuleDataLayout(self.raw) })
    }

    pub fn triple(self) -> String {
        // SAFETY: the string is owned by the module.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    /// Checks the rules of LLVM's IR, which the reader of bitcode does not.
    pub fn verify(self) -> Result<(), String> {
        use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
        let mut message = ptr::null_mut();
        // SAFETY: the action is to return; the message is ours to free.
        unsafe {
            let broken =
                LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message);
            let text = take_message(message);
            if broken != 0 { Err(text) } else { Ok(()) }
        }
    }
}
