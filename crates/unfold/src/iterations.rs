//! The iterations of a loop: which are executed, and which are left out because they only wait.

use crate::cases::Decided;
use crate::pass::Pass;
use crate::state::{Effects, State};
use crate::store::{Content, Store};
use crate::*;
use std::iter;
use std::rc::Rc;
use tp_ir::{BlockId, Property};
use tp_terms::TermKind;

/// An iteration of a loop.
#[derive(Clone)]
pub(crate) struct Iteration {
    pub head: BlockId,
    pub number: u32,
    /// Events made in this and earlier iterations.
    pub events: usize,
    /// Number of all events when `events` was last updated.
    pub counted: usize,
    /// Instructions executed before the first iteration.
    pub instructions: u64,
    /// Iterations whose exit was not decided by constants.
    pub undecided: u32,
    /// In this iteration, a constant has closed an exit.
    pub constant_exit: bool,
    /// In this iteration, an exit depends on a condition.
    pub open_exit: bool,
    /// The state in which the iteration began.
    pub start: Rc<IterationStart>,
}

pub(crate) struct IterationStart {
    /// It began inside an atomic step.
    pub in_step: bool,
    /// The first node that may belong to the iteration.
    pub node: NodeId,
    /// Number of inputs that had been asked for, by all threads.
    pub inputs: usize,
    pub store: Store,
    pub effects: Effects,
    /// The parameters of the head. `None`: the path has entered the loop elsewhere, and there is nothing to compare.
    pub params: Option<Vec<Option<Term>>>,
}

/// Iterations in which constants decide one exit while another is open: at most this many times the bound.
const MIXED_ITERATIONS: u32 = 32;
/// Events that a loop may make while constants decide its exit. It will end, but small bounds follow a long loop only
/// in part: most failures come early.
fn decided_events(bound: u32) -> usize {
    1000usize.saturating_mul(2usize.saturating_pow(bound.min(40)))
}

/// Instructions of such a loop. In early passes a loop may seem decided only because the writes of other threads are
/// not known yet; then it costs no more than this.
fn decided_instructions(bound: u32) -> u64 {
    2_000_000u64.saturating_mul(2u64.saturating_pow(bound.min(40)))
}

/// Most values for which it may depend on a condition whether they are unchanged. With more, as in a table that is
/// written at an unknown index, the state counts as changed.
const MOST_CHOICES: u32 = 4;

/// A term that chooses between more values than this counts as one value.
const FEW_CHOICES: usize = 64;

