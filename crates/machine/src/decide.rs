//! Where nondeterminism comes from: schedules say which thread takes the next step, inputs say which values come from
//! outside. Nothing else in a run is open.

use crate::clock::Clock;
use crate::layout::ObjectName;
use crate::trace::{ThreadNumber, Trace};
use std::collections::HashMap;
use std::sync::Arc;
use tp_ir::{GlobalId, InputKind, Type, Width};

/// The next step has to be chosen.
pub struct Choice<'a> {
    /// The threads that may be able to take it, ascending; never empty.
    pub enabled: &'a [ThreadNumber],
    /// The thread that took the last step.
    pub last: Option<ThreadNumber>,
    /// How many steps were taken.
    pub taken: u64,
}

pub trait Schedule {
    /// The thread that takes the next step, one of those enabled; `None` when this schedule has no answer. It is asked
    /// again, with one thread less, when the chosen one turns out to wait.
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber>;

    /// The thread would rather let others run.
    fn yielded(&mut self, _thread: ThreadNumber) {}

    /// The thread took a step. Steps that the engines do not have do not count: those inside of output functions, and
    /// those that only begin a scope.
    fn stepped(&mut self, _thread: ThreadNumber, _counts: bool) {}

    /// The clock by which threads sleep; `None`: they only sleep as long as they are not chosen.
    fn clock(&mut self) -> Option<&mut Clock> {
        None
    }
}

/// What a value from outside is for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InputSource {
    /// The program asks for it. `nth` counts the inputs of `Call` and `Register` that the thread was given before,
    /// without undone steps and output functions.
    Call { nth: u64 },
    /// A register that was never assigned; counted together with `Call`.
    Register { nth: u64 },
    /// Memory that was never written, in an object on the stack or the heap. `nth` counts the objects that the thread
    /// made before this one, without undone steps and output functions; `scope` counts how often its scope has begun.
    Memory { made_by: ThreadNumber, nth: u64, scope: u64, offset: u64 },
    /// Asked for inside an output function, or an object that was made there: nothing else depends on it.
    Output,
    /// A variable that is defined nowhere.
    Global { global: GlobalId, offset: u64 },
    /// A thread's instance of such a variable.
    ThreadLocal { thread: ThreadNumber, global: GlobalId, offset: u64 },
}

impl InputSource {
    /// Whether it is the contents of memory that was never written.
    pub fn is_memory(self) -> bool {
        matches!(
            self,
            InputSource::Memory { .. } | InputSource::Global { .. } | InputSource::ThreadLocal { .. }
        )
    }
}

/// A value from outside is wanted.
pub struct InputRequest<'a> {
    /// The thread that wants it.
    pub thread: ThreadNumber,
    pub source: InputSource,
    pub name: &'a str,
    pub ty: Type,
    pub width: Width,
    pub signed: bool,
    pub kind: InputKind,
    /// How many inputs were given before.
    pub index: usize,
}

/// What an instruction asks for.
#[derive(Clone)]
pub(crate) struct WantedInput {
    pub name: String,
    pub ty: Type,
    pub signed: bool,
    pub kind: InputKind,
}

impl WantedInput {
    /// A value that was never written.
    pub fn unwritten(name: String, ty: Type) -> WantedInput {
        WantedInput { name, ty, signed: true, kind: InputKind::Value }
    }
}

/// The name of an input that stands for a register which was never assigned and holds no variable.
pub const UNNAMED_VALUE: &str = "unnamed value";

pub trait Inputs {
    /// The bits of the value; what lies above the width is ignored. `None` when there is no answer.
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128>;

    /// Where a new object is to lie; `None`: anywhere.
    fn address(&mut self, _of: ObjectName) -> Option<u64> {
        None
    }

    /// Whether values that depend on it get terms, see `Symbols`. Asked after the value was given.
    fn is_followed(&mut self, _request: &InputRequest<'_>) -> bool {
        false
    }
}

