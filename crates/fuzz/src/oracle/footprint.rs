//! What one step touched, from the events that the machine recorded.

use std::collections::{BTreeSet, HashMap};
use tp_machine::{Event, What};

/// What the steps of a model touch: the object that it is called with, or something that many share.
fn touched_by(function: &str, argument: Option<&str>) -> Option<String> {
    match function {
        "sem_wait" | "sem_post" | "sem_trywait" => argument.map(str::to_owned),
        // A wait on a condition variable touches its mutex too.
        _ if function.starts_with("pthread_mutex_") => Some("all mutexes".into()),
        _ if function.starts_with("pthread_cond_") => Some("all mutexes".into()),
        "pthread_create" | "pthread_join" => Some(THREADS.into()),
        _ => None,
    }
}

/// Which threads there are, and which of them have ended.
const THREADS: &str = "all threads";

/// Objects by number. An object is what has a name of its own; all of the heap is one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Footprint {
    everything: bool,
    reads: BTreeSet<u32>,
    writes: BTreeSet<u32>,
}

impl Footprint {
    pub fn everything() -> Footprint {
        Footprint { everything: true, ..Footprint::default() }
    }

    pub fn add(&mut self, other: &Footprint) {
        self.everything |= other.everything;
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    /// Whether the order of the two can matter.
    pub fn depends(&self, other: &Footprint) -> bool {
        self.everything
            || other.everything
            || !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }

    /// Whether it could change what the other reads.
    pub fn disturbs(&self, other: &Footprint) -> bool {
        self.everything || !self.writes.is_disjoint(&other.reads)
    }

    pub fn only_reads(&self) -> bool {
        !self.everything && self.writes.is_empty()
    }
}

/// Numbers for names.
#[derive(Default)]
pub struct Names(HashMap<String, u32>);

impl Names {
    fn number(&mut self, object: &str) -> u32 {
        let whole = object.split(['.', '[', '+', ',']).next().unwrap_or("");
        match self.0.get(whole) {
            Some(&n) => n,
            None => {
                let n = self.0.len() as u32;
                self.0.insert(whole.to_owned(), n);
                n
            }
        }
    }

    /// What a step with these events touched; `last` when its thread ended with it.
    pub fn footprint(&mut self, events: &[&Event], last: bool) -> Footprint {
        let mut touched = Footprint::default();
        let mut known = false;
        for (i, event) in events.iter().enumerate() {
            match &event.what {
                What::Read { object, .. } => {
                    touched.reads.insert(self.number(object));
                    known = true;
                }
                // What writes back what it has read in the same step changes nothing.
                What::Write { object, value } if restores(&events[..i], object, value) => known = true,
                What::Write { object, .. } => {
                    touched.writes.insert(self.number(object));
                    known = true;
                }
                What::Call { function, argument } => match touched_by(function, argument.as_deref()) {
                    Some(object) => {
                        touched.writes.insert(self.number(&object));
                        known = true;
                    }
                    None => return Footprint::everything(),
                },
                What::Input { .. } => {}
            }
        }
        // The end of a thread changes only what those see that join it.
        if last {
            touched.writes.insert(self.number(THREADS));
        }
        if known || last { touched } else { Footprint::everything() }
    }
}

/// Whether the step has read this value there, and written nothing since.
fn restores(before: &[&Event], object: &str, value: &str) -> bool {
    matches!(before.last().map(|e| &e.what), Some(What::Read { object: o, value: v }) if o == object && v == value)
        && !before.iter().any(|e| matches!(e.what, What::Write { .. }))
}

/// What was read and which values came, to see whether the same happens again.
pub fn reading(events: &[&Event]) -> String {
    events.iter().map(|e| format!("{:?}{:?};", e.place, e.what)).collect()
}
