//! The stack of decisions, how a run follows and extends it, and what is learnt from the run.

use super::footprint::{Footprint, Names, reading};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use tp_ir::Program;
use tp_machine::{Choice, Event, InputRequest, Inputs, Schedule, ThreadNumber};

/// Values that an input can have: all of a bool, and 0 to 3 of everything else.
const VALUES: u128 = 4;
/// Steps that a thread takes before another one may, beyond what is decided.
const ALONE: u32 = 30;

#[allow(clippy::large_enum_variant)] // almost all are steps
enum Decision {
    Input { value: u128, values: u128 },
    Step(Step),
}

struct Step {
    /// Steps taken before.
    taken: u64,
    enabled: Vec<ThreadNumber>,
    chosen: ThreadNumber,
    /// The chosen thread took its step in the latest run.
    stepped: bool,
    /// ... and ended with it.
    ended: bool,
    /// What the chosen thread touched in the latest run, and in all runs so far.
    now: Footprint,
    all: Footprint,
    /// The same, to be compared, if it did nothing but read in a loop that only waits.
    spin: Option<String>,
    tried: Vec<(ThreadNumber, Footprint)>,
    /// Cannot step here.
    blocked: Vec<ThreadNumber>,
    sleep: Vec<(ThreadNumber, Footprint)>,
}

impl Step {
    fn open(&self, thread: &ThreadNumber) -> bool {
        !self.blocked.contains(thread)
            && !self.tried.iter().any(|t| t.0 == *thread)
            && !self.sleep.iter().any(|t| t.0 == *thread)
    }

    /// Takes leave of the chosen thread.
    fn close(&mut self) {
        if self.all == Footprint::default() && !self.stepped {
            self.blocked.push(self.chosen);
        } else {
            self.tried.push((self.chosen, std::mem::take(&mut self.all)));
        }
        self.stepped = false;
    }
}

pub struct Explorer<'p> {
    program: &'p Program,
    /// Lines of loops that only wait.
    spin_lines: Vec<u32>,
    reduce: bool,
    stack: Vec<Decision>,
    /// The decisions below this one are those of the run before.
    changed: usize,
    names: Names,
}

