//! The facts of each kind of finding.

use crate::finding::{HeldLock, Moment};
use crate::hindsight::Guarding;
use crate::named::NamedObject;
use crate::race::AccessKind;
use crate::trace::ThreadNumber;
use tp_ir::{BinOp, PlaceId, Type, WaitKind, Width};

/// Two accesses that nothing orders. The later one has just been made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataRace {
    pub object: RacedObject,
    pub second: RacingAccess,
    /// Whether the earlier access writes.
    pub first_writes: bool,
    /// The earlier access, and why nothing orders the two.
    pub first: Option<FirstAccess>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RacedObject {
    Object(NamedObject),
    /// Memory of the C library that this function keeps between calls.
    KeptBy(String),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RacingAccess {
    pub kind: AccessKind,
    /// In bytes.
    pub len: u64,
    /// The user's code makes it atomic.
    pub atomic: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstAccess {
    pub at: Moment,
    pub access: RacingAccess,
    pub unordered: Unordered,
}

/// Why nothing orders two accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unordered {
    /// An atomic between them has too weak a memory order; `None` if it is not known which one.
    TooWeak(Option<NamedObject>),
    /// No lock that excludes the other thread is held at both accesses.
    Unguarded {
        /// The locks held at the largest number of lines that access the same memory.
        usual: Vec<Guarding>,
        /// The number of lines that access it.
        lines: usize,
    },
}

/// Threads that wait for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    pub form: DeadlockForm,
    /// What the reporting thread is blocked on.
    pub wait: Option<BlockedOn>,
    pub others: Vec<WaitingThread>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DeadlockForm {
    /// Each thread waits for the next one, and the last one for the first.
    Cycle { others_go_on: bool },
    /// All threads wait, and no thread can wake them.
    AllWait,
    /// Main waits, and nothing that the threads which go on may still do can wake it, or one that could wake it.
    OthersGoOn,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingThread {
    pub at: Moment,
    pub wait: Option<BlockedOn>,
}

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockedOn {
    pub kind: WaitKind,
    pub object: NamedObject,
    pub address: u64,
    /// The thread that holds it, or that is to be joined.
    pub owner: Option<Owner>,
    /// The names of the threads that hold it for reading.
    pub readers: Vec<String>,
    /// Of a wait for a signal: why none came.
    pub missed: Option<MissedSignal>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner {
    pub thread: ThreadNumber,
    pub thread_name: String,
    /// It ended while it held a lock.
    pub has_ended: bool,
    /// What it waits for itself.
    pub waits: Option<WaitKind>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MissedSignal {
    /// No thread has signalled.
    Never,
    /// The last one came before the thread waited.
    TooEarly { signal: NotedBy, waits_in_loop: bool },
    /// The last one woke another thread.
    WokeOther(NotedBy),
}

/// The thread that made a noted call, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedBy {
    pub thread_name: String,
    pub place: Option<PlaceId>,
}

/// Threads that loop for ever; the finding is at the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck {
    pub others: Vec<Moment>,
    /// Threads that wait meanwhile.
    pub waiting: Vec<WaitingThread>,
}

/// An access to invalid or read-only memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadAccess {
    pub write: bool,
    pub len: u64,
    pub fault: AccessFault,
    pub history: ObjectHistory,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessFault {
    /// This far from a null pointer.
    Null {
        address: u64,
    },
    /// No object is there.
    Wild {
        address: u64,
    },
    /// The object has ended.
    Ended {
        object: NamedObject,
        how: EndedBy,
    },
    /// The object has ended, and another one has taken its place.
    Replaced,
    Bounds {
        object: NamedObject,
        offset: i64,
        size: u64,
    },
    ReadOnly {
        object: NamedObject,
    },
    /// A function is accessed as data.
    NotData {
        object: NamedObject,
    },
}

/// How an object has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EndedBy {
    Freed,
    /// Its scope has ended.
    Scope,
    /// With its function or its thread.
    Otherwise,
}

/// A pointer is freed that is not the start of live heap memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadFree {
    pub fault: FreeFault,
    pub history: ObjectHistory,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FreeFault {
    NotHeap {
        object: NamedObject,
    },
    /// This many bytes after the start.
    Inside {
        object: NamedObject,
        offset: u64,
    },
    Outside {
        object: NamedObject,
    },
    /// `None`: another object has taken its place.
    Again {
        object: Option<NamedObject>,
    },
    NoObject {
        address: u64,
    },
}

/// Where an object began and ended, as far as it is worth showing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectHistory {
    pub end: Option<ObjectEnd>,
    pub beginning: Option<ObjectBeginning>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectEnd {
    pub at: Moment,
    pub how: EndedBy,
    /// Whether `at` tells which locks were held.
    pub knows_locks: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectBeginning {
    pub at: Moment,
    pub how: Began,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Began {
    Allocated,
    Declared,
    /// A local without a name.
    Made,
}

/// Heap memory that is not freed when the program ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    pub bytes: u64,
    /// How many more objects are lost.
    pub more: usize,
}

/// A lock, or something like it, used against its rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misuse {
    /// What the model says.
    pub rule: String,
    /// The lock was never written, so what the model found in it means nothing.
    pub uninitialised: bool,
    /// The locks passed to the function that the user called.
    pub locks: Vec<NamedObject>,
    pub holders: Vec<LockHolder>,
    pub destroyed: Vec<(NamedObject, NotedBy)>,
}

/// A thread, and which of the given locks it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockHolder {
    pub thread_name: String,
    pub locks: Vec<HeldLock>,
}

/// What one thread did wrong by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// A value that was never written is used, of this variable if it is known.
    Uninitialised { variable: Option<String> },
    /// Code is reached that the program declares unreachable.
    Unreachable,
    /// An overflow, a shift that is too far, or a division by zero.
    Arithmetic { op: BinOp, width: Width, a: i128, b: i128 },
    /// A number of type `from` is converted to an integer that cannot hold it.
    Conversion { from: Type, bits: u64, to: Width },
    /// Memory is copied onto a part of itself.
    OverlappingCopy,
    /// `None`: a null pointer is called.
    NotFunction { called: Option<NamedObject> },
    /// The expression of an assertion.
    Assertion { expression: String },
    /// What the program or a model says.
    Reported { text: String },
}
