//! Which definition a name stands for: the program's own, then the user's models, then ours.
//!
//! A name used in a model stands for a model first, as inside a library, so that a program may define it as something
//! else. A file of our models is only read when the program needs a name that it defines.

use crate::headers::Headers;
use crate::llvm::{Context, Module, Value};
use crate::{FrontendError, effects, models};
use llvm_sys::{LLVMLinkage, LLVMValueKind};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use tp_ir::{DataModel, ModelEffect, Origin};

/// One module of the program.
struct Unit {
    path: PathBuf,
    origin: Origin,
    headers: Headers,
    /// It comes with Threadproof.
    embedded: bool,
}

/// How strongly a definition claims its name.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// The body of a C99 `inline` function: only if there is no other.
    Inline,
    Weak,
    Common,
    Strong,
}

pub struct Linker<'a> {
    context: &'a Context,
    data_model: DataModel,
    units: HashMap<Module<'a>, Unit>,
    program: HashMap<String, Value<'a>>,
    user_models: HashMap<String, Value<'a>>,
    our_models: HashMap<String, Value<'a>>,
    /// The files of our models that were read, by their numbers.
    read: HashSet<usize>,
    undefined: HashMap<String, Value<'a>>,
    /// The effects that functions of models declare.
    effects: HashMap<Value<'a>, Vec<ModelEffect>>,
    broken: Option<FrontendError>,
}

impl<'a> Linker<'a> {
    pub fn new(context: &'a Context, data_model: DataModel) -> Linker<'a> {
        Linker {
            context,
            data_model,
            units: HashMap::new(),
            program: HashMap::new(),
            user_models: HashMap::new(),
            our_models: HashMap::new(),
            read: HashSet::new(),
            undefined: HashMap::new(),
            effects: HashMap::new(),
            broken: None,
        }
    }

    pub fn add_program(
        &mut self,
        module: Module<'a>,
        path: &Path,
        headers: Headers,
    ) -> Result<(), FrontendError> {
        let unit = Unit { path: path.to_owned(), origin: Origin::User, headers, embedded: false };
        self.units.insert(module, unit);
        define_all(&self.units, &mut self.program, module)
    }

    pub fn add_user_models(&mut self, module: Module<'a>, path: &Path) -> Result<(), FrontendError> {
        let (path_of, headers) = (path.to_owned(), Headers::None);
        let unit = Unit { path: path_of, origin: Origin::Model, headers, embedded: false };
        self.units.insert(module, unit);
        effects::read(module, path, &mut self.effects)?;
        define_all(&self.units, &mut self.user_models, module)
    }

    /// The first error in reading our own models.
    pub fn take_error(&mut self) -> Option<FrontendError> {
        self.broken.take()
    }

    pub fn origin(&self, global: Value<'a>) -> Origin {
        match self.units.get(&global.module()) {
            Some(unit) if is_function(global) && unit.headers.define(global) => Origin::Library,
            Some(unit) => unit.origin,
            None => Origin::Model,
        }
    }

    /// Whether a definition of the program comes from headers of the library, whose names nobody else may define.
    fn is_of_library(&self, own: Value<'a>, name: &str) -> bool {
        let is_from_header = matches!(claim(own), Some(Claim::Weak | Claim::Inline));
        self.origin(own) == Origin::Library || is_from_header && name.starts_with("_ZNSt")
    }

    fn unit_origin(&self, global: Value<'a>) -> Origin {
        self.units.get(&global.module()).map_or(Origin::Model, |unit| unit.origin)
    }

    /// Whether a definition comes with Threadproof.
    pub fn is_embedded(&self, global: Value<'a>) -> bool {
        self.units.get(&global.module()).is_some_and(|unit| unit.embedded)
    }

    /// The effects that a function of a model declares.
    pub fn effects(&self, function: Value<'a>) -> Vec<ModelEffect> {
        self.effects.get(&function).cloned().unwrap_or_default()
    }

    /// The names that the program defines for all its files.
    pub fn program_names(&self) -> impl Iterator<Item = &str> {
        self.program.keys().map(String::as_str)
    }

    pub fn program_definitions(&self) -> impl Iterator<Item = Value<'a>> {
        self.program.values().copied()
    }

