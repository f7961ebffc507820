//! Race reversal: which sequences an execution adds to the wakeup tree before each of its events.
//!
//! Let `r` be an event and `E` the prefix before it. A continuation of `E` that does not begin with `r` takes, before
//! `r` or instead of it, a step that conflicts with `r`, after steps that are independent of `r`. There are two ways to
//! find that step, and both give a sequence to be explored from `E`:
//!
//! - The step is an event `x` of the execution that reads nothing that `r` wrote, or that is always enabled and always
//!   touches the same. It comes after all events that do not happen after `r`.
//! - The step varies: what it touches, or whether it is enabled, depends on what it reads. Then it is not enough to
//!   look at `x`, which has read what `r` wrote: without `r` it may be another step, or not enabled. And a step that
//!   `r` disables is not in the execution at all. So the machine is asked: what can the thread do after `E`, and after
//!   `E` and each set of later events that it would read from and that do not happen after `r`?

use crate::explorer::{Explorer, Over};
use crate::memo::{NextStep, WaitReason};
use crate::path::{Cut, Path};
use crate::touches::Touches;
use crate::wakeup_tree::WakeupStep;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use tp_machine::ThreadNumber;

/// A point between two events of a thread, or after the last, and what the thread can do there.
struct ThreadPoint {
    thread: ThreadNumber,
    /// How many events it has taken.
    events: u32,
    /// The position of its next event.
    next: Option<usize>,
    /// What happens before the thread comes here.
    past: Cut,
    /// `None`: not asked yet.
    known: Option<KnownNext>,
}

struct KnownNext {
    /// What the thread can do after all events before a position, and its past.
    answer: NextStep,
    position: usize,
    /// The events of other threads, outside its past, that write what it reads then.
    writers: Vec<usize>,
}

/// By thread, from its last gap to its first. The later a gap, the larger its past, so the gaps that an event does not
/// happen before are at the end of each list.
#[derive(Default)]
struct ThreadPoints(Vec<Vec<ThreadPoint>>);

impl ThreadPoints {
    fn push(&mut self, gap: ThreadPoint) {
        let thread = gap.thread as usize;
        if self.0.len() <= thread {
            self.0.resize_with(thread + 1, Vec::new);
        }
        self.0[thread].push(gap);
    }

    /// The gaps of other threads that event `index` of a thread does not happen before.
    fn open(&mut self, thread: ThreadNumber, index: u32) -> impl Iterator<Item = &mut ThreadPoint> {
        let others = self.0.iter_mut().zip(0..).filter(move |(_, other)| *other != thread);
        others.flat_map(move |(gaps, _)| {
            let first = gaps.partition_point(|gap| gap.past.of(thread) >= index);
            &mut gaps[first..]
        })
    }
}

/// No event was skipped.
const NONE: usize = usize::MAX;

