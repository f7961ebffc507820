//! A transaction: a step of a thread, and the steps after it that no other thread needs to interrupt.

use super::conflicts::{Recent, Tracked, bit};
use super::search::StateSearch;
use super::upcoming::{StepKind, Upcoming, upcoming};
use super::visible::Release;
use crate::Incomplete;
use crate::confirm::{Confirmation, confirm};
use crate::explorer::Over;
use std::rc::Rc;
use tp_ir::Property;
use tp_machine::{Attempt, End, LockKey, ThreadNumber};

/// The most steps of one transaction. All threads may be tried before any step, so it may end anywhere; a thread that loops
/// without counting is back in a state that was visited, sooner or later.
const MOST_STEPS: usize = 1024;

/// The most steps of a loop iteration that is recognised as changing nothing.
const LONGEST_ITERATION: usize = 32;

/// The most conflicts that turn out to be no race; each is an execution on a machine with clocks.
const MOST_UNCONFIRMED: u64 = 10_000;

/// What came of a transaction.
pub enum Outcome {
    /// The thread has taken steps. Whether it has done more than read, lock, release and change its own locals; and the
    /// accesses that are kept.
    Moved {
        has_effect: bool,
        recent: Recent,
    },
    Waits,
    Spins,
    /// The next step of the thread ends the program.
    Exits,
    /// The step ends the execution: nothing follows.
    Ends,
    /// Further instructions are visible.
    Again,
}

/// A transaction under way.
struct Transaction<'a> {
    thread: ThreadNumber,
    given: &'a [u128],
    /// All other threads are tried before its first step.
    is_switch: bool,
    /// The inputs so far.
    label: Vec<u128>,
    kept: Vec<Tracked>,
    recent: Recent,
    has_effect: bool,
    began_by_locking: bool,
    /// It began by locking, and all accesses since are plain: it has enabled no other thread.
    only_locked: bool,
    /// The locks that the thread holds before the step.
    locks: Rc<[LockKey]>,
    /// The depth of the session before each step, and the place of the thread then.
    places: Vec<(usize, u64)>,
}

impl Transaction<'_> {
    /// Whether the step under way is one before which all threads are tried.
    fn is_first(&self) -> bool {
        self.is_switch && self.places.len() == 1
    }
}

/// Whether a transaction goes on.
enum Next {
    GoesOn,
    Stops,
    Is(Outcome),
}