impl Pass<'_> {
    /// Whether the innermost loop may have another iteration; if so, begins it.
    pub fn another_iteration(
        &mut self,
        state: &mut State,
        iterations: &mut [Iteration],
        block: BlockId,
        values: &[Term],
    ) -> bool {
        let now = self.events();
        let Some(iteration) = iterations.last_mut() else { return true };
        iteration.events += now - iteration.counted;
        iteration.counted = now;
        let mut decided = self.decided(state);
        let changes = changes(state, &iteration.start, values);
        let same = self.is_same_state(&mut decided, changes.as_deref());
        if iteration.head == block {
            let has_effect = self.has_effect(&mut decided, state, &iteration.start, same);
            self.note_spin(state, &iteration.start, has_effect);
            if !state.guard.add(&mut self.out.terms, has_effect) {
                return false;
            }
        }
        let bound = self.config.bound_in(state);
        iteration.number += 1;
        let mut allowed = iteration.number <= bound
            || iteration.events <= decided_events(bound)
                && self.instructions - iteration.instructions <= decided_instructions(bound);
        let decides = iteration.constant_exit && self.computes(state, &iteration.start, values);
        if !decides || iteration.open_exit {
            iteration.undecided += 1;
            allowed &= iteration.undecided <= if decides { MIXED_ITERATIONS * bound } else { bound };
        }
        if !allowed {
            self.limit(state, LimitKind::Loop);
            return false;
        }
        iteration.constant_exit = false;
        iteration.open_exit = false;
        true
    }

    /// Whether the iteration has computed a new value. Only then does a constant exit condition decide the loop: it can
    /// be another constant in the next iteration. Values read from memory, cells that others may have written, and a
    /// different choice between values that were possible before do not count.
    fn computes(&self, state: &State, start: &IterationStart, values: &[Term]) -> bool {
        let Some(params) = &start.params else { return true };
        let of_params = values.iter().zip(params).filter_map(|(&new, &old)| Some((new, old?)));
        // The stores are only compared if the parameters do not tell.
        let differences = iter::once_with(|| start.store.differences(&state.store)).flatten();
        let of_store = differences.filter_map(|(_, before, now)| match (before, now) {
            (Content::Known(old), Content::Known(new)) => Some((new, old)),
            _ => None,
        });
        of_params.chain(of_store).filter(|(new, old)| new != old).any(|(new, old)| {
            let before = self.choices(old);
            self.choices(new).iter().any(|x| !before.contains(x) && self.values.of(*x).is_none())
        })
    }

    /// The values that a term chooses between, or the term itself if these are many.
    fn choices(&self, of: Term) -> Vec<Term> {
        let (mut seen, mut at) = (vec![of], 0);
        while let Some(&t) = seen.get(at) {
            if let TermKind::Ite(_, x, y) = self.out.terms.kind(t) {
                seen.extend([x, y].into_iter().filter(|t| !seen.contains(t)).collect::<Vec<_>>());
            }
            at += 1;
            if seen.len() > FEW_CHOICES {
                return vec![of];
            }
        }
        seen.retain(|&t| !matches!(self.out.terms.kind(t), TermKind::Ite(..)));
        seen
    }

    /// The thread may spin for ever if the iteration has done nothing. If it has asked for inputs, others might let it
    /// leave.
    fn note_spin(&mut self, state: &State, start: &IterationStart, has_effect: Term) {
        if !self.config.checks.has(Property::Stuck) {
            return;
        }
        let mut goes_on = has_effect;
        for i in start.inputs..self.out.inputs.len() {
            if self.out.inputs[i].thread == self.thread.id && !self.out.inputs[i].is_unwritten {
                goes_on = self.out.terms.or(goes_on, self.out.inputs[i].guard);
            }
        }
        let rests = self.out.terms.not(goes_on);
        let guard = self.out.terms.and(state.guard.term(), rests);
        let (from, to) = (start.node, self.next_node());
        self.out.spins.push(Spin { thread: self.thread.id, guard, from, to });
    }

    pub fn next_node(&self) -> NodeId {
        NodeId::from_u32(self.out.nodes.len() as u32)
    }

    /// When an iteration has done something. One that returns to the head of its loop in the same state, without an
    /// effect that other threads can see, need not be executed: whatever happens in the next iteration can happen in
    /// this one. So a loop that only waits for others is left when, and only when, its condition holds.
    fn has_effect(
        &mut self,
        decided: &mut Decided,
        state: &State,
        start: &IterationStart,
        same: Term,
    ) -> Term {
        let always = self.out_true();
        // Inside an atomic step others change nothing, so there is nothing to wait for; and its writes are not in the
        // store yet (`OpenStep::written`). An iteration that ends the step lets other threads run.
        if state.step.is_some() || start.in_step || self.out.terms.as_const(same) == Some(0) {
            return always;
        }
        let Some(effects) = state.effects.since(&start.effects) else { return always };
        let mut has_effect = self.out.terms.not(same);
        for effect in effects {
            if !state.guard.excludes(&mut self.out.terms, effect) {
                let effect = self.on_path(decided, effect);
                has_effect = self.out.terms.or(has_effect, effect);
            }
        }
        has_effect
    }

    /// When a path returns to the head of its loop in the state in which the iteration began; never, where that is not
    /// plain.
    fn is_same_state(&mut self, decided: &mut Decided, changes: Option<&[(Term, Term)]>) -> Term {
        let (mut same, never) = (self.out.terms.bool(true), self.out.terms.bool(false));
        let Some(changes) = changes else { return never };
        let mut choices = 0;
        for &(new, old) in changes {
            let kept = self.is_unchanged(decided, new, old);
            same = self.out.terms.and(same, kept);
            choices += u32::from(self.out.terms.as_const(kept).is_none());
            if choices > MOST_CHOICES || self.out.terms.as_const(same) == Some(0) {
                return never;
            }
        }
        same
    }

    /// When a value is unchanged: always, never, or on one side of a choice.
    fn is_unchanged(&mut self, decided: &mut Decided, new: Term, old: Term) -> Term {
        let (new, old) = (self.on_path(decided, new), self.on_path(decided, old));
        match self.out.terms.kind(new) {
            _ if new == old => self.out_true(),
            TermKind::Ite(c, x, _) if x == old => c,
            TermKind::Ite(c, _, y) if y == old => self.out.terms.not(c),
            _ => self.out.terms.bool(false),
        }
    }
}

/// The values whose terms differ from the start of the iteration, new and old. `None`: not known.
fn changes(state: &State, start: &IterationStart, values: &[Term]) -> Option<Vec<(Term, Term)>> {
    let mut pairs = Vec::new();
    for (&new, &old) in values.iter().zip(start.params.as_ref()?) {
        pairs.push((new, old?));
    }
    for (_, before, now) in start.store.differences(&state.store) {
        match (before, now) {
            // Reading a stale cell again is no change.
            (Content::Stale, _) => {}
            (Content::Known(old), Content::Known(new)) => pairs.push((new, old)),
            _ => return None,
        }
    }
    pairs.retain(|(new, old)| new != old);
    Some(pairs)
}
