//! What a run reports: how it ended, and what was wrong, as facts about the user's source.

use crate::cause::{BadAccess, BadFree, DataRace, Deadlock, Lost, Mistake, Misuse, Stuck};
use crate::named::NamedObject;
use crate::trace::{ThreadNumber, Trace};
use tp_ir::{LockMode, PlaceId, Property};

/// A thread at some moment, as a reader wants to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    pub thread: ThreadNumber,
    /// The function the thread was started with, and its number: `deposit#1`; `main` for the first.
    pub thread_name: String,
    /// Calls of the user's code, innermost first; empty when none is active.
    pub stack: Vec<StackEntry>,
    /// Locks held, in the order they were taken.
    pub locks: Vec<HeldLock>,
    /// Where the thread was started, innermost call first; empty for the first thread.
    pub started: Vec<StackEntry>,
}

impl Moment {
    /// The innermost place in the user's code.
    pub fn place(&self) -> Option<PlaceId> {
        self.stack.first().map(|entry| entry.place)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEntry {
    pub function: String,
    pub place: PlaceId,
}

/// A lock that is held. Its name does not identify it: every node of a list may have one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldLock {
    pub lock: NamedObject,
    pub address: u64,
    pub mode: LockMode,
    /// Where in the user's code; only known after a second look.
    pub taken_at: Option<PlaceId>,
}

/// Something wrong that really happened, as facts. The words for them are made by `report`.
///
/// What only a second look at the run shows is an `Option` or a list, and is left out at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub property: Property,
    /// Where it happened.
    pub at: Moment,
    pub cause: Cause,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    Race(Box<DataRace>),
    Deadlock(Deadlock),
    Stuck(Stuck),
    Access(BadAccess),
    Free(BadFree),
    Lost(Lost),
    Misuse(Misuse),
    Mistake(Mistake),
}

impl Finding {
    /// Where it happened, in the user's code.
    pub fn place(&self) -> Option<PlaceId> {
        self.at.place()
    }

    /// The moments that explain it, the one at which it happened first.
    pub fn moments(&self) -> Vec<&Moment> {
        let mut all = vec![&self.at];
        match &self.cause {
            Cause::Race(race) => all.extend(race.first.iter().map(|first| &first.at)),
            Cause::Deadlock(deadlock) => all.extend(deadlock.others.iter().map(|other| &other.at)),
            Cause::Stuck(stuck) => {
                all.extend(&stuck.others);
                all.extend(stuck.waiting.iter().map(|thread| &thread.at));
            }
            Cause::Access(BadAccess { history, .. }) | Cause::Free(BadFree { history, .. }) => {
                all.extend(history.end.iter().map(|end| &end.at));
                all.extend(history.beginning.iter().map(|beginning| &beginning.at));
            }
            Cause::Lost(_) | Cause::Misuse(_) | Cause::Mistake(_) => {}
        }
        all
    }

    /// A second look at the run shows more: where locks were taken or destroyed, which threads signalled, where scopes
    /// ended, what another thread did.
    pub fn needs_hindsight(&self) -> bool {
        let moments = self.moments();
        matches!(self.property, Property::Lock | Property::Deadlock | Property::UseAfterFree)
            || moments.iter().any(|at| !at.locks.is_empty())
            || !moments.is_sorted_by(|a, b| a.thread == b.thread)
    }

    /// The same thing happened at the same place, whatever a second look has shown of either.
    pub fn is_same(&self, other: &Finding) -> bool {
        let is_same = match (&self.cause, &other.cause) {
            (Cause::Race(a), Cause::Race(b)) => {
                (&a.object, a.second.kind, a.first_writes) == (&b.object, b.second.kind, b.first_writes)
            }
            (Cause::Deadlock(a), Cause::Deadlock(b)) => {
                (a.form, a.others.len()) == (b.form, b.others.len())
                    && self.at.thread_name == other.at.thread_name
            }
            (Cause::Stuck(a), Cause::Stuck(b)) => {
                a.others.len() == b.others.len() && self.at.thread_name == other.at.thread_name
            }
            (Cause::Access(a), Cause::Access(b)) => (&a.fault, a.len, a.write) == (&b.fault, b.len, b.write),
            (Cause::Free(a), Cause::Free(b)) => a.fault == b.fault,
            (Cause::Lost(a), Cause::Lost(b)) => a.bytes == b.bytes,
            (Cause::Misuse(a), Cause::Misuse(b)) => (&a.rule, a.uninitialised) == (&b.rule, b.uninitialised),
            (Cause::Mistake(a), Cause::Mistake(b)) => a == b,
            _ => false,
        };
        is_same && self.property == other.property && self.place() == other.place()
    }
}

/// Why a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The program ended by itself.
    Exited {
        status: i32,
    },
    Violation(Box<Finding>),
    /// An assumption of some thread did not hold, and the others did nothing wrong: the run does not count.
    Assumption,
    /// A thread did something undefined that was not to be checked, and could not go on; the others did nothing wrong.
    Undefined(Box<Finding>),
    /// A function without a body and without a model was called.
    Unmodelled {
        function: String,
        at: Moment,
    },
    /// Something that could not be imported was reached.
    Unsupported {
        what: String,
        at: Moment,
    },
    TooManySteps,
    OutOfMemory {
        at: Moment,
    },
    /// Calls nested deeper than the limit.
    TooDeep {
        at: Moment,
    },
    TooManyThreads {
        at: Moment,
    },
    /// The schedule or the inputs have no answer: the trace belongs to another program.
    Diverged {
        step: u64,
    },
    /// Stopped from outside.
    Stopped,
}

impl End {
    /// Both ended in the same way at the same place, whatever a second look has shown of either.
    pub fn is_same(&self, other: &End) -> bool {
        match (self, other) {
            (End::Violation(a), End::Violation(b)) | (End::Undefined(a), End::Undefined(b)) => a.is_same(b),
            (End::Exited { status: a }, End::Exited { status: b }) => a == b,
            (End::Unmodelled { function: a, .. }, End::Unmodelled { function: b, .. }) => a == b,
            (End::Unsupported { what: a, .. }, End::Unsupported { what: b, .. }) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// Something that happened in a step, for showing a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub step: u64,
    pub thread: ThreadNumber,
    pub thread_name: String,
    /// The innermost place in the user's code.
    pub place: Option<PlaceId>,
    pub what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    Read {
        object: String,
        value: String,
    },
    Write {
        object: String,
        value: String,
    },
    /// A call of a model that synchronises, by name.
    Call {
        function: String,
        argument: Option<String>,
    },
    /// A rare input that is not 0.
    Event {
        name: String,
    },
    Input {
        name: String,
        value: String,
    },
}

pub struct Run {
    pub end: End,
    pub trace: Trace,
    pub steps: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Bytes of the program's memory at its largest.
    pub peak_memory: u64,
    pub threads: u32,
    /// Only when asked for.
    pub events: Vec<Event>,
}
