//! Many runs of one program, with a seed each, on all cores.
//!
//! The answer does not depend on timing: results are taken in the order of their seeds, whichever core was faster, and
//! the first violation in that order ends the campaign. The exception is memory that is not freed at the end: another
//! run may do something worse.

use crate::args::Scheduler;
use crate::input::{GivenInput, NamedInputs};
use crate::output::Out;
use crate::progress::ProgressLine;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use tp_driver::{ProgramOutput, RunConfig, Stop, StopReason};
use tp_ir::Program;
use tp_machine::{
    Config, End, Pct, RandomSchedule, RoundRobin, Run, Schedule, Trace, Wakers, mixed_schedule,
};

pub struct Plan<'a> {
    pub program: &'a Program,
    pub config: RunConfig<'a>,
    pub scheduler: Scheduler,
    pub seed: u64,
    pub runs: u64,
    pub inputs: &'a [GivenInput],
    /// Shared by all runs.
    pub wakers: &'a Wakers,
}

/// What becomes of the program's output.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Show {
    Nothing,
    /// On our standard output and standard error, as it comes.
    Stream,
    /// Kept in `Done`.
    Capture,
}

/// One run that came to an end.
pub struct Done {
    pub seed: u64,
    pub end: End,
    /// Empty unless something was violated; the seed brings it back.
    pub trace: Trace,
    pub written: ProgramOutput,
}

/// The sum of the runs up to the one that decided.
#[derive(Default)]
pub struct Campaign {
    pub runs: u64,
    pub exited: u64,
    pub assumption: u64,
    pub violated: u64,
    /// Runs that ended for any other reason.
    pub given_up: u64,
    pub steps: u64,
    pub instructions: u64,
    pub peak_memory: u64,
    pub threads: u32,
    pub violation: Option<Done>,
    /// The first run that has not freed all its memory; other runs may do something worse.
    late: Option<Done>,
    /// The first run that could not go on.
    pub trouble: Option<Done>,
    /// The last run that came to its end.
    pub last: Option<Done>,
    pub asked_inputs: BTreeSet<String>,
    pub stopped: Option<StopReason>,
    /// The first run had nothing to decide, so that all others would be the same; they are counted but not made.
    pub all_the_same: bool,
}

impl Campaign {
    /// The run that the answer is about.
    pub fn decisive(&self) -> Option<&Done> {
        self.violation.as_ref().or(self.trouble.as_ref()).or(self.last.as_ref())
    }

    /// Adds a run, and `alike` others that would be the same.
    fn add(&mut self, done: Finished, alike: u64) {
        self.runs += 1 + alike;
        self.steps += done.run.steps;
        self.instructions += done.run.instructions;
        self.peak_memory = self.peak_memory.max(done.run.peak_memory);
        self.threads = self.threads.max(done.run.threads);
        self.asked_inputs.extend(done.asked_inputs);
        let Run { end, trace, .. } = done.run;
        let run = Done { seed: done.seed, end, trace, written: done.written };
        match run.end {
            End::Exited { .. } => self.exited += 1 + alike,
            End::Assumption => self.assumption += 1 + alike,
            End::Violation(_) => self.violated += 1,
            _ => self.given_up += 1 + alike,
        }
        match &run.end {
            End::Violation(finding) if finding.property.is_late() => _ = self.late.get_or_insert(run),
            End::Violation(_) => self.violation = Some(run),
            End::Exited { .. } | End::Assumption => self.last = Some(run),
            _ if self.trouble.is_none() => self.trouble = Some(run),
            _ => {}
        }
    }
}

struct Finished {
    seed: u64,
    run: Run,
    written: ProgramOutput,
    asked_inputs: BTreeSet<String>,
    /// Whether there was a thread to choose or an input to give.
    decisions: bool,
}

