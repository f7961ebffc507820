//! The execution that is being explored: its events and their happens-before order.
//!
//! An event happens before the later events of its thread, before all events of a thread that it started, and before a
//! later event that touches the same bytes if one of the two writes them; and so on, transitively. A *cut* is a set of
//! events that is closed under happens-before, stored as a vector clock: the number of events of each thread.

use crate::memo::{ReadFingerprint, ValueSource};
use crate::stand::{After, ThreadPosition, ThreadStatus};
use crate::touches::Touches;
use crate::wakeup_tree::WakeupStep;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tp_machine::{ThreadNumber, Touch};

/// A cut: the number of events of each thread.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cut {
    /// The first threads inline, the others in `more`: most programs have few, and cuts are made all the time.
    few: [u32; FEW],
    more: Vec<u32>,
}

const FEW: usize = 8;

impl Cut {
    #[inline]
    pub fn of(&self, thread: ThreadNumber) -> u32 {
        let i = thread as usize;
        match i < FEW {
            true => self.few[i],
            false => self.more.get(i - FEW).copied().unwrap_or(0),
        }
    }

    pub fn set(&mut self, thread: ThreadNumber, events: u32) {
        let i = thread as usize;
        if i < FEW {
            self.few[i] = events;
            return;
        }
        if i - FEW >= self.more.len() {
            self.more.resize(i - FEW + 1, 0);
        }
        self.more[i - FEW] = events;
    }

