//! What threads did when they read certain values: asked again, they do the same.
//!
//! What a thread does depends on what it has read so far and on what it reads now. A number stands for the former, see
//! `State`; an answer fits a cut if everything that was read for it has the same value there. So most questions about what a
//! thread could do elsewhere are answered without the machine.

use crate::path::{Cut, Path};
use crate::touches::Touches;
use crate::tree::Step;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tp_machine::{ThreadNumber, Touch};

/// What a thread can do at some moment.
#[derive(Clone)]
pub struct Answer {
    pub thread: ThreadNumber,
    /// None: it has to wait.
    pub step: Option<Step>,
    pub touches: Rc<Touches>,
}

/// A fingerprint of all that a thread has read, and of its inputs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct State(u128);

impl State {
    fn with(self, value: u64) -> State {
        let h = (self.0 ^ value as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        State(h ^ h >> 59)
    }

    /// A thread that was started as this one, by a step that came to this state.
    pub fn start(self, thread: ThreadNumber) -> State {
        self.with(u64::MAX).with(thread as u64)
    }

    pub fn after(self, step: &Step) -> State {
        let mut state = self.with(step.label.len() as u64);
        for &value in step.label.iter() {
            state = state.with(value as u64).with((value >> 64) as u64);
        }
        for touch in step.touches.list.iter().filter(|t| t.reads) {
            state = state.with(touch.key).with(touch.offset << 20 ^ touch.len).with(touch.seen);
        }
        state
    }
}

#[derive(Default)]
pub struct Memo {
    answers: FxHashMap<State, Vec<Answer>>,
    count: usize,
    /// What was read before anybody wrote it.
    initial: FxHashMap<(u64, u64, u64), u64>,
}

/// So many answers are remembered.
const MOST: usize = 1 << 20;

impl Memo {
    /// What was done in this state at a cut of the path.
    pub fn note(&mut self, state: State, path: &Path, cut: &Cut, answer: Answer) {
        for touch in foreign(&answer.touches) {
            match path.source(touch, cut) {
                Some(Source::Initial) => {
                    self.initial.insert((touch.key, touch.offset, touch.len), touch.seen);
                }
                Some(Source::Left(_)) => {}
                None => return,
            }
        }
        if self.find(state, path, cut).is_none() {
            if self.count >= MOST {
                self.answers.clear();
                self.count = 0;
            }
            self.count += 1;
            self.answers.entry(state).or_default().push(answer);
        }
    }

    pub fn find(&self, state: State, path: &Path, cut: &Cut) -> Option<&Answer> {
        let fits = |answer: &&Answer| {
            foreign(&answer.touches).all(|touch| match path.source(touch, cut) {
                Some(Source::Left(value)) => value == touch.seen,
                Some(Source::Initial) => {
                    self.initial.get(&(touch.key, touch.offset, touch.len)) == Some(&touch.seen)
                }
                None => false,
            })
        };
        self.answers.get(&state)?.iter().find(fits)
    }
}

/// What a step reads that it has not written itself before.
fn foreign(touches: &Touches) -> impl Iterator<Item = &Touch> {
    let list = &touches.list;
    list.iter().enumerate().filter_map(|(i, touch)| {
        let own = list[..i].iter().any(|w| w.writes && w.overlaps(touch));
        (touch.reads && !own && touch.seen != Touch::IS_THERE).then_some(touch)
    })
}

/// Where a value comes from.
pub enum Source {
    Left(u64),
    Initial,
}
