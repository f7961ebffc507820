//! Wakeup trees: sequences of steps that are still to be explored.

use crate::touches::Touches;
use std::rc::Rc;
use tp_machine::ThreadNumber;

/// A step of a thread from some prefix. From the same prefix, steps of the same thread with the same inputs are equal.
#[derive(Clone, Debug)]
pub struct WakeupStep {
    pub thread: ThreadNumber,
    /// The inputs that it was given.
    pub label: Rc<[u128]>,
    pub touches: Rc<Touches>,
}

impl WakeupStep {
    pub fn is(&self, other: &WakeupStep) -> bool {
        self.thread == other.thread && (Rc::ptr_eq(&self.label, &other.label) || self.label == other.label)
    }
}

/// How a step relates to a sequence from the same prefix.
pub enum Fit {
    /// The step is at this index of the sequence, and can be moved to its beginning.
    At(usize),
    /// The step is not in the sequence and independent of all of it.
    Beside,
    /// A step of the sequence must come before the step, or excludes it.
    Not,
}

/// Whether the step is a *weak initial* of the sequence.
pub fn fit(step: &WakeupStep, sequence: &[&WakeupStep]) -> Fit {
    // Most steps that do not fit are the same step with other inputs, so that is asked first.
    let own = sequence.iter().position(|s| s.thread == step.thread);
    if own.is_some_and(|i| !sequence[i].is(step)) {
        return Fit::Not;
    }
    let before = &sequence[..own.unwrap_or(sequence.len())];
    if before.iter().any(|s| s.touches.conflicts(&step.touches)) {
        return Fit::Not;
    }
    own.map_or(Fit::Beside, Fit::At)
}

/// A step to be taken, and what is to be explored after it; without children, everything.
#[derive(Debug)]
pub struct Branch {
    pub step: WakeupStep,
    pub children: Vec<Branch>,
}

/// Adds a sequence, unless the tree covers it: follows branches that are weak initials of it, and adds what is left as
/// a new branch where there is none. At the root, only the first `first` branches are followed.
pub fn insert(tree: &mut Vec<Branch>, mut first: usize, mut sequence: Vec<&WakeupStep>) {
    let mut at = tree;
    loop {
        let mut found = None;
        for (i, branch) in at.iter().take(first).enumerate() {
            match fit(&branch.step, &sequence) {
                Fit::At(n) => {
                    sequence.remove(n);
                    found = Some(i);
                    break;
                }
                Fit::Beside => {
                    found = Some(i);
                    break;
                }
                Fit::Not => {}
            }
        }
        match found {
            Some(i) if at[i].children.is_empty() || sequence.is_empty() => return,
            Some(i) => at = &mut at[i].children,
            None => break,
        }
        first = usize::MAX;
    }
    let mut branch = None;
    for step in sequence.into_iter().rev() {
        branch = Some(Branch { step: step.clone(), children: branch.into_iter().collect() });
    }
    at.extend(branch);
}
