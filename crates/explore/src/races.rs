//! Which other orders an execution gives rise to: what has to be explored from the moment before each of its events.
//!
//! Let `r` be an event and `E` what was executed before it. An order of `E`'s future that does not begin with `r` takes, before
//! `r` or instead of it, a step that conflicts with `r`, after steps that are independent of `r`. There are two ways to find
//! that step, and both give a sequence to be explored from `E`:
//!
//! - The step is an event `x` of the execution that reads nothing which `r` wrote, or one that is always possible and always
//!   touches the same. It comes after all events that do not happen after `r`.
//! - The step varies: what it touches, or whether it is possible, depends on what it reads. Then it is not enough to
//!   look at `x`, which has read what `r` wrote: without `r` it may be something else, or impossible, and with `r` it may never
//!   have been possible, and not be in the execution at all. So the step is asked for, on the machine: what can
//!   the thread do after `E`, and after `E` and each choice of later events, none after `r`, that it would read from?

use crate::explorer::{Explorer, Over};
use crate::memo::{Answer, Why};
use crate::path::{Cut, Path};
use crate::touches::Touches;
use crate::tree::Step;
use tp_machine::ThreadNumber;

/// Between two events of a thread, or after the last: where it stands, and what it can do there.
struct Gap {
    thread: ThreadNumber,
    /// The events that it has taken.
    events: u32,
    /// The position of its next event.
    next: Option<usize>,
    /// What happens before the thread comes here.
    past: Cut,
    /// None: to be asked for.
    known: Option<Known>,
}

struct Known {
    /// What the thread can do after all events before the current position and its past.
    answer: Answer,
    /// The events that write what it reads then.
    writers: Vec<usize>,
}

impl Gap {
    /// What could be done may be something else without `r`.
    fn forget(&mut self, r: &Touches) {
        if self.known.as_ref().is_some_and(|known| r.disturbs(&known.answer.touches)) {
            self.known = None;
        }
    }
}

