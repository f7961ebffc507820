//! What one step touched, from the events that the machine recorded.

use std::collections::{BTreeSet, HashMap};
use tp_machine::{Event, What};

/// Models whose steps touch nothing but the object that they are called with.
const OF_ONE_OBJECT: [&str; 8] = [
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_mutex_trylock",
    "sem_wait",
    "sem_post",
    "sem_trywait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
];

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
        for event in events {
            match &event.what {
                What::Read { object, .. } => {
                    touched.reads.insert(self.number(object));
                    known = true;
                }
                What::Write { object, .. } => {
                    touched.writes.insert(self.number(object));
                    known = true;
                }
                What::Call { function, argument: Some(object) } if is_of_one_object(function) => {
                    touched.writes.insert(self.number(object));
                    known = true;
                }
                What::Call { .. } => return Footprint::everything(),
                What::Input { .. } => {}
            }
        }
        // The end of a thread changes only what those see that join it; and joining touches everything.
        if known || last { touched } else { Footprint::everything() }
    }
}

fn is_of_one_object(function: &str) -> bool {
    OF_ONE_OBJECT.contains(&function)
}

/// What was read and which values came, to see whether the same happens again.
pub fn reading(events: &[&Event]) -> String {
    events.iter().map(|e| format!("{:?}{:?};", e.place, e.what)).collect()
}