impl<'p> Explorer<'p> {
    pub fn new(program: &'p Program, source: &str, reduce: bool) -> Explorer<'p> {
        let lines = source.lines().zip(1..).filter(|(line, _)| line.contains("/* spin */"));
        Explorer {
            program,
            spin_lines: lines.map(|(_, n)| n).collect(),
            reduce,
            stack: Vec::new(),
            changed: 0,
            names: Names::default(),
        }
    }

    /// Takes note of what the run touched. True when it took a step that leads nowhere new, and was cut back there.
    pub fn learn(&mut self, events: &[Event]) -> bool {
        self.note_footprints(events);
        let mut spinning: HashMap<ThreadNumber, Spinning> = HashMap::new();
        let mut sleep: Vec<(ThreadNumber, Footprint)> = Vec::new();
        for i in 0..self.stack.len() {
            let Decision::Step(step) = &mut self.stack[i] else { continue };
            if i > self.changed {
                step.sleep = std::mem::take(&mut sleep);
            }
            let is_futile = spinning.get(&step.chosen).is_some_and(Spinning::is_futile);
            let sleeps = step.sleep.iter().any(|s| s.0 == step.chosen);
            if is_futile || sleeps {
                if is_futile {
                    step.blocked.push(step.chosen);
                }
                step.all = Footprint::default();
                step.stepped = false;
                self.stack.truncate(i + 1);
                return true;
            }
            note_spinning(&mut spinning, step);
            let others = step.sleep.iter().chain(&step.tried);
            sleep = match self.reduce {
                true => others.filter(|o| !o.1.depends(&step.now)).cloned().collect(),
                false => Vec::new(),
            };
        }
        false
    }

    fn note_footprints(&mut self, events: &[Event]) {
        let mut by_step: HashMap<u64, Vec<&Event>> = HashMap::new();
        for event in events {
            by_step.entry(event.step).or_default().push(event);
        }
        let first = (0..=self.changed.min(self.stack.len().saturating_sub(1)))
            .rev()
            .find(|&i| matches!(self.stack.get(i), Some(Decision::Step(_))))
            .unwrap_or(0);
        let last = self.stack.iter().rposition(|d| matches!(d, Decision::Step(_)));
        for i in first..self.stack.len() {
            let Decision::Step(step) = &mut self.stack[i] else { continue };
            if !step.stepped {
                continue;
            }
            let mut own = by_step.remove(&(step.taken + 1)).unwrap_or_default();
            own.retain(|e| e.thread == step.chosen);
            // The last step may have ended the run, and so all threads.
            step.now = match last == Some(i) {
                true => Footprint::everything(),
                false => self.names.footprint(&own, step.ended),
            };
            let line = |e: &&Event| e.place.map_or(0, |p| self.program.places[p].line);
            let waits = step.now.only_reads() && own.iter().all(|e| self.spin_lines.contains(&line(e)));
            step.spin = (waits && !own.is_empty()).then(|| reading(&own));
            step.all.add(&step.now);
        }
    }

    /// Changes the last decision that can be changed; false when there is none.
    pub fn next(&mut self) -> bool {
        while let Some(decision) = self.stack.last_mut() {
            match decision {
                Decision::Input { value, values } if *value + 1 < *values => {
                    *value += 1;
                    self.changed = self.stack.len() - 1;
                    return true;
                }
                Decision::Input { .. } => {}
                Decision::Step(step) => {
                    step.close();
                    if let Some(&next) = step.enabled.iter().find(|t| step.open(t)) {
                        step.chosen = next;
                        self.changed = self.stack.len() - 1;
                        return true;
                    }
                }
            }
            self.stack.pop();
        }
        false
    }
}

/// What a thread in a loop that only waits has read since it waits and nobody has written any of it, and how often.
#[derive(Default)]
struct Spinning {
    read: HashMap<String, u32>,
    touched: Footprint,
}

impl Spinning {
    /// A thread that has read the same twice will read it again.
    fn is_futile(&self) -> bool {
        self.read.values().any(|&times| times >= 2)
    }
}

fn note_spinning(spinning: &mut HashMap<ThreadNumber, Spinning>, step: &Step) {
    spinning.retain(|thread, s| *thread == step.chosen || !step.now.disturbs(&s.touched));
    match &step.spin {
        Some(read) => {
            let s = spinning.entry(step.chosen).or_default();
            *s.read.entry(read.clone()).or_insert(0) += 1;
            s.touched.add(&step.now);
        }
        None => {
            spinning.remove(&step.chosen);
        }
    }
}

/// One run along the stack.
pub struct Way<'e, 'p> {
    shared: RefCell<Shared<'e, 'p>>,
    abandoned: Cell<bool>,
}

struct Shared<'e, 'p> {
    explorer: &'e mut Explorer<'p>,
    /// The next decision.
    at: usize,
    /// The step decided last, until it is known to be taken.
    attempt: Option<usize>,
    last: Option<(usize, ThreadNumber)>,
    steps: HashMap<ThreadNumber, u64>,
    alone: u32,
}

impl<'e, 'p> Way<'e, 'p> {
    pub fn new(explorer: &'e mut Explorer<'p>) -> Way<'e, 'p> {
        let shared = Shared { explorer, at: 0, attempt: None, last: None, steps: HashMap::new(), alone: 0 };
        Way { shared: RefCell::new(shared), abandoned: Cell::new(false) }
    }

    pub fn parts(&mut self) -> (Steps<'_, 'e, 'p>, Values<'_, 'e, 'p>) {
        (Steps(self), Values(self))
    }

