//! The program as a whole: tables of functions, globals, constants, places and source types.

use crate::{
    BlockId, ConstId, DataModel, FileId, FuncId, GlobalId, Inst, ModelEffect, Op, PlaceId, Reg, SourceTypeId,
    Terminator, Type, Width,
};
use cranelift_entity::PrimaryMap;
use std::collections::HashMap;

/// Where code comes from. Reports show the user's code and step over the rest.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    User,
    /// The headers of the C++ library: part of the program like the user's code, which it is compiled with.
    Library,
    Model,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    Int { width: Width, bits: u128 },
    F32(u32),
    F64(u64),
    Null,
    Function(FuncId),
    Global { global: GlobalId, offset: i64 },
}

impl Const {
    pub fn ty(&self) -> Type {
        match self {
            Const::Int { width, .. } => Type::Int(*width),
            Const::F32(_) => Type::F32,
            Const::F64(_) => Type::F64,
            Const::Null | Const::Function(_) | Const::Global { .. } => Type::Ptr,
        }
    }
}

/// A place in the source. Line 0: none known.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    /// The call that was inlined here by the compiler.
    pub inlined_at: Option<PlaceId>,
}

/// A type as the source declares it, to name the parts of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SourceType {
    Scalar { name: Box<str>, size: u64 },
    Pointer { to: Option<SourceTypeId> },
    Record { name: Box<str>, size: u64, fields: Box<[Field]> },
    Array { element: SourceTypeId, count: u64, element_size: u64 },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    pub name: Box<str>,
    pub offset: u64,
    pub ty: SourceTypeId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Init {
    Zero,
    /// As many bytes as the global is large, and the pointers stored in them (as constants of pointer type).
    Bytes {
        bytes: Vec<u8>,
        pointers: Vec<(u64, ConstId)>,
    },
    /// Declared but defined nowhere: any value.
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    pub name: Box<str>,
    pub size: u64,
    pub align: u32,
    pub init: Init,
    pub constant: bool,
    pub thread_local: bool,
    pub origin: Origin,
    /// Its address does not escape, and it is accessed by models only, never written, or thread-local.
    pub internal: bool,
    pub ty: Option<SourceTypeId>,
    pub place: PlaceId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegInfo {
    pub ty: Type,
    /// The variable of the source that this register holds.
    pub name: Option<Box<str>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub params: Vec<Reg>,
    pub insts: Vec<Inst>,
    pub terminator: Terminator,
    pub terminator_place: PlaceId,
}

/// Blocks and registers of a function that is defined. The entry is block 0; it has no parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    pub regs: PrimaryMap<Reg, RegInfo>,
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The registers of the parameters, the area of variable arguments last when the function is variadic.
    pub params: Vec<Reg>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: Box<str>,
    /// Without the area of variable arguments.
    pub params: Vec<Type>,
    pub results: Vec<Type>,
    pub variadic: bool,
    pub origin: Origin,
    /// One of the models that come with Threadproof: an analysis may rely on its `effects`.
    pub embedded: bool,
    /// What a model says it does.
    pub effects: Vec<ModelEffect>,
    pub place: PlaceId,
    /// `None`: declared only. Calling it is reported when it is reached.
    pub body: Option<Body>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub data_model: DataModel,
    pub files: PrimaryMap<FileId, Box<str>>,
    pub places: PrimaryMap<PlaceId, Place>,
    pub source_types: PrimaryMap<SourceTypeId, SourceType>,
    pub constants: PrimaryMap<ConstId, Const>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FuncId, Function>,
    /// Runs in the first thread; takes no arguments.
    pub entry: FuncId,
}

impl Function {
    pub fn does(&self, effect: ModelEffect) -> bool {
        self.effects.contains(&effect)
    }

    /// The effects that a verdict may rest on: none of a model that the user adds, which is code like any other.
    pub fn trusted_effects(&self) -> &[ModelEffect] {
        if self.embedded { &self.effects } else { &[] }
    }

    /// A model that uses numbers of threads only where other models know of it.
    pub fn knows_numbers(&self) -> bool {
        self.trusted_effects().contains(&ModelEffect::OwnNumber)
    }

    /// A model that only writes text to the world: its return value is all that a program can observe.
    pub fn is_output(&self) -> bool {
        self.trusted_effects().contains(&ModelEffect::Output)
    }
}

impl Program {
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, f)| &*f.name == name).map(|(id, _)| id)
    }

    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, g)| &*g.name == name).map(|(id, _)| id)
    }

    /// Whether some function has this effect. A program contains only functions that can be reached.
    pub fn has_effect(&self, effect: ModelEffect) -> bool {
        self.functions.values().any(|f| f.does(effect))
    }

    /// Whether some function starts a thread.
    pub fn starts_threads(&self) -> bool {
        let bodies = self.functions.values().filter_map(|f| f.body.as_ref());
        let mut insts = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.insts);
        insts.any(|inst| matches!(inst.op, Op::ThreadStart { .. }))
    }

    /// `file:line`, where the compiler has recorded one.
    pub fn line_text(&self, place: PlaceId) -> Option<String> {
        let place = self.places.get(place)?;
        let file = self.files.get(place.file)?;
        (place.line > 0).then(|| format!("{file}:{}", place.line))
    }
}

/// Gives equal rows of a table the same handle while a program is built.
pub struct Interner<K: cranelift_entity::EntityRef, T> {
    table: PrimaryMap<K, T>,
    index: HashMap<T, K>,
}

impl<K: cranelift_entity::EntityRef, T: Clone + Eq + std::hash::Hash> Default for Interner<K, T> {
    fn default() -> Self {
        Interner { table: PrimaryMap::new(), index: HashMap::new() }
    }
}

impl<K: cranelift_entity::EntityRef, T: Clone + Eq + std::hash::Hash> Interner<K, T> {
    pub fn intern(&mut self, row: T) -> K {
        if let Some(&id) = self.index.get(&row) {
            return id;
        }
        let id = self.table.push(row.clone());
        self.index.insert(row, id);
        id
    }

    pub fn table(&self) -> &PrimaryMap<K, T> {
        &self.table
    }

    pub fn into_table(self) -> PrimaryMap<K, T> {
        self.table
    }
}
