//! What a run reports: how it ended, and what was wrong, in terms of the user's source.

use crate::trace::{ThreadNumber, Trace};
use tp_ir::{PlaceId, Property};

/// A thread at some moment, as a reader wants to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    pub thread: ThreadNumber,
    /// The function the thread was started with, and its number: `deposit#1`; `main` for the first.
    pub thread_name: String,
    /// Calls of the user's code, innermost first; empty when none is active.
    pub stack: Vec<StackEntry>,
    /// Locks held, in the order they were taken.
    pub locks: Vec<String>,
    /// Where the thread was started, innermost call first; empty for the first thread.
    pub started: Vec<StackEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEntry {
    pub function: String,
    pub place: PlaceId,
}

/// A place to show, with what happened there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub text: String,
    pub moment: Moment,
}

/// Something wrong that really happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub property: Property,
    /// The number of the weakness in the Common Weakness Enumeration.
    pub cwe: u32,
    /// One sentence.
    pub message: String,
    /// The place of the error first, then those that explain it.
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    /// What would mend it, where this run shows that.
    pub help: Vec<String>,
}

impl Finding {
    /// Where it happened, in the user's code.
    pub fn place(&self) -> Option<PlaceId> {
        self.labels.first()?.moment.stack.first().map(|entry| entry.place)
    }

    /// A second look at the run shows more: where locks were taken or destroyed, who gave signals, where scopes ended, what
    /// another thread did.
    pub fn has_a_past(&self) -> bool {
        let threads = self.labels.iter().map(|l| l.moment.thread);
        matches!(self.property, Property::Lock | Property::Deadlock | Property::UseAfterFree)
            || self.labels.iter().any(|l| !l.moment.locks.is_empty())
            || !threads.is_sorted_by(|a, b| a == b)
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

/// One step, for showing a run.
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