    pub fn main(&self) -> Option<Value<'a>> {
        self.program.get("main").copied().filter(|&v| is_function(v))
    }

    /// A function of the models.
    pub fn model(&mut self, name: &str) -> Option<Value<'a>> {
        self.defined_in_models(name).filter(|&v| is_function(v)).map(strip_alias)
    }

    /// The definition that a function, variable or alias stands for; without one, the first declaration of the name.
    pub fn resolve(&mut self, global: Value<'a>) -> Value<'a> {
        if is_local(global) {
            return strip_alias(global);
        }
        let name = global.name();
        let function = is_function(global);
        let own = self.program.get(&name).copied().filter(|&v| is_function(v) == function);
        // A function that the library's headers define may have a model that does the same with less.
        let is_of_library = own.is_some_and(|own| self.is_of_library(own, &name));
        let found = if is_of_library || self.unit_origin(global) == Origin::Model {
            self.defined_in_models(&name).filter(|&v| is_function(v) == function).or(own)
        } else {
            own.or_else(|| self.defined_in_models(&name).filter(|&v| is_function(v) == function))
        };
        match found {
            Some(definition) => strip_alias(definition),
            None => *self.undefined.entry(name).or_insert(global),
        }
    }

    fn defined_in_models(&mut self, name: &str) -> Option<Value<'a>> {
        if let Some(&v) = self.user_models.get(name) {
            return Some(v);
        }
        if let Some(file) = models::models(self.data_model).defining(name)
            && self.read.insert(file)
        {
            self.read_model(file);
        }
        self.our_models.get(name).copied()
    }

    fn read_model(&mut self, number: usize) {
        let Some(file) = models::models(self.data_model).files.get(number) else { return };
        let outcome = match self.context.parse_bitcode(file.bitcode) {
            Ok(module) => {
                let path = PathBuf::from(file.name);
                let read = effects::read(module, &path, &mut self.effects);
                let (origin, headers) = (Origin::Model, Headers::None);
                self.units.insert(module, Unit { path, origin, headers, embedded: true });
                read.and_then(|()| define_all(&self.units, &mut self.our_models, module))
            }
            Err(reason) => Err(FrontendError::BrokenModels { reason: format!("{}: {reason}", file.name) }),
        };
        if let Err(error) = outcome {
            self.broken.get_or_insert(error);
        }
    }
}

/// Enters the definitions of a module that other modules see.
fn define_all<'a>(
    units: &HashMap<Module<'a>, Unit>,
    names: &mut HashMap<String, Value<'a>>,
    module: Module<'a>,
) -> Result<(), FrontendError> {
    for value in module.functions().chain(module.globals()).chain(module.aliases()) {
        let Some(claim) = claim(value) else { continue };
        let name = value.name();
        let Some(&other) = names.get(&name) else {
            names.insert(name, value);
            continue;
        };
        let standing = self::claim(other).unwrap_or(Claim::Inline);
        if claim == Claim::Strong && standing == Claim::Strong {
            let path = |v: Value<'a>| units.get(&v.module()).map(|u| u.path.clone()).unwrap_or_default();
            let (first, second) = (path(other), path(value));
            let tentative = is_zero(other) && is_zero(value);
            return Err(FrontendError::DuplicateDefinition { name, first, second, tentative });
        }
        let larger = claim == Claim::Common && standing == Claim::Common && {
            let layout = module.layout();
            layout.size(value.value_type()) > layout.size(other.value_type())
        };
        if claim > standing || larger {
            names.insert(name, value);
        }
    }
    Ok(())
}

/// `None`: not a definition, or one that other modules do not see.
fn claim(value: Value<'_>) -> Option<Claim> {
    use LLVMLinkage::*;
    let linkage = value.linkage();
    if matches!(linkage, LLVMAvailableExternallyLinkage) {
        return Some(Claim::Inline);
    }
    if is_local(value) || value.is_declaration() {
        return None;
    }
    Some(match linkage {
        LLVMCommonLinkage => Claim::Common,
        LLVMWeakAnyLinkage | LLVMWeakODRLinkage | LLVMLinkOnceAnyLinkage | LLVMLinkOnceODRLinkage => {
            Claim::Weak
        }
        // `llvm.used` and the like are lists for the linker, not variables.
        LLVMAppendingLinkage => return None,
        _ => Claim::Strong,
    })
}

/// Whether it is a variable that begins as zero.
fn is_zero(value: Value<'_>) -> bool {
    let is_variable = matches!(value.kind(), LLVMValueKind::LLVMGlobalVariableValueKind);
    is_variable && value.initializer().is_some_and(Value::is_null)
}

/// Whether only its own file sees it.
pub fn is_local(value: Value<'_>) -> bool {
    matches!(value.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
}

/// Follows a chain of aliases to its end. An alias to the middle of a variable stays as it is.
fn strip_alias(mut value: Value<'_>) -> Value<'_> {
    // A chain of aliases has no cycles in valid bitcode; the bound guards against invalid bitcode.
    for _ in 0..64 {
        match value.kind() {
            LLVMValueKind::LLVMGlobalAliasValueKind => match value.aliasee() {
                Some(next) => value = next,
                None => break,
            },
            _ => break,
        }
    }
    value
}

fn is_function(value: Value<'_>) -> bool {
    matches!(strip_alias(value).kind(), LLVMValueKind::LLVMFunctionValueKind)
}