impl StateSearch<'_, '_, '_> {
    /// Lets a thread take a transaction from the present state. The inputs that it is not given are the first ones; those
    /// with others are added to `others`. `is_switch`: all other threads are tried in this state as well.
    pub fn transaction(
        &mut self,
        (thread, given): (ThreadNumber, &[u128]),
        is_switch: bool,
        recent: &Recent,
        others: &mut Vec<(ThreadNumber, Vec<u128>)>,
    ) -> Result<Outcome, Over> {
        let mut now = Transaction {
            thread,
            given,
            is_switch,
            label: Vec::new(),
            kept: Vec::new(),
            recent: recent.clone(),
            has_effect: false,
            began_by_locking: false,
            only_locked: false,
            locks: Rc::default(),
            places: Vec::new(),
        };
        now.recent.clear(thread);
        loop {
            match self.step(&mut now, others)? {
                Next::GoesOn => {}
                Next::Is(outcome) => return Ok(outcome),
                Next::Stops => break,
            }
        }
        let Transaction { mut recent, mut kept, has_effect, places, .. } = now;
        // An access to an object that has ended is an error by itself.
        kept.retain(|a| self.session.is_live(&a.bytes));
        recent.set(thread, kept, places.len());
        if self.bound.is_some() {
            let alive = (0..self.session.threads()).filter(|&t| self.session.is_alive(t));
            recent.forget(alive.fold(0, |bits, t| bits | bit(t).unwrap_or(0)));
        }
        Ok(Outcome::Moved { has_effect, recent })
    }

    fn step(
        &mut self,
        now: &mut Transaction<'_>,
        others: &mut Vec<(ThreadNumber, Vec<u128>)>,
    ) -> Result<Next, Over> {
        let (thread, is_first) = (now.thread, now.places.is_empty());
        let upcoming = match self.upcoming(now) {
            Some(upcoming) => upcoming,
            None => return Ok(Next::Stops),
        };
        if upcoming.kind == StepKind::Exit {
            return Ok(if is_first { Next::Is(Outcome::Exits) } else { Next::Stops });
        }
        if now.places.len() >= MOST_STEPS {
            return Ok(Next::Stops);
        }
        let (depth, threads) = (self.session.depth(), self.session.threads());
        now.places.push((depth, self.session.place(thread)));
        if !self.session.locks_held(thread).eq(now.locks.iter().copied()) {
            now.locks = self.session.locks_held(thread).filter(|_| !self.visible.ignores_locks).collect();
        }
        let given = now.given.get(now.label.len()..).unwrap_or_default();
        self.tape.borrow_mut().begin(given);
        let attempt = self.session.attempt(thread);
        for other in self.tape.borrow().alternatives(given.len()) {
            others.push((thread, [&now.label[..], &other].concat()));
        }
        if self.tape.borrow().sampled.is_some() {
            // Not all inputs can be tried.
            self.result
                .give_up(Incomplete::InputValues(self.tape.borrow_mut().sampled.take().unwrap_or_default()));
            return Err(Over);
        }
        let knows_numbers = self.search.program.functions[upcoming.site[0].0].knows_numbers();
        let sees_numbers = || !knows_numbers && self.session.has_touched_names();
        if self.visible.merges && (self.session.has_told_number() || sees_numbers()) {
            self.visible.stop_merging();
            return Ok(Next::Is(Outcome::Again));
        }
        if self.session.locals_of_others(thread).filter(|key| self.visible.share_local(*key)).count() > 0 {
            return Ok(Next::Is(Outcome::Again));
        }
        if !self.is_alone(now, &upcoming, threads)? {
            return Ok(Next::Is(Outcome::Again));
        }
        if matches!(attempt, Attempt::Waits | Attempt::Spins) && !self.visible.wait(self.session.touched()) {
            return Ok(Next::Is(Outcome::Again));
        }
        match attempt {
            Attempt::Taken => {
                now.label.extend_from_slice(&self.tape.borrow().label);
                self.taken(now, &upcoming, threads)
            }
            Attempt::Waits if is_first => Ok(Next::Is(Outcome::Waits)),
            Attempt::Spins if is_first => Ok(Next::Is(Outcome::Spins)),
            Attempt::Waits => Ok(Next::Stops),
            Attempt::Spins => {
                self.keep(now, &upcoming, false);
                Ok(Next::Stops)
            }
            Attempt::Ends(end) => {
                let exits = matches!(*end, End::Exited { .. });
                if is_first || !exits {
                    self.ended(*end)?;
                }
                if is_first {
                    return Ok(Next::Is(if exits { Outcome::Exits } else { Outcome::Ends }));
                }
                self.session.back_to(depth);
                Ok(Next::Stops)
            }
        }
    }

    /// The next step of the transaction; `None`: it ends before that.
    fn upcoming(&self, now: &Transaction<'_>) -> Option<Upcoming> {
        if !self.session.is_alive(now.thread) {
            return None;
        }
        let upcoming = upcoming(self.search.program, &self.session, now.thread)?;
        if now.places.is_empty() {
            return Some(upcoming);
        }
        let is_inside = match upcoming.kind {
            _ if self.visible.is_everything => false,
            StepKind::Unlock | StepKind::End => now.only_locked || now.kept.iter().all(|a| a.is_first),
            _ => !self.visible.contains(&upcoming.site),
        };
        is_inside.then_some(upcoming)
    }

    /// Whether no other thread has to be let in between because of this step. Otherwise further instructions are visible
    /// now, or a race was found.
    fn is_alone(
        &mut self,
        now: &Transaction<'_>,
        upcoming: &Upcoming,
        threads: ThreadNumber,
    ) -> Result<bool, Over> {
        let is_first = now.is_first();
        let touches = self.session.touched();
        let mut is_alone = true;
        let mut may_race = false;
        let is_release = matches!(upcoming.kind, StepKind::Unlock | StepKind::End);
        for (other, touch) in now.recent.conflicts(now.thread, touches, &now.locks) {
            may_race |= other.touch.plain || touch.plain;
            if !other.is_first {
                is_alone &= !self.visible.insert(other.site);
            }
            if !is_first && !is_release {
                is_alone &= !self.visible.insert(upcoming.site);
            }
        }
        if upcoming.kind == StepKind::Other {
            let others = self.others_alive(now.thread, threads) | now.recent.ended();
            is_alone &= self.visible.probe(touches, others);
        }
        if may_race && self.search.checks.has(Property::Race) {
            let mut trace = self.session.trace().clone();
            if self.session.depth() == now.places.last().map_or(0, |p| p.0) {
                // The attempt was undone; the machine repeats it.
                trace.push_step(now.thread);
            }
            if let Confirmation::Fails(trace, finding) = confirm(self.search, &trace) {
                self.result.found(trace, finding)?;
            }
            self.unconfirmed += 1;
            if self.unconfirmed > MOST_UNCONFIRMED {
                self.result.give_up(Incomplete::NotConfirmed(Property::Race));
                return Err(Over);
            }
        }
        Ok(is_alone)
    }

    /// Those of the first `threads` threads, except for this one, that are alive, as bits. All count if there are too many.
    fn others_alive(&self, thread: ThreadNumber, threads: ThreadNumber) -> u64 {
        let others = (0..threads).filter(|&t| t != thread && self.session.is_alive(t));
        others.fold(0, |bits, t| bits | bit(t).unwrap_or(u64::MAX))
    }

    fn taken(
        &mut self,
        now: &mut Transaction<'_>,
        step: &Upcoming,
        threads: ThreadNumber,
    ) -> Result<Next, Over> {
        let (thread, is_first) = (now.thread, now.is_first());
        if step.kind == StepKind::Unlock
            && !self.visible.ignores_locks
            && self.session.locks_held(thread).count() == now.locks.len()
        {
            // It has released nothing that it holds, so perhaps something that another thread holds.
            self.visible.ignores_locks = true;
            return Ok(Next::Is(Outcome::Again));
        }
        let is_shared = |key| self.visible.is_shared_local(key);
        now.has_effect |= !step.relocks && !self.session.changed_only_locals(&is_shared);
        match step.kind {
            StepKind::Unlock | StepKind::End => {
                let touches = self.session.touched();
                match self.visible.release(thread, touches) {
                    // Within a bound, what conflicts with the accesses may not fit in before the transaction.
                    Release::Invisible if self.bound.is_some() => now.only_locked = false,
                    Release::Invisible => {
                        let (kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut now.kept)
                            .into_iter()
                            .partition(|a| a.is_first && !now.began_by_locking);
                        now.kept = kept;
                        now.only_locked = false;
                        if dropped.iter().filter(|a| !self.visible.drop(thread, a)).count() > 0 {
                            return Ok(Next::Is(Outcome::Again));
                        }
                    }
                    Release::Visible if is_first => self.keep(now, step, true),
                    Release::Visible => {
                        if let Some(&(depth, _)) = now.places.last() {
                            self.session.back_to(depth);
                        }
                        return Ok(Next::Stops);
                    }
                    Release::VisibleNow => return Ok(Next::Is(Outcome::Again)),
                }
                if step.kind == StepKind::End {
                    now.recent.end(thread, self.session.touched());
                }
            }
            _ => {
                let is_lock = step.kind == StepKind::Lock;
                if is_lock {
                    self.visible.lock(self.session.touched());
                    if self.bound.is_some() {
                        let held = self.session.locks_held(thread);
                        now.recent.locked(thread, held.filter(|lock| !now.locks.contains(lock)));
                    }
                }
                now.began_by_locking |= is_first && is_lock;
                now.only_locked = match is_first {
                    true => is_lock,
                    false => now.only_locked && step.kind == StepKind::Plain,
                };
                self.keep(now, step, is_first);
                if step.kind == StepKind::Join {
                    let joined = now.recent.join(self.session.touched());
                    if self.bound.is_some() {
                        now.recent.joined(thread, joined);
                    }
                }
            }
        }
        for child in threads..self.session.threads() {
            if !self.start(now, step, child) {
                return Ok(Next::Is(Outcome::Again));
            }
        }
        Ok(if self.is_iteration(now) { Next::Stops } else { Next::GoesOn })
    }

    fn keep(&mut self, now: &mut Transaction<'_>, step: &Upcoming, is_first: bool) {
        for (touch, bytes) in self.session.tracked() {
            let is_kept = |a: &Tracked| {
                a.bytes == bytes && a.site == step.site && a.is_first == is_first && a.locks == now.locks
            };
            if self.visible.tracks(touch) && !now.kept.iter().any(is_kept) {
                now.kept.push(Tracked {
                    touch: *touch,
                    bytes,
                    site: step.site,
                    is_first,
                    locks: now.locks.clone(),
                    known: 0,
                });
            }
        }
    }

    /// A thread was started. `false`: further instructions are visible.
    fn start(&mut self, now: &mut Transaction<'_>, step: &Upcoming, child: ThreadNumber) -> bool {
        if let Some(bit) = bit(child) {
            now.kept.iter_mut().for_each(|a| a.known |= bit);
        }
        now.recent.started(now.thread, child, self.visible.set_of(&step.site));
        let is_fine = self.visible.start(now.thread, step.site) || now.is_first();
        self.visible.started(child, self.session.record_key(child), &step.site) && is_fine
    }

    /// If the thread is where it was a few steps ago, and has changed nothing since, it waits in a loop: goes back to the
    /// beginning of the iteration.
    fn is_iteration(&mut self, now: &mut Transaction<'_>) -> bool {
        let (thread, depth) = (now.thread, self.session.depth());
        if !self.session.is_alive(thread) || !self.session.was_pure(depth - 1) {
            return false;
        }
        let place = self.session.place(thread);
        let earlier = now.places.iter().skip(1).rev().take(LONGEST_ITERATION);
        for &(before, then) in earlier {
            if !self.session.was_pure(before) {
                return false;
            }
            if then == place && self.session.same_as_before(before) {
                self.session.back_to(before);
                return true;
            }
        }
        false
    }
}