    pub fn join(&mut self, other: &Cut) {
        for (mine, theirs) in self.few.iter_mut().zip(&other.few) {
            *mine = (*mine).max(*theirs);
        }
        if other.more.len() > self.more.len() {
            self.more.resize(other.more.len(), 0);
        }
        for (mine, theirs) in self.more.iter_mut().zip(&other.more) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// It is a subset of the other, one thread aside.
    pub fn is_within(&self, other: &Cut, aside: ThreadNumber) -> bool {
        (0..)
            .zip(self.few.iter().chain(&self.more))
            .all(|(thread, &n)| thread == aside || n <= other.of(thread))
    }

    #[inline]
    pub fn has(&self, event: &PathEvent) -> bool {
        self.of(event.step.thread) >= event.index
    }
}

pub struct PathEvent {
    pub step: WakeupStep,
    /// 1-based index within its thread.
    pub index: u32,
    /// What it touches, and whether it can be taken, depends on what it reads.
    pub varying: bool,
    /// Everything that happens before it, and itself.
    pub past: Cut,
    /// What its thread has read, up to and including it.
    pub state: ReadFingerprint,
    /// The index in `Path::races` of its first race with an earlier event.
    first_race: usize,
    /// The latest race in which it is the earlier event.
    last_raced: Option<usize>,
    /// What it led to.
    pub after: Rc<After>,
    /// Steps, jumps and calls used so far.
    cost: u64,
    /// The events of its thread from this index up to this event were a loop iteration that changed nothing.
    pub round: Option<u32>,
}

/// Two conflicting events of different threads with no event between them in happens-before.
#[derive(Copy, Clone)]
struct Race {
    earlier: usize,
    later: usize,
    /// The race before this one with the same earlier event.
    previous: Option<usize>,
}

/// The execution so far, and what is needed to find earlier events that conflict.
#[derive(Default)]
pub struct Path {
    pub events: Vec<PathEvent>,
    /// All races, ordered by the later event.
    races: Vec<Race>,
    /// Positions of the events of each thread.
    pub threads: Vec<Vec<usize>>,
    /// The position of the event that started each thread; none for the first.
    pub started_by: Vec<Option<usize>>,
    /// Where each thread stood when it was started.
    first_stands: Vec<ThreadPosition>,
    /// By object: the events that touched it, in order.
    touched: FxHashMap<u64, Vec<(usize, Touch)>>,
}

impl Path {
    /// Nothing has happened but the start of the first thread.
    pub fn new(first: ThreadPosition) -> Path {
        Path {
            threads: vec![Vec::new()],
            started_by: vec![None],
            first_stands: vec![first],
            ..Path::default()
        }
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Where a thread stands.
    pub fn stand(&self, thread: ThreadNumber) -> &ThreadPosition {
        self.stand_after(thread, self.threads[thread as usize].len() as u32)
    }

    /// Where a thread stood after this many of its events.
    pub fn stand_after(&self, thread: ThreadNumber, events: u32) -> &ThreadPosition {
        match events {
            0 => &self.first_stands[thread as usize],
            n => &self.events[self.threads[thread as usize][n as usize - 1]].after.stand,
        }
    }

    /// The threads whose stand has this `life`.
    pub fn threads_that(&self, life: ThreadStatus) -> impl Iterator<Item = ThreadNumber> {
        let threads = 0..self.threads.len() as ThreadNumber;
        threads.filter(move |&thread| self.stand(thread).life == life)
    }

    /// Steps, jumps and calls used so far.
    pub fn cost(&self) -> u64 {
        self.events.last().map_or(0, |e| e.cost)
    }

    /// What happens before every later event of a thread that has taken this many.
    pub fn past_of(&self, thread: ThreadNumber, events: u32) -> Cut {
        let at = match events {
            0 => self.started_by[thread as usize],
            n => self.threads[thread as usize].get(n as usize - 1).copied(),
        };
        at.map_or_else(Cut::default, |at| self.events[at].past.clone())
    }

    /// What a thread has read after this many of its events.
    pub fn state_of(&self, thread: ThreadNumber, events: u32) -> ReadFingerprint {
        match events {
            0 => match self.started_by[thread as usize] {
                Some(at) => self.events[at].state.start(thread),
                None => ReadFingerprint::default(),
            },
            n => self.events[self.threads[thread as usize][n as usize - 1]].state,
        }
    }

    /// What a thread has read up to the end of the path.
    pub fn last_state_of(&self, thread: ThreadNumber) -> ReadFingerprint {
        self.state_of(thread, self.threads[thread as usize].len() as u32)
    }

    /// The source of a read after a cut, or after the whole path; `None` if the last write was to other bytes as well
    /// or only to some of these.
    pub fn source(&self, touch: &Touch, cut: Option<&Cut>) -> Option<ValueSource> {
        let overlaps = |(at, other): &&(usize, Touch)| {
            other.writes && other.overlaps(touch) && cut.is_none_or(|cut| cut.has(&self.events[*at]))
        };
        match self.touched(touch.key).iter().rev().find(overlaps) {
            None => Some(ValueSource::Initial),
            Some((_, last)) if (last.offset, last.len) == (touch.offset, touch.len) => {
                Some(ValueSource::Left(last.left))
            }
            Some(_) => None,
        }
    }

    /// What an event overwrote in these bytes; `None` if that is not known.
    pub fn before_event(&self, at: usize, touch: &Touch) -> Option<u64> {
        let earlier = |(other, t): &&(usize, Touch)| *other < at && t.writes && t.overlaps(touch);
        let (_, last) = self.touched(touch.key).iter().rev().find(earlier)?;
        ((last.offset, last.len) == (touch.offset, touch.len)).then_some(last.left)
    }

    /// Whether an object has ended in a cut, or in the whole path.
    pub fn is_gone(&self, key: u64, cut: Option<&Cut>) -> bool {
        let is_there = |at: usize| cut.is_none_or(|cut| cut.has(&self.events[at]));
        let ends = |(at, touch): &&(usize, Touch)| touch.ends && is_there(*at);
        self.touched(key).iter().rev().find(ends).is_some_and(|(_, last)| last.left == Touch::IS_GONE)
    }

    #[inline]
    pub fn before(&self, a: usize, b: usize) -> bool {
        self.events[b].past.has(&self.events[a])
    }

    /// The cut of all events.
    pub fn whole(&self) -> Cut {
        let mut cut = Cut::default();
        for (thread, positions) in self.threads.iter().enumerate() {
            cut.set(thread as ThreadNumber, positions.len() as u32);
        }
        cut
    }

    /// The cut of all events before this position.
    pub fn prefix(&self, end: usize) -> Cut {
        let mut cut = Cut::default();
        for (thread, positions) in self.threads.iter().enumerate() {
            let n = positions.partition_point(|&p| p < end);
            cut.set(thread as ThreadNumber, n as u32);
        }
        cut
    }

    pub fn push(&mut self, step: WakeupStep, varying: bool, state: ReadFingerprint, after: Rc<After>) {
        let position = self.events.len();
        let thread = step.thread as usize;
        let index = self.threads[thread].len() as u32 + 1;
        let mut past = self.past_of(step.thread, index - 1);
        let first_race = self.races.len();
        self.touch(&step, &past);
        for i in first_race..self.races.len() {
            let earlier = &mut self.events[self.races[i].earlier];
            past.join(&earlier.past);
            self.races[i].previous = earlier.last_raced.replace(i);
        }
        past.set(step.thread, index);
        self.threads[thread].push(position);
        for stand in &after.started {
            self.threads.push(Vec::new());
            self.started_by.push(Some(position));
            self.first_stands.push(*stand);
        }
        let cost = self.cost() + after.cost;
        self.events.push(PathEvent {
            step,
            index,
            varying,
            past,
            state,
            first_race,
            last_raced: None,
            after,
            cost,
            round: None,
        });
    }

    pub fn pop(&mut self) -> Option<PathEvent> {
        let event = self.events.pop()?;
        self.threads[event.step.thread as usize].pop();
        for race in self.races.drain(event.first_race..) {
            self.events[race.earlier].last_raced = race.previous;
        }
        for touch in &event.step.touches.list {
            if let Some(list) = self.touched.get_mut(&touch.key) {
                list.pop();
            }
        }
        self.threads.truncate(self.threads.len() - event.after.started.len());
        self.started_by.truncate(self.threads.len());
        self.first_stands.truncate(self.threads.len());
        Some(event)
    }

    /// The events that touched an object, in order.
    #[inline]
    pub fn touched(&self, key: u64) -> &[(usize, Touch)] {
        self.touched.get(&key).map_or(&[], |list| list)
    }

    /// Notes what the next event touches, and its races: with the latest conflicting events that do not happen before
    /// it otherwise. No two of these are ordered.
    fn touch(&mut self, step: &WakeupStep, past: &Cut) {
        let (later, first) = (self.events.len(), self.races.len());
        for touch in &step.touches.list {
            let list = self.touched.entry(touch.key).or_default();
            for (at, other) in list.iter().rev().filter(|(at, _)| *at < later) {
                let is_new = |races: &[Race]| !races.iter().any(|race| race.earlier == *at);
                if touch.conflicts(other) && !past.has(&self.events[*at]) && is_new(&self.races[first..]) {
                    self.races.push(Race { earlier: *at, later, previous: None });
                }
                // All earlier touches of these bytes happen before this write.
                let covers =
                    other.offset <= touch.offset && touch.offset + touch.len <= other.offset + other.len;
                if other.writes && covers {
                    break;
                }
            }
            list.push((later, *touch));
        }
        if self.races.len() > first + 1 {
            self.races[first..].sort_unstable_by_key(|race| race.earlier);
            let mut kept = first;
            for i in first..self.races.len() {
                let earlier = self.races[i].earlier;
                if !self.races[i + 1..].iter().any(|race| self.before(earlier, race.earlier)) {
                    self.races[kept] = self.races[i];
                    kept += 1;
                }
            }
            self.races.truncate(kept);
        }
    }

    /// The earlier events of the races of the last event.
    pub fn last_races(&self) -> impl Iterator<Item = usize> {
        let first = self.events.last().map_or(0, |event| event.first_race);
        self.races[first..].iter().map(|race| race.earlier)
    }

    /// The latest race in which an event is the earlier one.
    pub fn last_raced(&self, at: usize) -> Option<usize> {
        self.events[at].last_raced
    }

    /// The later event of a race, and the previous race with the same earlier event.
    pub fn raced(&self, race: usize) -> (usize, Option<usize>) {
        let Race { later, previous, .. } = self.races[race];
        (later, previous)
    }

    /// Whether a race between two events is a data race in the sense of C.
    pub fn is_data_race(&self, a: usize, b: usize) -> bool {
        self.touches(a).may_race(self.touches(b))
    }

    /// The events of a cut from a position on.
    pub fn within<'a>(&'a self, cut: &'a Cut, from: usize) -> impl Iterator<Item = usize> + 'a {
        (from..self.events.len()).filter(|&at| cut.has(&self.events[at]))
    }

    #[inline]
    pub fn touches(&self, at: usize) -> &Rc<Touches> {
        &self.events[at].step.touches
    }
}

// ── loops that wait ────────────────────────────────────────────────────────────────────────────────────────────────

impl Path {
    /// If a thread, after this many events, has just finished a loop iteration that changed nothing: its positions.
    fn round(&self, thread: ThreadNumber, events: u32) -> &[usize] {
        let own = &self.threads[thread as usize];
        let last = events.checked_sub(1).and_then(|i| own.get(i as usize));
        match last.and_then(|&at| self.events[at].round) {
            Some(first) => &own[first as usize - 1..events as usize],
            None => &[],
        }
    }

    /// Its latest events were a loop iteration that changed nothing.
    pub fn is_iteration_end(&self, thread: ThreadNumber, events: u32) -> bool {
        !self.round(thread, events).is_empty()
    }

    /// What that iteration touched.
    pub fn iteration_of(&self, thread: ThreadNumber, events: u32) -> Vec<Touch> {
        self.round(thread, events).iter().flat_map(|&at| self.touches(at).list.iter().copied()).collect()
    }

    /// The latest events of the thread were a loop iteration that changed nothing, and no event of the cut has since
    /// written what it read: the next iteration would be the same.
    pub fn spins(&self, thread: ThreadNumber, events: u32, cut: &Cut) -> bool {
        let round = self.round(thread, events);
        let Some(&first) = round.first() else { return false };
        !self.within(cut, first).any(|at| {
            let step = &self.events[at].step;
            step.thread != thread
                && round.iter().any(|&read| read < at && step.touches.disturbs(self.touches(read)))
        })
    }
}