    /// The run was given up: it does not count.
    pub fn abandoned(&self) -> bool {
        self.abandoned.get()
    }
}

impl Shared<'_, '_> {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        if let Some(i) = self.attempt.take() {
            return self.instead(i, choice);
        }
        self.note_ended(choice);
        if self.at == self.explorer.stack.len() {
            let step = self.new_step(choice);
            self.explorer.stack.push(Decision::Step(step));
        }
        let i = self.at;
        let Decision::Step(step) = &mut self.explorer.stack[i] else { return None };
        step.taken = choice.taken;
        self.attempt = Some(i);
        self.at += 1;
        Some(step.chosen)
    }

    /// The thread chosen in decision `i` has to wait: another one. No answer when what it asked for may change that.
    fn instead(&mut self, i: usize, choice: &Choice<'_>) -> Option<ThreadNumber> {
        if i + 1 != self.explorer.stack.len() {
            return None;
        }
        let Decision::Step(step) = &mut self.explorer.stack[i] else { return None };
        step.blocked.push(step.chosen);
        let next = step.enabled.iter().find(|t| choice.enabled.contains(t) && step.open(t));
        step.chosen = *next?;
        self.attempt = Some(i);
        Some(step.chosen)
    }

    /// A thread that took a step and cannot go on has ended.
    fn note_ended(&mut self, choice: &Choice<'_>) {
        if let Some((i, thread)) = self.last
            && let Some(Decision::Step(step)) = self.explorer.stack.get_mut(i)
        {
            step.ended = !choice.enabled.contains(&thread);
        }
    }

    fn new_step(&mut self, choice: &Choice<'_>) -> Step {
        // The first step of a thread only reads what its creator left for it: when it happens does not matter.
        let starts = |t: &&ThreadNumber| **t != 0 && !self.steps.contains_key(t);
        let enabled = match choice.enabled.iter().find(starts) {
            Some(&t) if self.explorer.reduce => vec![t],
            _ => choice.enabled.to_vec(),
        };
        let last = choice.last.filter(|l| enabled.contains(l) && self.alone < ALONE);
        let after = choice.last.and_then(|l| enabled.iter().copied().find(|&t| t > l));
        Step {
            taken: choice.taken,
            chosen: last.or(after).unwrap_or(enabled[0]),
            enabled,
            stepped: false,
            ended: false,
            now: Footprint::default(),
            all: Footprint::default(),
            spin: None,
            tried: Vec::new(),
            blocked: Vec::new(),
            sleep: Vec::new(),
        }
    }

    fn stepped(&mut self, thread: ThreadNumber) {
        self.alone = if self.last.is_some_and(|l| l.1 == thread) { self.alone % (ALONE + 1) + 1 } else { 0 };
        *self.steps.entry(thread).or_insert(0) += 1;
        if let Some(i) = self.attempt.take() {
            self.last = Some((i, thread));
            if let Some(Decision::Step(step)) = self.explorer.stack.get_mut(i) {
                step.stepped = true;
            }
        }
    }

    fn value(&mut self, bits: u32) -> Option<u128> {
        if self.at == self.explorer.stack.len() {
            let values = if bits == 1 { 2 } else { VALUES };
            self.explorer.stack.push(Decision::Input { value: 0, values });
        }
        self.at += 1;
        match self.explorer.stack[self.at - 1] {
            Decision::Input { value, .. } => Some(value),
            Decision::Step(_) => None,
        }
    }
}

pub struct Steps<'w, 'e, 'p>(&'w Way<'e, 'p>);
pub struct Values<'w, 'e, 'p>(&'w Way<'e, 'p>);

impl Schedule for Steps<'_, '_, '_> {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        let picked = self.0.shared.borrow_mut().pick(choice);
        if picked.is_none() {
            self.0.abandoned.set(true);
        }
        picked
    }

    fn stepped(&mut self, thread: ThreadNumber, _in_output: bool) {
        if !self.0.abandoned.get() {
            self.0.shared.borrow_mut().stepped(thread);
        }
    }
}

impl Inputs for Values<'_, '_, '_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match self.0.abandoned.get() {
            true => Some(0),
            false => self.0.shared.borrow_mut().value(request.width.bits()),
        }
    }
}
