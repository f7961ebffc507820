//! The handles that tie a `Program` together: small integers into its tables.

use cranelift_entity::entity_impl;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

id!(/// A function of the program.
    FuncId, "fn");
id!(/// A global variable of the program.
    GlobalId, "global");
id!(/// A basic block of one function.
    BlockId, "bb");
id!(/// A virtual register of one function; assigned exactly once.
    Reg, "r");
id!(/// A constant of the program's pool.
    ConstId, "const");
id!(/// A place in the source: file, line, column, and where it was inlined.
    PlaceId, "place");
id!(/// A source file.
    FileId, "file");
id!(/// A source-level type, for naming parts of objects.
    SourceTypeId, "type");
