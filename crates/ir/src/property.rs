//! What can go wrong in a program: the one list of properties, with the words users see.

/// A way for an execution to be wrong. Instructions, models and run-time checks name one of these.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// `assert` failed.
    Assert,
    /// `reach_error` or `__VERIFIER_error` was called.
    ReachError,
    /// Two conflicting accesses, not both atomic, not ordered.
    Race,
    /// Every live thread waits, or a cycle of threads wait for each other.
    Deadlock,
    /// A lock, condition variable, barrier or thread handle used against its rules.
    Lock,
    /// Null or wild pointer dereferenced.
    InvalidDeref,
    OutOfBounds,
    /// Heap memory used after `free`, or a local after its scope.
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    /// Heap memory that nothing points to any more when the program ends.
    Leak,
    /// A value that was never written decides something.
    Uninitialised,
    DivisionByZero,
    /// Signed overflow.
    Overflow,
    /// Shift by at least the width of the value.
    Shift,
    /// A float converted to an integer type that cannot hold it.
    FloatConversion,
    /// A thread spins for ever in a loop that waits; every other thread has ended, waits, or spins as well.
    Stuck,
    /// Heap memory that is not freed when the program ends, whether or not something points to it. Checked on request
    /// only.
    Cleanup,
    /// A signal handler calls a function that may not be called there.
    Signal,
}

impl Property {
    pub const ALL: [Property; 19] = [
        Property::Assert,
        Property::ReachError,
        Property::Race,
        Property::Deadlock,
        Property::Lock,
        Property::InvalidDeref,
        Property::OutOfBounds,
        Property::UseAfterFree,
        Property::DoubleFree,
        Property::InvalidFree,
        Property::Leak,
        Property::Uninitialised,
        Property::DivisionByZero,
        Property::Overflow,
        Property::Shift,
        Property::FloatConversion,
        Property::Stuck,
        Property::Cleanup,
        Property::Signal,
    ];

    /// The behaviour after this is undefined: an execution ends in it even where the property is not checked.
    pub fn ends_execution(self) -> bool {
        matches!(
            self,
            Property::InvalidDeref
                | Property::OutOfBounds
                | Property::UseAfterFree
                | Property::DoubleFree
                | Property::InvalidFree
                | Property::DivisionByZero
                | Property::FloatConversion
                | Property::Lock
        )
    }

    /// Found only at the end of an execution. Almost every execution of a program may violate it, so any other finding
    /// is reported first.
    pub fn is_late(self) -> bool {
        matches!(self, Property::Leak | Property::Cleanup)
    }

    /// The word in the textual IR, in JSON and on the command line.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    /// The id of the finding, as in `error[race]`.
    pub fn id(self) -> &'static str {
        self.row().1
    }

    /// The words in the last line, as in `verdict: violated (data race)`.
    pub fn title(self) -> &'static str {
        self.row().2
    }

    pub fn from_word(word: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.word() == word)
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Property::Assert => ("assert", "assert", "assertion failed"),
            Property::ReachError => ("reach-error", "assert", "error call reached"),
            Property::Race => ("race", "race", "data race"),
            Property::Deadlock => ("deadlock", "deadlock", "deadlock"),
            Property::Lock => ("lock", "lock", "lock misuse"),
            Property::InvalidDeref => ("invalid-deref", "memory", "invalid pointer"),
            Property::OutOfBounds => ("out-of-bounds", "memory", "out of bounds"),
            Property::UseAfterFree => ("use-after-free", "memory", "use after free"),
            Property::DoubleFree => ("double-free", "memory", "double free"),
            Property::InvalidFree => ("invalid-free", "memory", "invalid free"),
            Property::Leak => ("leak", "memory", "memory leak"),
            Property::Uninitialised => ("uninitialised", "memory", "uninitialised read"),
            Property::DivisionByZero => ("division-by-zero", "arithmetic", "division by zero"),
            Property::Overflow => ("overflow", "overflow", "signed overflow"),
            Property::Shift => ("shift", "arithmetic", "shift out of range"),
            Property::FloatConversion => ("float-conversion", "arithmetic", "float out of range"),
            Property::Stuck => ("stuck", "stuck", "stuck waiting"),
            Property::Cleanup => ("cleanup", "cleanup", "memory not freed"),
            Property::Signal => ("signal", "signal", "unsafe call in a signal handler"),
        }
    }
}