impl Plan<'_> {
    pub fn run_all(&self, show: Show, stop: &Stop) -> Campaign {
        let cancel = AtomicBool::new(false);
        let next = AtomicU64::new(0);
        let length = OnceLock::new();
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let workers = cores.min(self.runs);
        std::thread::scope(|scope| {
            let (sender, results) = sync_channel(2 * workers as usize);
            for _ in 0..workers {
                let sender = sender.clone();
                let (next, cancel, length) = (&next, &cancel, &length);
                scope.spawn(move || self.work(show, next, cancel, length, sender));
            }
            // The channel closes when the last worker is done.
            drop(sender);
            self.collect(results, stop, &cancel)
        })
    }

    fn work(
        &self,
        show: Show,
        next: &AtomicU64,
        cancel: &AtomicBool,
        length: &OnceLock<u64>,
        results: SyncSender<(u64, Finished)>,
    ) {
        while !cancel.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.runs {
                return;
            }
            let finished = self.one(self.seed.wrapping_add(index), show, cancel, length);
            if results.send((index, finished)).is_err() {
                return;
            }
        }
    }

    fn machine_config<'c>(&'c self, cancel: &'c AtomicBool) -> Config<'c> {
        Config { wakers: Some(self.wakers), ..self.config.config(cancel, false) }
    }

    /// The run with this seed.
    fn one(&self, seed: u64, show: Show, cancel: &AtomicBool, length: &OnceLock<u64>) -> Finished {
        let length = || *length.get_or_init(|| self.expected_steps(cancel));
        let mut schedule: Box<dyn Schedule> = match self.scheduler {
            Scheduler::Mixed => mixed_schedule(seed, length),
            Scheduler::Random => Box::new(RandomSchedule::new(seed)),
            Scheduler::RoundRobin => Box::new(RoundRobin),
            Scheduler::Pct { depth } => Box::new(Pct::new(seed, depth, length())),
        };
        let mut written = ProgramOutput::default();
        let config = self.machine_config(cancel);
        let mut inputs = NamedInputs::new(seed, self.inputs);
        let mut run = match show {
            Show::Nothing => {
                tp_machine::run(self.program, &config, &mut *schedule, &mut inputs, &mut |_, _| {})
            }
            Show::Capture => {
                let capture = &mut |fd, bytes: &[u8]| written.add(fd, bytes);
                tp_machine::run(self.program, &config, &mut *schedule, &mut inputs, capture)
            }
            Show::Stream => {
                let (mut stdout, mut stderr) = (Out::stdout(), Out::stderr());
                let stream =
                    &mut |fd, bytes: &[u8]| if fd == 2 { stderr.bytes(bytes) } else { stdout.bytes(bytes) };
                let run = tp_machine::run(self.program, &config, &mut *schedule, &mut inputs, stream);
                stdout.end_line();
                run
            }
        };
        let asked_inputs = match self.inputs {
            [] => BTreeSet::new(),
            _ => run.trace.inputs.iter().map(|i| i.name.clone()).collect(),
        };
        let decisions = run.threads > 1 || !run.trace.inputs.is_empty();
        if !matches!(run.end, End::Violation(_)) && self.runs > 1 {
            run.trace = Trace::default();
        }
        Finished { seed, run, written, asked_inputs, decisions }
    }

    /// How many steps a run takes, which PCT has to know. It must not depend on the seed: a failing run is found again
    /// by its seed alone.
    fn expected_steps(&self, cancel: &AtomicBool) -> u64 {
        let config = self.machine_config(cancel);
        let mut inputs = NamedInputs::new(0, self.inputs);
        tp_machine::run(self.program, &config, &mut RoundRobin, &mut inputs, &mut |_, _| {}).steps
    }

    fn collect(&self, results: Receiver<(u64, Finished)>, stop: &Stop, cancel: &AtomicBool) -> Campaign {
        let mut campaign = Campaign::default();
        let mut early: BTreeMap<u64, Finished> = BTreeMap::new();
        let mut progress = ProgressLine::of_runs(self.runs);
        let mut expected = 0;
        while expected < self.runs && campaign.violation.is_none() {
            match results.recv_timeout(Duration::from_millis(20)) {
                Ok((index, finished)) => {
                    early.insert(index, finished);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if campaign.stopped.is_none() {
                campaign.stopped = stop.reason();
            }
            if campaign.stopped.is_some() {
                cancel.store(true, Ordering::Relaxed);
                continue;
            }
            while campaign.violation.is_none()
                && let Some(finished) = early.remove(&expected)
            {
                let violated = matches!(finished.run.end, End::Violation(_));
                let others_differ = finished.decisions;
                campaign.all_the_same = !others_differ && !violated && self.runs > 1;
                let alike = if campaign.all_the_same { self.runs - expected - 1 } else { 0 };
                campaign.add(finished, alike);
                expected += 1 + alike;
                if !others_differ {
                    campaign.violation = campaign.violation.or(campaign.late.take());
                }
            }
            progress.show_runs(campaign.runs);
        }
        cancel.store(true, Ordering::Relaxed);
        // After an interruption, runs that are done count, even if some with smaller seeds are not.
        for finished in early.into_values() {
            let counts = campaign.violation.is_none() && !campaign.all_the_same;
            if counts && finished.run.end != End::Stopped {
                campaign.add(finished, 0);
            }
        }
        campaign.violation = campaign.violation.or(campaign.late.take());
        campaign
    }

    /// The trace of the run with this seed, which was not kept.
    pub fn trace_of(&self, seed: u64) -> Trace {
        let again = Plan { seed, runs: 1, ..*self };
        again.one(seed, Show::Nothing, &AtomicBool::new(false), &OnceLock::new()).run.trace
    }
}
