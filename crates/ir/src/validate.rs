//! Checks that a program is well formed: handles exist, types agree, registers are assigned once and before use.
//!
//! Every other part may rely on a valid program and need not check again. What the program does is not judged here: it
//! may well be wrong in every way that `Property` lists.

mod body;
mod fault;
mod inst;

pub use fault::{Fault, FunctionPart, Handle, Invalid, Site};

use crate::{Const, ConstId, Global, GlobalId, Init, PlaceId, Program, SourceType, SourceTypeId, eval};

/// All faults: those of the entry and the tables, then global by global and function by function.
pub fn validate(program: &Program) -> Result<(), Vec<Invalid>> {
    let mut faults = Faults { list: Vec::new(), site: Site::Program };
    let tables = Tables { program };
    tables.check_entry(&mut faults);
    tables.check_rows(&mut faults);
    for (id, global) in &program.globals {
        faults.site = Site::Global { id, name: global.name.clone() };
        tables.check_global(global, &mut faults);
    }
    for (id, function) in &program.functions {
        faults.site = Site::Function { id, name: function.name.clone(), part: FunctionPart::Head };
        body::check(program, function, &mut faults);
    }
    if faults.list.is_empty() { Ok(()) } else { Err(faults.list) }
}

/// The faults so far, and what is being checked now.
struct Faults {
    list: Vec<Invalid>,
    site: Site,
}

impl Faults {
    fn add(&mut self, fault: Fault) {
        self.list.push(Invalid { site: self.site.clone(), fault });
    }

    fn unless(&mut self, holds: bool, fault: Fault) {
        if !holds {
            self.add(fault);
        }
    }

    fn at(&mut self, now: FunctionPart) {
        if let Site::Function { part, .. } = &mut self.site {
            *part = now;
        }
    }
}

struct Tables<'a> {
    program: &'a Program,
}

impl Tables<'_> {
    fn check_entry(&self, faults: &mut Faults) {
        match self.program.functions.get(self.program.entry) {
            Some(entry) => faults.unless(entry.params.is_empty() && !entry.variadic, Fault::EntryTakesParams),
            None => faults.add(Fault::Missing(Handle::Func(self.program.entry))),
        }
    }

    fn check_rows(&self, faults: &mut Faults) {
        let program = self.program;
        for (id, place) in &program.places {
            faults.unless(program.files.is_valid(place.file), Fault::Missing(Handle::File(place.file)));
            faults.unless(place.inlined_at.is_none_or(|at| at < id), Fault::InlinedAtLater(id));
        }
        for ty in program.source_types.values() {
            match ty {
                SourceType::Pointer { to: Some(ty) } | SourceType::Array { element: ty, .. } => {
                    self.check_source_type(*ty, faults)
                }
                SourceType::Record { fields, .. } => {
                    fields.iter().for_each(|field| self.check_source_type(field.ty, faults))
                }
                SourceType::Scalar { .. } | SourceType::Pointer { to: None } => {}
            }
        }
        for c in program.constants.values() {
            match c {
                Const::Int { width, bits } => {
                    faults.unless(eval::truncate(*bits, *width) == *bits, Fault::ExtraBits(*bits))
                }
                Const::Function(id) => {
                    faults.unless(program.functions.is_valid(*id), Fault::Missing(Handle::Func(*id)))
                }
                Const::Global { global, .. } => {
                    faults.unless(program.globals.is_valid(*global), Fault::Missing(Handle::Global(*global)))
                }
                Const::F32(_) | Const::F64(_) | Const::Null => {}
            }
        }
    }

    fn check_source_type(&self, id: SourceTypeId, faults: &mut Faults) {
        faults.unless(self.program.source_types.is_valid(id), Fault::Missing(Handle::SourceType(id)));
    }

    fn check_place(&self, id: PlaceId, faults: &mut Faults) {
        faults.unless(self.program.places.is_valid(id), Fault::Missing(Handle::Place(id)));
    }

    /// A constant where it is used.
    fn check_const(&self, id: ConstId, faults: &mut Faults) -> Option<&Const> {
        let Some(c) = self.program.constants.get(id) else {
            faults.add(Fault::Missing(Handle::Const(id)));
            return None;
        };
        if let Const::Global { global, .. } = c {
            let thread_local = self.program.globals.get(*global).is_some_and(|g| g.thread_local);
            faults.unless(!thread_local, Fault::ThreadLocalConst(*global));
        }
        Some(c)
    }

    fn check_thread_local(&self, id: GlobalId, faults: &mut Faults) {
        match self.program.globals.get(id) {
            Some(global) => faults.unless(global.thread_local, Fault::NotThreadLocal(id)),
            None => faults.add(Fault::Missing(Handle::Global(id))),
        }
    }

    fn check_global(&self, global: &Global, faults: &mut Faults) {
        self.check_place(global.place, faults);
        if let Some(ty) = global.ty {
            self.check_source_type(ty, faults);
        }
        faults.unless(global.align.is_power_of_two(), Fault::Align(global.align));
        if let Init::Bytes { bytes, pointers } = &global.init {
            let (size, bytes) = (global.size, bytes.len() as u64);
            faults.unless(size == bytes, Fault::InitSize { size, bytes });
            let pointer = self.program.data_model.pointer_width().bytes() as u64;
            for &(offset, c) in pointers {
                let inside = offset.checked_add(pointer).is_some_and(|end| end <= bytes);
                faults.unless(inside, Fault::InitPointerOutside(offset));
                if let Some(value) = self.check_const(c, faults) {
                    faults.unless(value.ty() == crate::Type::Ptr, Fault::InitPointerType(c));
                }
            }
        }
    }
}