impl Explorer<'_, '_, '_> {
    /// Plans every sequence that follows from the current execution and not already from earlier ones.
    pub fn reverse_races(&mut self) -> Result<(), Over> {
        let (mut new_gaps, mut old_gaps) = (self.last_gaps(), ThreadPoints::default());
        let new = self.first_new_events();
        let mut passed_over = NONE;
        for r in (0..self.path.len()).rev() {
            if self.search.limits.stop.load(Ordering::Relaxed) {
                return Err(self.stopped());
            }
            // If everything new happens after `r`, the previous execution already had `r` with all that is not new.
            let all = r >= self.parted || new.iter().any(|&at| !self.path.before(r, at));
            let mut race = self.path.last_raced(r);
            while let Some((x, previous)) = race.map(|race| self.path.raced(race)) {
                if all || x >= self.parted {
                    self.reverse_event(r, x);
                }
                race = previous;
            }
            if self.path.touches(r).writes_something() {
                let (thread, index) = (self.path.events[r].step.thread, self.path.events[r].index);
                for gap in new_gaps.open(thread, index) {
                    self.reverse_in_gap(r, gap, NONE)?;
                }
                match all {
                    true => {
                        for gap in old_gaps.open(thread, index) {
                            self.reverse_in_gap(r, gap, passed_over)?;
                        }
                    }
                    false => passed_over = r,
                }
            }
            if self.path.events[r].varying {
                let mut gap = self.gap_before(r);
                if all && !self.path.events[r].step.label.is_empty() {
                    self.other_inputs(r, &mut gap)?;
                }
                let gaps = if r >= self.parted { &mut new_gaps } else { &mut old_gaps };
                gaps.push(gap);
            }
        }
        Ok(())
    }

    /// The first event of each thread that the execution before did not have.
    fn first_new_events(&self) -> Vec<usize> {
        let first = |own: &Vec<usize>| own.get(own.partition_point(|&at| at < self.parted)).copied();
        self.path.threads.iter().filter_map(first).collect()
    }

    /// The gaps of the threads that wait when the execution ends.
    fn last_gaps(&self) -> ThreadPoints {
        let mut gaps = ThreadPoints::default();
        let Some(node) = self.nodes.last() else { return gaps };
        let gap = |w: &Rc<NextStep>| {
            let events = self.path.threads[w.thread as usize].len() as u32;
            let past = self.path.past_of(w.thread, events);
            let known = Some(self.known((**w).clone(), self.path.len(), &past));
            ThreadPoint { thread: w.thread, events, next: None, past, known }
        };
        node.waiting.iter().map(gap).for_each(|gap| gaps.push(gap));
        gaps
    }

    /// The gap that ends with an event.
    fn gap_before(&self, at: usize) -> ThreadPoint {
        let event = &self.path.events[at];
        let (thread, events) = (event.step.thread, event.index - 1);
        ThreadPoint { thread, events, next: Some(at), past: self.path.past_of(thread, events), known: None }
    }

    fn known(&self, answer: NextStep, position: usize, past: &Cut) -> KnownNext {
        let writers = self.path.writers(answer.thread, &answer.touches, past);
        KnownNext { answer, position, writers }
    }

    /// What the thread can do in a gap after all events before `position`. What was known before the event
    /// `passed_over` was skipped is out of date.
    fn known_in(
        &mut self,
        gap: &mut ThreadPoint,
        position: usize,
        passed_over: usize,
    ) -> Result<KnownNext, Over> {
        if let Some(known) = gap.known.take().filter(|known| known.position <= passed_over) {
            return Ok(known);
        }
        let next = gap.next.filter(|&x| x <= passed_over).map(|x| &self.path.events[x].step);
        let answer = match next.filter(|step| step.label.is_empty()) {
            Some(step) => NextStep::certain(step.clone()),
            None => {
                let mut cut = self.path.prefix(position);
                cut.join(&gap.past);
                self.answer(position, gap.thread, gap.events, &cut)?
            }
        };
        Ok(self.known(answer, position, &gap.past))
    }

    fn reverse_event(&mut self, r: usize, x: usize) {
        let (path, event) = (&self.path, &self.path.events[x]);
        if event.varying && path.touches(r).disturbs(&event.step.touches) {
            return;
        }
        let sequence: Vec<usize> = (r + 1..path.len()).filter(|&at| !path.before(r, at)).collect();
        if path.is_iteration_end(event.step.thread, event.index - 1) {
            let mut cut = path.prefix(r);
            for &at in &sequence {
                cut.set(path.events[at].step.thread, path.events[at].index);
            }
            if path.spins(event.step.thread, event.index - 1, &cut) {
                return;
            }
        }
        let last = event.step.clone();
        self.plan(r, &sequence, &last);
    }

    /// Moves a gap from after `r`, which does not happen before it, to before `r`, and plans what the thread could do
    /// there.
    fn reverse_in_gap(&mut self, r: usize, gap: &mut ThreadPoint, passed_over: usize) -> Result<(), Over> {
        let mut known = self.known_in(gap, r + 1, passed_over)?;
        let disturbed = self.path.touches(r).disturbs(&known.answer.touches);
        if disturbed || self.has_more_cuts(r, gap, &known.writers) {
            let mut cut = self.path.prefix(r);
            cut.join(&gap.past);
            if disturbed {
                let answer = self.answer(r, gap.thread, gap.events, &cut)?;
                known = self.known(answer, r, &gap.past);
                self.plan_answer(r, &known.answer, &cut)?;
            }
            self.plan_more(r, gap, cut, &known.writers)?;
        }
        known.position = r;
        gap.known = Some(known);
        Ok(())
    }

    /// `r` is the step of the gap with certain inputs: with others, the step may read from later events, or be enabled
    /// only after them.
    fn other_inputs(&mut self, r: usize, gap: &mut ThreadPoint) -> Result<(), Over> {
        let known = self.known_in(gap, r, NONE)?;
        let cut = self.path.prefix(r);
        self.plan_answer(r, &known.answer, &cut)?;
        self.plan_more(r, gap, cut, &known.writers)?;
        gap.known = Some(known);
        Ok(())
    }

    /// Plans what the thread could do after larger cuts.
    fn plan_more(&mut self, r: usize, gap: &ThreadPoint, cut: Cut, writers: &[usize]) -> Result<(), Over> {
        let mut work = self.more_cuts(r, gap, &cut, writers);
        if work.is_empty() {
            return Ok(());
        }
        let mut seen = vec![cut];
        while let Some(cut) = work.pop() {
            if seen.contains(&cut) {
                continue;
            }
            let answer = self.answer(r, gap.thread, gap.events, &cut)?;
            self.plan_answer(r, &answer, &cut)?;
            let writers = self.path.writers(gap.thread, &answer.touches, &gap.past);
            work.extend(self.more_cuts(r, gap, &cut, &writers));
            seen.push(cut);
        }
        Ok(())
    }

    /// Whether there is an event after `r` that the thread would read from, as for `more_cuts`.
    fn has_more_cuts(&self, r: usize, gap: &ThreadPoint, writers: &[usize]) -> bool {
        let path = &self.path;
        let possible = |&at: &usize| at > r && !gap.past.has(&path.events[at]) && !path.before(r, at);
        writers.iter().any(possible)
    }

    /// The cut with one more event that the thread would read from, not after `r` and not after the thread's next
    /// event.
    fn more_cuts(&self, r: usize, gap: &ThreadPoint, cut: &Cut, writers: &[usize]) -> Vec<Cut> {
        let path = &self.path;
        let possible = |&&at: &&usize| {
            at > r
                && !cut.has(&path.events[at])
                && !path.before(r, at)
                && !gap.next.is_some_and(|x| path.before(x, at))
        };
        let larger = |&at: &usize| {
            let mut larger = cut.clone();
            larger.join(&path.events[at].past);
            larger
        };
        writers.iter().filter(possible).map(larger).collect()
    }

    /// Plans the thread's step if it depends on `r`: after the cut, and after all other events that do not change what
    /// it reads and do not happen after `r`. Without `r` the step need not read what `r` writes, even if it does after
    /// `r`: a write to an object that `r` ends finds only then that the object is gone.
    fn plan_answer(&mut self, r: usize, answer: &NextStep, cut: &Cut) -> Result<(), Over> {
        if answer.why == WaitReason::Spins {
            return self.race_of_iteration(r, answer, cut);
        }
        let first = &self.path.events[r].step;
        let depends = |step: &WakeupStep| match step.thread == first.thread {
            true => !step.is(first),
            false => step.touches.conflicts(&first.touches),
        };
        let steps: Vec<&WakeupStep> = answer.steps().filter(|s| depends(s)).collect();
        if steps.is_empty() {
            return Ok(());
        }
        let path = &self.path;
        let mut cut = cut.clone();
        let mut sequence = Vec::new();
        for at in r + 1..path.len() {
            let event = &path.events[at];
            if !cut.has(event) {
                let free = !path.before(r, at)
                    && event.step.thread != answer.thread
                    && !event.step.touches.disturbs(&answer.touches)
                    && path.is_next(event, &cut);
                if !free {
                    continue;
                }
                cut.set(event.step.thread, event.index);
            }
            sequence.push(at);
        }
        // A step that was explored from here with all inputs is covered, unless a step before it in the sequence
        // matters.
        let varied = self.nodes[r].varied.contains(&answer.thread);
        for step in steps {
            let matters = |&at: &usize| {
                let event = &self.path.events[at];
                event.step.thread == step.thread || event.step.touches.conflicts(&step.touches)
            };
            if !varied || sequence.iter().any(matters) {
                self.plan(r, &sequence, step);
            }
        }
        Ok(())
    }
}