/// A small generator whose sequence is part of the tool's interface: a seed gives the same run in every version.
/// (SplitMix64, Steele, Lea and Flood, OOPSLA 2014.)
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((self.draw() as u128 * n as u128) >> 64) as u64
    }
}

/// Each thread in turn, a step each.
pub struct RoundRobin;

impl Schedule for RoundRobin {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        let after = choice.last.and_then(|l| choice.enabled.iter().find(|&&t| t > l));
        after.or(choice.enabled.first()).copied()
    }
}

/// Any thread, all equally likely.
pub struct RandomSchedule {
    random: Random,
    clock: Clock,
}

impl RandomSchedule {
    pub fn new(seed: u64) -> RandomSchedule {
        RandomSchedule { random: Random::new(seed), clock: Clock::new(seed) }
    }
}

impl Schedule for RandomSchedule {
    #[inline]
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        let i = self.random.below(choice.enabled.len() as u64) as usize;
        choice.enabled.get(i).copied()
    }

    fn clock(&mut self) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }
}

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): threads have random priorities, the highest
/// runs, and at `depth - 1` random steps the running thread drops below all others. A bug that needs `depth` ordering
/// constraints is found with probability at least 1/(n·k^(depth-1)) for n threads and k steps.
pub struct Pct {
    random: Random,
    priorities: HashMap<ThreadNumber, u64>,
    /// The steps at which the running thread loses its priority, ascending.
    changes: Vec<u64>,
    lowest: u64,
    /// Steps that one thread took while others could have.
    alone: u64,
    clock: Clock,
}

/// A thread that takes this many steps while others wait to run is spinning, as far as we can tell.
const SPINNING: u64 = 1000;

impl Pct {
    /// `length` is the expected number of steps of the run.
    pub fn new(seed: u64, depth: u32, length: u64) -> Pct {
        let mut random = Random::new(seed);
        let mut changes: Vec<u64> = (1..depth).map(|_| random.below(length.max(1))).collect();
        changes.sort_unstable();
        changes.dedup();
        Pct {
            random,
            priorities: HashMap::new(),
            changes,
            lowest: u64::MAX / 2,
            alone: 0,
            clock: Clock::new(seed),
        }
    }

    fn drop_below_all(&mut self, thread: ThreadNumber) {
        self.lowest -= 1;
        self.priorities.insert(thread, self.lowest);
    }
}

impl Schedule for Pct {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        for &t in choice.enabled {
            if !self.priorities.contains_key(&t) {
                let priority = u64::MAX / 2 + (self.random.draw() >> 2);
                self.priorities.insert(t, priority);
            }
        }
        if let Some(last) = choice.last {
            if self.changes.first().is_some_and(|&c| c <= choice.taken) {
                self.changes.remove(0);
                self.drop_below_all(last);
            }
            if self.alone > SPINNING {
                self.alone = 0;
                self.drop_below_all(last);
            }
        }
        let best = choice
            .enabled
            .iter()
            .copied()
            .max_by_key(|t| (self.priorities.get(t).copied(), std::cmp::Reverse(*t)))?;
        self.alone = if choice.last == Some(best) && choice.enabled.len() > 1 { self.alone + 1 } else { 0 };
        Some(best)
    }

    fn yielded(&mut self, thread: ThreadNumber) {
        self.drop_below_all(thread);
    }

    fn clock(&mut self) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }
}

/// Random schedules and PCT in turn, by the seed: neither finds what the other one does. Uniform choices find what happens
/// somewhere between many short steps, priorities what needs one thread to run far ahead of the others.
pub fn mixed_schedule(seed: u64, length: impl FnOnce() -> u64) -> Box<dyn Schedule> {
    match seed % 2 {
        1 => Box::new(RandomSchedule::new(seed)),
        _ => Box::new(Pct::new(seed, 2 + (seed / 2 % 3) as u32, length())),
    }
}

/// Exactly the steps of a recorded run; no answer where the program diverges from it.
pub struct Replay {
    trace: Arc<Trace>,
    run: usize,
    used: u64,
}

impl Replay {
    pub fn new(trace: Arc<Trace>) -> Replay {
        Replay { trace, run: 0, used: 0 }
    }
}

