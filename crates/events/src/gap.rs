//! What an unfolding does not follow, as data. `driver` has the sentences; here each has a short name, for the text of a graph
//! and for the goals of a certificate.

use std::fmt;
use tp_ir::Property;

/// Something that an event graph cannot express, or only approximates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// More nested calls than this.
    NestedCalls(usize),
    /// Paths meet, some inside of an atomic section and some outside.
    SectionOnSomePaths,
    /// An access to an object of unknown size that another thread makes.
    UnknownSize,
    /// An access to a large object with an unknown index.
    UnknownIndex,
    /// A pointer whose targets are not known.
    UnknownPointer,
    /// The result depends on the addresses of objects.
    Layout,
    /// Arithmetic on the address of heap memory that is reused.
    ReusedAddress,
    /// The overflow of a product of more than 64 bits.
    WideProduct,
    /// Floating-point arithmetic on unknown values.
    FloatArithmetic,
    /// A conversion between text and floating point.
    FloatText,
    /// Stack memory is released together with other memory, and which is not known.
    StackRelease,
    LargeObject,
    LongCopy,
    /// The result of an output function of the C library, which is not executed.
    OutputResult,
    /// The memory that an output function of the C library reads.
    OutputReads,
    /// An index so large that its offset in bytes overflows.
    IndexOverflow,
    /// Whether something points to memory that is not freed when the program ends.
    PointersAtEnd,
    /// An operation that could not be imported, as the front end calls it.
    Operation(String),
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Gap::NestedCalls(_) => "nested-calls",
            Gap::SectionOnSomePaths => "section-on-some-paths",
            Gap::UnknownSize => "unknown-size",
            Gap::UnknownIndex => "unknown-index",
            Gap::UnknownPointer => "unknown-pointer",
            Gap::Layout => "layout",
            Gap::ReusedAddress => "reused-address",
            Gap::WideProduct => "wide-product",
            Gap::FloatArithmetic => "float-arithmetic",
            Gap::FloatText => "float-text",
            Gap::StackRelease => "stack-release",
            Gap::LargeObject => "large-object",
            Gap::LongCopy => "long-copy",
            Gap::OutputResult => "output-result",
            Gap::OutputReads => "output-reads",
            Gap::IndexOverflow => "index-overflow",
            Gap::PointersAtEnd => "pointers-at-end",
            Gap::Operation(what) => what,
        })
    }
}

/// Undefined behaviour that is not looked for, after which the program is not followed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UndefinedBehaviour {
    Property(Property),
    /// Control reaches code that the program declares unreachable.
    Unreachable,
    /// A loop without any effect never ends.
    EndlessLoop,
}

impl fmt::Display for UndefinedBehaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndefinedBehaviour::Property(property) => property.title(),
            UndefinedBehaviour::Unreachable => "unreachable",
            UndefinedBehaviour::EndlessLoop => "endless-loop",
        })
    }
}