impl Explorer<'_, '_, '_> {
    /// Plans everything that follows from the execution that the path is, and did not from those before it.
    pub fn reverse_races(&mut self) -> Result<(), Over> {
        let mut gaps = self.last_gaps();
        let new = self.first_new_events();
        for r in (0..self.path.len()).rev() {
            // Where only what happens after `r` is new, `r` and what is not new have been here together.
            let all = r >= self.parted || new.iter().any(|&at| !self.path.before(r, at));
            for i in 0..self.path.events[r].raced.len() {
                let x = self.path.events[r].raced[i];
                if all || x >= self.parted {
                    self.reverse_event(r, x);
                }
            }
            let touches = self.path.touches(r).clone();
            if touches.writes_something() {
                for gap in &mut gaps {
                    match all || gap.next.is_none_or(|x| x >= self.parted) {
                        true => self.reverse_in_gap(r, &touches, gap)?,
                        false => gap.forget(&touches),
                    }
                }
            }
            if self.path.events[r].varying {
                let mut gap = self.gap_before(r);
                if all && !self.path.events[r].step.label.is_empty() {
                    self.other_inputs(r, &mut gap)?;
                }
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

    /// The threads that wait when the execution ends.
    fn last_gaps(&self) -> Vec<Gap> {
        let Some(node) = self.nodes.last() else { return Vec::new() };
        let gap = |w: &Answer| {
            let events = self.path.threads[w.thread as usize].len() as u32;
            let past = self.path.past_of(w.thread, events);
            Gap { thread: w.thread, events, next: None, past, known: Some(self.known(w.clone())) }
        };
        node.waiting.iter().map(gap).collect()
    }

    /// The gap that ends with an event.
    fn gap_before(&self, at: usize) -> Gap {
        let event = &self.path.events[at];
        let (thread, events) = (event.step.thread, event.index - 1);
        let certain = at >= self.parted && event.step.label.is_empty();
        let known = certain.then(|| self.known(Answer::certain(event.step.clone())));
        Gap { thread, events, next: Some(at), past: self.path.past_of(thread, events), known }
    }

    fn known(&self, answer: Answer) -> Known {
        let writers = self.path.writers(answer.thread, &answer.touches);
        Known { answer, writers }
    }

    /// What the thread can do in a gap, after all events before a position.
    fn known_in(&mut self, gap: &mut Gap, position: usize) -> Result<Known, Over> {
        if let Some(known) = gap.known.take() {
            return Ok(known);
        }
        let mut cut = self.path.prefix(position);
        cut.join(&gap.past);
        let answer = self.answer(position, gap.thread, gap.events, &cut)?;
        Ok(self.known(answer))
    }

    fn reverse_event(&mut self, r: usize, x: usize) {
        let (path, event) = (&self.path, &self.path.events[x]);
        if event.varying && path.touches(r).disturbs(&event.step.touches) {
            return;
        }
        let sequence: Vec<usize> = (r + 1..path.len()).filter(|&at| !path.before(r, at)).collect();
        if path.comes_round(event.step.thread, event.index - 1) {
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

    /// Moves a gap from after `r` to before it, and plans what the thread could do there.
    fn reverse_in_gap(&mut self, r: usize, touches: &Touches, gap: &mut Gap) -> Result<(), Over> {
        if gap.past.has(&self.path.events[r]) || self.path.events[r].step.thread == gap.thread {
            return Ok(());
        }
        let mut known = self.known_in(gap, r + 1)?;
        let disturbed = touches.disturbs(&known.answer.touches);
        if disturbed || self.has_more_cuts(r, gap, &known.writers) {
            let mut cut = self.path.prefix(r);
            cut.join(&gap.past);
            if disturbed {
                let answer = self.answer(r, gap.thread, gap.events, &cut)?;
                known = self.known(answer);
                self.plan_answer(r, &known.answer, &cut)?;
            }
            self.plan_more(r, gap, cut, &known.writers)?;
        }
        gap.known = Some(known);
        Ok(())
    }

    /// `r` is the step of the gap with certain inputs: with others, it may be something that comes after other events, or
    /// is only possible then.
    fn other_inputs(&mut self, r: usize, gap: &mut Gap) -> Result<(), Over> {
        let known = self.known_in(gap, r)?;
        let cut = self.path.prefix(r);
        self.plan_answer(r, &known.answer, &cut)?;
        self.plan_more(r, gap, cut, &known.writers)?;
        gap.known = Some(known);
        Ok(())
    }

    /// Plans what the thread could do after larger cuts.
    fn plan_more(&mut self, r: usize, gap: &Gap, cut: Cut, writers: &[usize]) -> Result<(), Over> {
        let mut work = self.more_cuts(r, gap, &cut, writers);
        let mut seen = vec![cut];
        while let Some(cut) = work.pop() {
            if seen.contains(&cut) {
                continue;
            }
            let answer = self.answer(r, gap.thread, gap.events, &cut)?;
            self.plan_answer(r, &answer, &cut)?;
            let writers = self.path.writers(gap.thread, &answer.touches);
            work.extend(self.more_cuts(r, gap, &cut, &writers));
            seen.push(cut);
        }
        Ok(())
    }

    /// Whether there is an event after `r` that the thread would read from, as for `more_cuts`.
    fn has_more_cuts(&self, r: usize, gap: &Gap, writers: &[usize]) -> bool {
        let path = &self.path;
        let possible = |&at: &usize| at > r && !gap.past.has(&path.events[at]) && !path.before(r, at);
        writers.iter().any(possible)
    }

    /// A cut, and one more of the events that the thread would read from, none after `r` or after the thread's next event.
    fn more_cuts(&self, r: usize, gap: &Gap, cut: &Cut, writers: &[usize]) -> Vec<Cut> {
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

    /// The thread's step as the next thing, if it depends on `r`: after the cut, and after everything else that does not
    /// change what it reads and does not happen after `r`. It need not read what `r` writes, even if it does after `r`: a
    /// write to an object that `r` ends has only found then that it is not there any more.
    fn plan_answer(&mut self, r: usize, answer: &Answer, cut: &Cut) -> Result<(), Over> {
        if answer.why == Why::Spins {
            return self.race_of_round(r, answer, cut);
        }
        let first = &self.path.events[r].step;
        let depends = |step: &Step| match step.thread == first.thread {
            true => !step.is(first),
            false => step.touches.conflicts(&first.touches),
        };
        let steps: Vec<&Step> = answer.steps().filter(|s| depends(s)).collect();
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
        for step in steps {
            self.plan(r, &sequence, step);
        }
        Ok(())
    }
}

impl Path {
    /// The events of other threads that write what is read.
    fn writers(&self, thread: ThreadNumber, touches: &Touches) -> Vec<usize> {
        let mut found = Vec::new();
        for touch in touches.list.iter().filter(|t| t.reads) {
            for (at, other) in self.touched(touch.key) {
                let new = !found.contains(at) && self.events[*at].step.thread != thread;
                if other.writes && new && other.overlaps(touch) {
                    found.push(*at);
                }
            }
        }
        found
    }

    /// All that happens before an event is in the cut.
    fn is_next(&self, event: &crate::path::Event, cut: &Cut) -> bool {
        cut.of(event.step.thread) == event.index - 1 && event.past.is_within(cut, event.step.thread)
    }
}
