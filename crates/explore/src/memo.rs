//! Memoised answers: a thread that reads the same values does the same.
//!
//! What a thread does depends on what it has read so far and on what it reads now. A fingerprint stands for the former
//! (`State`); an answer fits a cut if everything that was read for it has the same value there. So most questions about
//! what a thread could do elsewhere are answered without the machine.

use crate::path::{Cut, Path};
use crate::stand::After;
use crate::touches::Touches;
use crate::wakeup_tree::WakeupStep;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tp_machine::{ThreadNumber, Touch};

/// What a thread can do after some events.
#[derive(Clone)]
pub struct NextStep {
    pub thread: ThreadNumber,
    /// A step that it can take; `None` if it has to wait.
    pub step: Option<WakeupStep>,
    /// The step with other inputs, where they enable it.
    pub others: Vec<WakeupStep>,
    /// What it touches with any inputs, whether or not they enable it.
    pub touches: Rc<Touches>,
    /// Why it waits, if it does.
    pub why: WaitReason,
}

/// Why a thread does not go on.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitReason {
    /// A condition does not hold.
    Awaits,
    /// It is in a loop that changes nothing.
    Spins,
    /// Its step would end the execution: all that the others can do is explored first.
    Ends,
    /// Its step exceeds a limit of the execution; in another execution it may not.
    Limited,
}

impl NextStep {
    /// It has to wait.
    pub fn waits(thread: ThreadNumber, touches: Rc<Touches>, why: WaitReason) -> NextStep {
        NextStep { thread, step: None, others: Vec::new(), touches, why }
    }

    /// It can take this step, and does not ask for inputs.
    pub fn certain(step: WakeupStep) -> NextStep {
        let (thread, touches) = (step.thread, step.touches.clone());
        NextStep { thread, step: Some(step), others: Vec::new(), touches, why: WaitReason::Awaits }
    }

    pub fn steps(&self) -> impl Iterator<Item = &WakeupStep> {
        self.step.iter().chain(&self.others)
    }
}

/// A fingerprint of all that a thread has read, and of its inputs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct ReadFingerprint(u128);

impl ReadFingerprint {
    pub fn with(self, value: u64) -> ReadFingerprint {
        self.with_all(value as u128)
    }

    fn with_all(self, value: u128) -> ReadFingerprint {
        let h = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        ReadFingerprint(h ^ h >> 59)
    }

    /// The first state of a thread with this number, started by a step that led to this state.
    pub fn start(self, thread: ThreadNumber) -> ReadFingerprint {
        self.with(u64::MAX).with(thread as u64)
    }

    pub fn after(self, step: &WakeupStep) -> ReadFingerprint {
        // The 1 is for a step without inputs and reads, which leads to another state as well.
        let mut state = self.with(step.label.len() as u64 + 1);
        for &value in step.label.iter() {
            state = state.with(value as u64).with((value >> 64) as u64);
        }
        state.with_all(step.touches.seen.0)
    }
}

#[derive(Default)]
pub struct Memo {
    answers: FxHashMap<ReadFingerprint, Vec<NextStep>>,
    /// What steps lead to, by the state they lead to.
    afters: FxHashMap<ReadFingerprint, Rc<After>>,
    /// The states in which the thread ends the program without a violation.
    exits: FxHashSet<ReadFingerprint>,
    count: usize,
    /// What was read before any write.
    initial: FxHashMap<(u64, u64, u64), u64>,
}

/// The most answers to remember.
const MOST: usize = 1 << 20;

impl Memo {
    /// Remembers what was done in this state at a cut of the path, or at its end.
    pub fn note(&mut self, state: ReadFingerprint, path: &Path, cut: Option<&Cut>, answer: NextStep) {
        if answer.why == WaitReason::Limited {
            return;
        }
        for touch in &answer.touches.foreign {
            match path.source(touch, cut) {
                Some(ValueSource::Initial) => {
                    self.initial.insert((touch.key, touch.offset, touch.len), touch.seen);
                }
                Some(ValueSource::Left(_)) => {}
                None => return,
            }
        }
        if self.find(state, path, cut).is_none() {
            if self.count >= MOST {
                self.answers.clear();
                self.afters.clear();
                self.count = 0;
            }
            self.count += 1 + answer.others.len();
            self.answers.entry(state).or_default().push(answer);
        }
    }

    pub fn note_after(&mut self, state: ReadFingerprint, after: Rc<After>) {
        self.afters.insert(state, after);
    }

    pub fn after(&self, state: ReadFingerprint) -> Option<Rc<After>> {
        self.afters.get(&state).cloned()
    }

    pub fn note_exit(&mut self, state: ReadFingerprint) {
        self.exits.insert(state);
    }

    /// The thread ends the program without a violation.
    pub fn is_exit(&self, state: ReadFingerprint) -> bool {
        self.exits.contains(&state)
    }

    pub fn find(&self, state: ReadFingerprint, path: &Path, cut: Option<&Cut>) -> Option<&NextStep> {
        let reads = |touch: &Touch| match path.source(touch, cut) {
            Some(ValueSource::Left(value)) => value == touch.seen,
            Some(ValueSource::Initial) => {
                self.initial.get(&(touch.key, touch.offset, touch.len)) == Some(&touch.seen)
            }
            None => false,
        };
        let finds = |touch: &Touch| path.is_gone(touch.key, cut) == (touch.seen == Touch::IS_GONE);
        let fits = |answer: &&NextStep| {
            answer.touches.foreign.iter().all(reads) && answer.touches.found.iter().all(finds)
        };
        self.answers.get(&state)?.iter().find(fits)
    }
}

/// Where a value comes from.
pub enum ValueSource {
    Left(u64),
    Initial,
}