impl Schedule for Replay {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        let &(thread, count) = self.trace.schedule().get(self.run)?;
        choice.enabled.binary_search(&thread).ok()?;
        self.used += 1;
        if self.used == count {
            self.run += 1;
            self.used = 0;
        }
        Some(thread)
    }
}

/// A given schedule as far as the program follows it, then another.
pub struct PrefixThen<S> {
    prefix: Option<Replay>,
    then: S,
}

impl<S: Schedule> PrefixThen<S> {
    pub fn new(prefix: Arc<Trace>, then: S) -> PrefixThen<S> {
        PrefixThen { prefix: Some(Replay::new(prefix)), then }
    }
}

impl<S: Schedule> Schedule for PrefixThen<S> {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        if let Some(prefix) = &mut self.prefix {
            if let Some(thread) = prefix.pick(choice) {
                return Some(thread);
            }
            self.prefix = None;
        }
        self.then.pick(choice)
    }

    fn yielded(&mut self, thread: ThreadNumber) {
        self.then.yielded(thread);
    }

    fn stepped(&mut self, thread: ThreadNumber, counts: bool) {
        self.then.stepped(thread, counts);
    }

    fn clock(&mut self) -> Option<&mut Clock> {
        if self.prefix.is_some() { None } else { self.then.clock() }
    }
}

/// Of the inputs that are mostly 0, one in this many may be another value.
const MOSTLY: u64 = 16;

/// Any value; small ones more often.
pub struct RandomInputs {
    random: Random,
    /// An event happens once in two to the power of this. Each run has its own pace, so that events come early
    /// in some runs, late in others, and in some not at all.
    pace: Option<u64>,
}

/// The slowest pace: once in a thousand.
const SLOWEST: u64 = 10;

impl RandomInputs {
    pub fn new(seed: u64) -> RandomInputs {
        RandomInputs { random: Random::new(seed ^ 0x696e_7075_7473), pace: None }
    }
}

impl Inputs for RandomInputs {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let r = &mut self.random;
        if request.kind == InputKind::MostlyZero && r.below(MOSTLY) > 0 {
            return Some(0);
        }
        if matches!(request.ty, Type::F32 | Type::F64) {
            let whole = r.below(21) as f64 - 10.0;
            let value = if r.below(2) == 0 { whole } else { whole / 4.0 };
            return Some(tp_ir::eval::from_f64(request.ty, value) as u128);
        }
        let bits = request.width.bits();
        if request.kind == InputKind::Event {
            let pace = *self.pace.get_or_insert_with(|| r.below(SLOWEST + 1));
            return Some((r.below(1 << pace) == 0).into());
        }
        Some(match r.below(8) {
            _ if bits == 1 => r.below(2) as u128,
            0..=3 => r.below(4) as u128,
            4 => r.below(100) as u128,
            5 => (r.below(20) as i128 - 10) as u128,
            // Where signed and unsigned ranges end.
            6 => [u128::MAX, 1 << (bits - 1), (1 << (bits - 1)) - 1][r.below(3) as usize],
            _ => r.draw() as u128 | (r.draw() as u128) << 64,
        })
    }
}

/// The values of a recorded run.
pub struct ReplayInputs {
    trace: Arc<Trace>,
}

impl ReplayInputs {
    pub fn new(trace: Arc<Trace>) -> ReplayInputs {
        ReplayInputs { trace }
    }
}

impl Inputs for ReplayInputs {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let input = self.trace.inputs.get(request.index).or_else(|| self.trace.found.get(&request.source));
        // A step that was tried in vain at the end is not in the trace, and what it made of registers that were never written
        // decides nothing.
        let is_unwritten = matches!(request.source, InputSource::Register { .. });
        match input {
            Some(input) => (input.width == request.width.bits()).then_some(input.bits),
            None => is_unwritten.then_some(0),
        }
    }

    fn address(&mut self, of: ObjectName) -> Option<u64> {
        self.trace.layout.get(&of).copied()
    }
}
