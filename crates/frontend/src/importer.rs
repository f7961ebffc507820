//! Builds the program from its entry: whatever a function or an initialiser refers to gets a row in the tables and is
//! imported in turn, so that unreachable code costs nothing.

use crate::debug::Places;
use crate::debug_types::SourceTypes;
use crate::demangle::demangled;
use crate::linker::{Linker, is_local};
use crate::llvm::{DataLayout, Module, Value};
use crate::tables::Tables;
use crate::types::leaf_types;
use crate::world::World;
use crate::{jumps, lower};
use llvm_sys::LLVMValueKind;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use tp_ir::{
    Const, DataModel, FuncId, Function, Global, GlobalId, Init, ModelEffect, Operand, Origin, Program,
};

pub struct Importer<'a> {
    pub linker: Linker<'a>,
    pub tables: Tables,
    pub places: Places<'a>,
    pub source_types: SourceTypes<'a>,
    pub data_model: DataModel,
    /// The layout of the module that is being imported from.
    pub layout: DataLayout<'a>,
    world: Rc<World>,
    /// Options of the models that are assumed to be off.
    pub off: Vec<&'static str>,
    functions: HashMap<Value<'a>, FuncId>,
    globals: HashMap<Value<'a>, GlobalId>,
    /// The program's own functions and variables whose names get no number appended.
    owners: HashSet<Value<'a>>,
    pending: VecDeque<Pending<'a>>,
}

/// What the import leaves.
pub struct Imported<'a> {
    pub program: Program,
    pub linker: Linker<'a>,
    /// Each function of the program as LLVM has it.
    pub functions: HashMap<Value<'a>, FuncId>,
}

