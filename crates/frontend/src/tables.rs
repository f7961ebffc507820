//! The tables of the program while it is built.

use std::collections::{HashMap, HashSet};
use tp_ir::{
    Const, ConstId, FileId, FuncId, Function, Global, GlobalId, Init, Interner, Operand, Origin, Place,
    PlaceId, PrimaryMap, SourceType, SourceTypeId, Width, eval,
};

/// Rows are only added; equal places, files and constants share a row.
pub struct Tables {
    pub files: Interner<FileId, Box<str>>,
    pub places: Interner<PlaceId, Place>,
    pub constants: Interner<ConstId, Const>,
    pub source_types: PrimaryMap<SourceTypeId, SourceType>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FuncId, Function>,
    names: Names,
}

/// Functions and globals have unique names; the program's own have priority over those of the models.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    /// The last number that was appended to a name.
    numbers: HashMap<String, u32>,
}

impl Tables {
    /// The names in `reserved` are only given to callers of `unique_name` that pass `own`.
    pub fn new(reserved: HashSet<String>) -> Tables {
        Tables {
            files: Interner::default(),
            places: Interner::default(),
            constants: Interner::default(),
            source_types: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            names: Names { taken: reserved, numbers: HashMap::new() },
        }
    }

    pub fn has_name(&self, name: &str) -> bool {
        self.names.taken.contains(name)
    }

    /// The name itself or, when something else has it, the name with a number.
    pub fn unique_name(&mut self, name: String, own: bool) -> Box<str> {
        let name = if name.is_empty() { "unnamed".to_owned() } else { name };
        if own || self.names.taken.insert(name.clone()) {
            return name.into();
        }
        let number = self.names.numbers.entry(name.clone()).or_insert(0);
        loop {
            *number += 1;
            let numbered = format!("{name}.{number}");
            if self.names.taken.insert(numbered.clone()) {
                return numbered.into();
            }
        }
    }

    pub fn constant(&mut self, constant: Const) -> Operand {
        self.constants.intern(constant).into()
    }

    pub fn int(&mut self, width: Width, bits: u128) -> Operand {
        self.constant(Const::Int { width, bits: eval::truncate(bits, width) })
    }

    pub fn unknown_place(&mut self) -> PlaceId {
        let file = self.files.intern("".into());
        self.places.intern(Place { file, line: 0, column: 0, inlined_at: None })
    }

    /// A constant global that holds a C string.
    pub fn c_string(&mut self, name: &str, text: &str) -> GlobalId {
        let name = self.unique_name(name.to_owned(), false);
        let place = self.unknown_place();
        self.globals.push(c_string(name, text, place))
    }
}

/// A constant global that holds a C string.
pub fn c_string(name: Box<str>, text: &str, place: PlaceId) -> Global {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    Global {
        name,
        size: bytes.len() as u64,
        align: 1,
        init: Init::Bytes { bytes, pointers: Vec::new() },
        constant: true,
        thread_local: false,
        origin: Origin::Model,
        internal: false,
        ty: None,
        place,
    }
}
