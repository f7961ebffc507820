//! The words for a finding: one sentence, what to write beside the places, and how to fix it.
//!
//! | module | what it is about |
//! |---|---|
//! | `race` | two accesses that nothing orders |
//! | `waiting` | threads that wait or spin for ever |
//! | `memory` | accesses and frees that fail, memory that is lost |
//! | `mistake` | what a thread did wrong by itself, and misuse of locks |
//! | `cwe` | the number of the weakness |
//! | `assumption` | what a possible finding rests on |
//! | `end` | how a run ended otherwise |
//! | `missing` | functions that nobody defines |

mod assumption;
mod cwe;
mod end;
mod memory;
mod missing;
mod mistake;
mod race;
mod waiting;

pub use assumption::Assumption;
pub use end::{end_reason, not_replayed, unsupported};
pub use missing::{further_missing, ways_past_missing};
use tp_ir::{LockMode, PlaceId, Program};
use tp_machine::{Cause, Finding, HeldLock, Moment, NamedObject, NotedBy};

/// What is said of a finding.
pub struct Wording<'f> {
    pub cwe: u32,
    /// One sentence.
    pub message: String,
    /// Moments to show, with what happened there; that of the error first.
    pub labels: Vec<(String, &'f Moment)>,
    pub notes: Vec<String>,
    /// How to fix it, where this run shows that.
    pub help: Vec<String>,
}

/// What happened, in one sentence.
pub fn sentence(program: &Program, finding: &Finding) -> String {
    Wording::of(program, finding).message
}

impl<'f> Wording<'f> {
    pub fn of(program: &Program, finding: &'f Finding) -> Wording<'f> {
        let names = Naming { program };
        let mut words = Wording {
            cwe: cwe::of(finding),
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        };
        match &finding.cause {
            Cause::Race(race) => words.race(names, &finding.at, race),
            Cause::Deadlock(deadlock) => words.deadlock(names, &finding.at, deadlock),
            Cause::Stuck(stuck) => words.stuck(names, &finding.at, stuck),
            Cause::Access(access) => words.bad_access(names, &finding.at, access),
            Cause::Free(free) => words.bad_free(names, &finding.at, free),
            Cause::Lost(lost) => words.lost(finding.property, &finding.at, lost),
            Cause::Misuse(misuse) => words.misuse(names, &finding.at, misuse),
            Cause::Mistake(mistake) => words.mistake(names, finding, mistake),
        }
        words
    }

    fn label(&mut self, text: impl Into<String>, at: &'f Moment) {
        self.labels.push((text.into(), at));
    }

    /// Notes which locks the thread holds.
    fn note_locks(&mut self, names: Naming<'_>, at: &Moment) {
        self.notes.extend(names.holds(&at.thread_name, &at.locks));
    }
}

/// Names objects and places of a program.
#[derive(Copy, Clone)]
struct Naming<'p> {
    program: &'p Program,
}

impl Naming<'_> {
    fn name(self, object: &NamedObject) -> String {
        object.name(self.program)
    }

    /// Ready for a sentence.
    fn quoted(self, object: &NamedObject) -> String {
        match object {
            NamedObject::Heap { .. } | NamedObject::OfLibrary | NamedObject::StringLiteral => {
                self.name(object)
            }
            _ => format!("`{}`", self.name(object)),
        }
    }

    /// An object as a whole, ready for a sentence.
    fn whole(self, object: &NamedObject) -> String {
        match object {
            NamedObject::UnnamedLocal { .. } => "an unnamed local".to_owned(),
            _ => self.quoted(object),
        }
    }

    fn place(self, place: PlaceId) -> String {
        let p = &self.program.places[place];
        format!("{}:{}", self.program.files[p.file], p.line)
    }

    /// ` at file:line`, where it is known.
    fn at(self, by: &NotedBy) -> String {
        by.place.map_or(String::new(), |place| format!(" at {}", self.place(place)))
    }

    /// Which locks a thread holds, and since where.
    fn holds(self, thread_name: &str, locks: &[HeldLock]) -> Option<String> {
        let lock = |held: &HeldLock| {
            let since = held.taken_at.map_or(String::new(), |at| format!(", taken at {}", self.place(at)));
            format!("{}{since}", self.lock(held))
        };
        let locks = locks.iter().map(lock).collect::<Vec<_>>().join(" and ");
        (!locks.is_empty()).then(|| format!("thread `{thread_name}` holds {locks}"))
    }

    /// A lock, and whether it is held for reading.
    fn lock(self, held: &HeldLock) -> String {
        let mode = if held.mode == LockMode::Shared { " for reading" } else { "" };
        format!("`{}`{mode}", self.name(&held.lock))
    }

    /// The names of locks.
    fn locks(self, locks: &[HeldLock]) -> String {
        match locks {
            [] => "no lock".to_owned(),
            some => some
                .iter()
                .map(|held| format!("`{}`", self.name(&held.lock)))
                .collect::<Vec<_>>()
                .join(" and "),
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