enum Pending<'a> {
    Body(FuncId, Value<'a>),
    Initialiser(GlobalId, Value<'a>),
}

impl<'a> Importer<'a> {
    /// `own` are the modules of the program itself, in the order of the command line.
    pub fn new(
        linker: Linker<'a>,
        own: &[Module<'a>],
        layout: DataLayout<'a>,
        data_model: DataModel,
        (world, off): (Rc<World>, Vec<&'static str>),
    ) -> Importer<'a> {
        let mut names: HashSet<String> = linker.program_names().map(str::to_owned).collect();
        let mut owners: HashSet<Value<'a>> = linker.program_definitions().collect();
        for value in own.iter().flat_map(|m| m.functions().chain(m.globals())) {
            if is_local(value) && names.insert(value.name()) {
                owners.insert(value);
            }
        }
        Importer {
            linker,
            tables: Tables::new(names),
            places: Places::default(),
            source_types: SourceTypes::default(),
            data_model,
            layout,
            world,
            off,
            functions: HashMap::new(),
            globals: HashMap::new(),
            owners,
            pending: VecDeque::new(),
        }
    }

    /// Whether a weak compare-exchange may fail where it would succeed.
    pub fn spurious_failures(&self) -> bool {
        self.world.spurious_failures
    }

    /// The program that starts with `entry`, which takes no arguments, with all that it needs.
    pub fn import(mut self, entry: FuncId) -> Imported<'a> {
        self.import_pending();
        if self.tables.functions.values().any(|f| f.does(ModelEffect::Jump)) {
            for helper in jumps::HELPERS {
                let model = self.linker.model(helper);
                model.map(|model| self.function(model));
            }
            self.import_pending();
        }
        let Tables { files, places, constants, source_types, globals, functions, .. } = self.tables;
        let program = Program {
            data_model: self.data_model,
            files: files.into_table(),
            places: places.into_table(),
            source_types,
            constants: constants.into_table(),
            globals,
            functions,
            entry,
        };
        Imported { program, linker: self.linker, functions: self.functions }
    }

    fn import_pending(&mut self) {
        while let Some(next) = self.pending.pop_front() {
            match next {
                Pending::Body(id, function) => {
                    self.layout = function.module().layout();
                    let body = lower::function_body(self, id, function);
                    self.tables.functions[id].body = Some(body);
                }
                Pending::Initialiser(id, global) => {
                    self.layout = global.module().layout();
                    self.tables.globals[id].init = self.initialiser(global);
                }
            }
        }
    }

    /// The row of a function; its body is imported later.
    pub fn function(&mut self, resolved: Value<'a>) -> FuncId {
        if let Some(&id) = self.functions.get(&resolved) {
            return id;
        }
        let ty = resolved.value_type();
        let defined = resolved.blocks().next().is_some();
        // A parameter of an unsupported type is left out; instructions that use it report themselves.
        let parameters = ty.parameters();
        let params: Vec<_> = parameters.iter().flat_map(|&p| leaf_types(p).unwrap_or_default()).collect();
        let row = Function {
            name: self.name(resolved),
            params,
            results: leaf_types(ty.result()).unwrap_or_default(),
            // LLVM gives `int f();` a variadic type without parameters, but its arguments are passed directly.
            variadic: ty.is_variadic() && (defined || !parameters.is_empty()),
            origin: if defined { self.linker.origin(resolved) } else { Origin::User },
            embedded: defined && self.linker.is_embedded(resolved),
            effects: if defined { self.linker.effects(resolved) } else { Vec::new() },
            place: self.places.of_function(&mut self.tables, resolved),
            body: None,
        };
        let id = self.tables.functions.push(row);
        self.functions.insert(resolved, id);
        if defined {
            self.pending.push_back(Pending::Body(id, resolved));
        }
        id
    }

    fn name(&mut self, resolved: Value<'a>) -> Box<str> {
        let name = resolved.name();
        // `std::mutex::lock(m)` reads better without the types of its parameters.
        let short = || demangled(&name, false).filter(|name| !self.tables.has_name(name));
        let long = || demangled(&name, true);
        match if self.linker.is_embedded(resolved) { short().or_else(long) } else { long() } {
            // Several functions of C++ can have the same name in the source, such as the kinds of a constructor.
            Some(name) => self.tables.unique_name(name, false),
            None => self.tables.unique_name(name, self.owners.contains(&resolved)),
        }
    }

    /// The row of a global variable; its initialiser is imported later.
    pub fn global(&mut self, resolved: Value<'a>) -> GlobalId {
        if let Some(&id) = self.globals.get(&resolved) {
            return id;
        }
        let declared = resolved.initializer().is_none();
        if declared && let Some(id) = self.world.global(&mut self.tables, &resolved.name(), self.data_model) {
            self.globals.insert(resolved, id);
            return id;
        }
        let layout = resolved.module().layout();
        let ty = resolved.value_type();
        let size = if ty.is_sized() { layout.size(ty) } else { 0 };
        let natural = if ty.is_sized() { layout.align(ty) } else { 1 };
        let variable = resolved.global_debug_info().and_then(|info| info.global_variable());
        let place = self.places.of_global(&mut self.tables, variable);
        let source_type = variable.and_then(|v| v.variable_type());
        let row = Global {
            name: self.name(resolved),
            size,
            align: resolved.alignment().max(natural).max(1),
            init: Init::Unknown,
            constant: resolved.is_global_constant(),
            thread_local: resolved.is_thread_local(),
            origin: self.linker.origin(resolved),
            internal: false,
            ty: source_type.map(|t| self.source_types.get(&mut self.tables.source_types, t)),
            place,
        };
        let id = self.tables.globals.push(row);
        self.globals.insert(resolved, id);
        if !declared {
            self.pending.push_back(Pending::Initialiser(id, resolved));
        }
        id
    }

    /// The address of a constant C string that the import itself needs.
    pub fn message(&mut self, name: &str, text: &str) -> Operand {
        let global = self.tables.c_string(name, text);
        self.tables.constant(Const::Global { global, offset: 0 })
    }
}

/// Whether a value is a function rather than a variable.
pub fn is_function(value: Value<'_>) -> bool {
    matches!(value.kind(), LLVMValueKind::LLVMFunctionValueKind)
}