impl Path {
    /// The events of other threads, outside `past`, that write what is read.
    fn writers(&self, thread: ThreadNumber, touches: &Touches, past: &Cut) -> Vec<usize> {
        let mut found = Vec::new();
        let first = self.first_not_in(past);
        for touch in touches.list.iter().filter(|t| t.reads) {
            let list = self.touched(touch.key);
            if list.last().is_none_or(|(at, _)| *at < first) {
                continue;
            }
            let start = list.partition_point(|(at, _)| *at < first);
            for (at, other) in &list[start..] {
                let event = &self.events[*at];
                let is_new = |found: &Vec<usize>| event.step.thread != thread && !found.contains(at);
                if other.writes && other.overlaps(touch) && !past.has(event) && is_new(&found) {
                    found.push(*at);
                }
            }
        }
        found
    }

    /// The first event that is not in a cut.
    fn first_not_in(&self, cut: &Cut) -> usize {
        let first = |(own, thread): (&Vec<usize>, ThreadNumber)| own.get(cut.of(thread) as usize).copied();
        self.threads.iter().zip(0..).filter_map(first).min().unwrap_or(self.len())
    }

    /// The event is the next of its thread, and all that happens before it is in the cut.
    fn is_next(&self, event: &crate::path::PathEvent, cut: &Cut) -> bool {
        cut.of(event.step.thread) == event.index - 1 && event.past.is_within(cut, event.step.thread)
    }
}
