//! Objects as the user knows them.

use tp_ir::{PlaceId, Program};

/// An object, or the part of it at some offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NamedObject {
    Variable {
        name: String,
        /// As `[2].balance`; empty for the object as a whole.
        part: String,
    },
    /// A compound literal, or memory from `alloca`.
    UnnamedLocal {
        part: String,
    },
    StringLiteral,
    Function(String),
    Heap {
        made_at: Option<PlaceId>,
        offset: u64,
    },
    /// State of the models: the user does not know its names.
    OfLibrary,
    /// No object is known to be there.
    Address(u64),
}

impl NamedObject {
    /// As events and inputs show it.
    pub fn name(&self, program: &Program) -> String {
        match self {
            NamedObject::Variable { name, part } => format!("{name}{part}"),
            NamedObject::UnnamedLocal { part } => format!("unnamed local{part}"),
            NamedObject::StringLiteral => "a string literal".to_owned(),
            NamedObject::Function(name) => name.clone(),
            NamedObject::Heap { made_at, offset } => {
                let from =
                    made_at.map_or(String::new(), |place| format!(" from {}", place_name(program, place)));
                let byte = if *offset > 0 { format!(", byte {offset}") } else { String::new() };
                format!("heap memory{from}{byte}")
            }
            NamedObject::OfLibrary => "memory of the C library".to_owned(),
            NamedObject::Address(address) => format!("{address:#x}"),
        }
    }
}

/// `file:line`.
fn place_name(program: &Program, place: PlaceId) -> String {
    let p = &program.places[place];
    format!("{}:{}", program.files[p.file], p.line)
}
