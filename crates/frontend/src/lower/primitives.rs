//! The primitives of models/tp.h: a call to one of them is one instruction.

use super::FunctionImport;
use super::values::Leaf;
use crate::llvm::Value;
use crate::types::{Lowered, unsupported};
use tp_ir::{InputKind, LockMode, Op, Property, Type, WaitKind, Width};

/// The type of an input and whether it is signed.
fn input_type(name: &str) -> Option<(Type, bool)> {
    Some(match name {
        "u8" => (Type::Int(Width::W8), false),
        "i8" => (Type::Int(Width::W8), true),
        "u16" => (Type::Int(Width::W16), false),
        "i16" => (Type::Int(Width::W16), true),
        "u32" => (Type::Int(Width::W32), false),
        "i32" => (Type::Int(Width::W32), true),
        "u64" => (Type::Int(Width::W64), false),
        "i64" => (Type::Int(Width::W64), true),
        "bool" => (Type::BOOL, false),
        "float" => (Type::F32, true),
        "double" => (Type::F64, true),
        "pointer" => (Type::Ptr, false),
        _ => return None,
    })
}

/// `enum __tp_wait`, in its order.
const WAIT_KINDS: [WaitKind; 14] = [
    WaitKind::Mutex,
    WaitKind::ReadLock,
    WaitKind::WriteLock,
    WaitKind::SpinLock,
    WaitKind::Condition,
    WaitKind::Join,
    WaitKind::Barrier,
    WaitKind::Semaphore,
    WaitKind::Once,
    WaitKind::Stream,
    WaitKind::Pipe,
    WaitKind::Signal,
    WaitKind::Descriptor,
    WaitKind::Socket,
];

/// `enum __tp_lock_mode`, in its order.
const LOCK_MODES: [LockMode; 2] = [LockMode::Exclusive, LockMode::Shared];

/// A constant string.
fn text(argument: Value<'_>) -> String {
    let bytes = argument.initializer().map(Value::raw_data).unwrap_or_default();
    String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(&bytes)).into_owned()
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn primitive(&mut self, call: Value<'a>, name: &str) -> Lowered<Option<Vec<Leaf>>> {
        let args = call.arguments();
        let size = self.importer.data_model.pointer_width();
        let number = Some(Type::Int(Width::W32));
        let short = name.trim_start_matches("__tp_");
        let (op, ty) = match (short, &args[..]) {
            ("thread_start", &[func, arg]) => {
                (Op::ThreadStart { func: self.operand(func)?, arg: self.operand(arg)? }, number)
            }
            ("self", []) => (Op::ThreadSelf, number),
            ("end_locals", []) => (Op::StackRestore { token: self.int(size, 0) }, None),
            ("thread_exit", []) => (Op::ThreadExit, None),
            ("exit", &[status]) => (Op::Exit { status: self.operand(status)? }, None),
            ("atomic_begin", []) => (Op::AtomicBegin, None),
            ("atomic_end", []) => (Op::AtomicEnd, None),
            ("await", &[cond]) => (Op::Await { cond: self.operand(cond)? }, None),
            ("assume", &[cond]) => (Op::Assume { cond: self.operand(cond)? }, None),
            ("yield", []) => (Op::Yield, None),
            ("rest" | "rest_until", &[done, seconds, nanoseconds]) => {
                let (done, seconds) = (self.operand(done)?, self.operand(seconds)?);
                let (nanoseconds, is_moment) = (self.operand(nanoseconds)?, short == "rest_until");
                (Op::Rest { done, seconds, nanoseconds, is_moment }, None)
            }
            ("assert" | "report", &[cond, property, message]) => {
                let property = self.choice(property, &Property::ALL)?;
                let (cond, message) = (self.operand(cond)?, self.operand(message)?);
                (Op::Assert { cond, property, message, goes_on: short == "report" }, None)
            }
            ("alloc" | "alloc_record", &[bytes, align]) => {
                let (bytes, align, record) =
                    (self.operand(bytes)?, self.operand(align)?, short == "alloc_record");
                let op = Op::HeapAlloc {
                    size: bytes,
                    size_width: size,
                    align,
                    align_width: size,
                    record,
                    at: None,
                };
                (op, Some(Type::Ptr))
            }
            ("alloc_at" | "alloc_record_at", &[old, bytes, align]) => {
                let (at, bytes, align) = (self.operand(old)?, self.operand(bytes)?, self.operand(align)?);
                let (size_width, align_width, record) = (size, size, short == "alloc_record_at");
                let op = Op::HeapAlloc { size: bytes, size_width, align, align_width, record, at: Some(at) };
                (op, Some(Type::Ptr))
            }
            ("free", &[ptr]) => (Op::HeapFree { ptr: self.operand(ptr)? }, None),
            ("heap_size", &[ptr]) => (Op::HeapSize { ptr: self.operand(ptr)? }, Some(Type::Int(size))),
            ("write", &[fd, ptr, len]) => {
                (Op::Output { fd: self.operand(fd)?, ptr: self.operand(ptr)?, len: self.operand(len)? }, None)
            }
            ("format_double", &[buffer, size, conversion, precision, flags, value]) => {
                let op = Op::FormatFloat {
                    buffer: self.operand(buffer)?,
                    size: self.operand(size)?,
                    conversion: self.operand(conversion)?,
                    precision: self.operand(precision)?,
                    flags: self.operand(flags)?,
                    value: self.operand(value)?,
                };
                (op, number)
            }
            ("parse_double", &[text, consumed]) => (
                Op::ParseFloat { text: self.operand(text)?, consumed: self.operand(consumed)? },
                Some(Type::F64),
            ),
            ("acquired", &[lock, mode]) => {
                let mode = self.choice(mode, &LOCK_MODES)?;
                (Op::Acquired { lock: self.operand(lock)?, mode }, None)
            }
            ("released", &[lock]) => (Op::Released { lock: self.operand(lock)? }, None),
            ("waiting", &[kind, object, owner]) => {
                let kind = self.choice(kind, &WAIT_KINDS)?;
                (Op::Waiting { kind, object: self.operand(object)?, owner: self.operand(owner)? }, None)
            }
            ("unsupported", &[what]) => return unsupported(text(what)),
            (input, &[name]) => {
                let (kind, of_type) = match input.strip_prefix("input_mostly_zero_") {
                    Some(of_type) => (InputKind::MostlyZero, Some(of_type)),
                    None if input == "input_rarely" => (InputKind::Event, Some("bool")),
                    None => (InputKind::Value, input.strip_prefix("input_")),
                };
                let Some((ty, signed)) = of_type.and_then(input_type) else {
                    return unsupported(format!("the primitive `__tp_{short}`"));
                };
                (Op::Input { ty, signed, kind, name: self.operand(name)? }, Some(ty))
            }
            _ => return unsupported(format!("the primitive `{name}` with these arguments")),
        };
        match ty {
            Some(ty) => Ok(Some(vec![Leaf::Known(self.compute(op, ty))])),
            None => {
                self.effect(op);
                Ok(None)
            }
        }
    }

    /// An argument that is one of the constants of an enumeration.
    fn choice<T: Copy>(&mut self, argument: Value<'a>, rows: &[T]) -> Lowered<T> {
        let number = self.literal(argument)?;
        match usize::try_from(number).ok().and_then(|i| rows.get(i)) {
            Some(&row) => Ok(row),
            None => unsupported(format!("the number {number} in a call of a primitive")),
        }
    }
}
