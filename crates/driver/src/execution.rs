//! One run of a trace: what happened, and what the program wrote. A finding counts only if its trace reaches it again.

use crate::assumption::Assumptions;
use crate::report::Failure;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_ir::{Checks, Program, Property};
use tp_machine::{Config, End, Environment, Identity, Replay, ReplayInputs, Run, RunLimits, Trace, Wakers};
use tp_report::{Assumption, WitnessSummary};

/// A defect of ours, in a sentence: it says nothing about the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect(pub String);

/// What a run looks for, and what it may use.
#[derive(Copy, Clone, Debug)]
pub struct RunConfig<'a> {
    pub checks: Checks,
    pub limits: RunLimits,
    /// Races that are known, and passed over.
    pub past: &'a [Identity],
}

impl RunConfig<'_> {
    pub fn config(self, stop: &AtomicBool, record_events: bool) -> Config<'_> {
        self.limits.config(self.checks, stop, record_events)
    }
}

/// What a program wrote.
#[derive(Clone, Default, Debug)]
pub struct ProgramOutput {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl ProgramOutput {
    pub fn add(&mut self, fd: u32, bytes: &[u8]) {
        if fd == 2 { &mut self.stderr } else { &mut self.stdout }.extend_from_slice(bytes);
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

pub struct Execution {
    pub run: Run,
    pub written: ProgramOutput,
}

impl Execution {
    /// Takes the decisions of the trace again.
    pub fn of(program: &Program, config: RunConfig<'_>, trace: &Trace, record_events: bool) -> Execution {
        let trace = Arc::new(trace.clone());
        let mut written = ProgramOutput::default();
        let stop = AtomicBool::new(false);
        let environment = Environment {
            schedule: &mut Replay::new(trace.clone()),
            inputs: &mut ReplayInputs::new(trace),
            output: &mut |fd, bytes| written.add(fd, bytes),
        };
        let wakers = Wakers::default();
        let run_config = Config { wakers: Some(&wakers), ..config.config(&stop, record_events) };
        let run = tp_machine::run_past(program, &run_config, config.past, environment);
        Execution { run, written }
    }

    /// An alarm is replayed or it is not an alarm: the decisions that have led to an end must lead there again.
    pub fn confirm(self, program: &Program, end: &End, what: &str) -> Result<Execution, Defect> {
        if end.is_same(&self.run.end) {
            return Ok(self);
        }
        let (first, second) = (WitnessSummary::of(program, end), WitnessSummary::of(program, &self.run.end));
        Err(Defect(format!("{what} ended in {first:?}, and its replay in {second:?}")))
    }

    /// The status that the program itself ended with.
    pub fn exit_status(&self) -> Option<i32> {
        match self.run.end {
            End::Exited { status } => Some(status),
            _ => None,
        }
    }
}

/// A violation that was repeated on a machine of its own, which also recorded its events.
pub struct Confirmed<'a> {
    pub execution: Execution,
    /// What the run looked for. Known races are passed over only if the violation is not reached otherwise.
    pub config: RunConfig<'a>,
    pub identity: Identity,
    /// What it rests on.
    pub assumed: Vec<Assumption>,
}

impl Failure {
    /// Repeats it, past findings that are known. `races` holds the known races for the result.
    ///
    /// So the failure is executed twice, and each time once more if a second look shows more (`Finding::needs_hindsight`):
    /// the engine's run made the trace, from an order of steps and without events; this run shows that the trace is all
    /// it takes, and records the events for the report. A third follows only if a known race came first.
    pub fn confirm<'a>(
        &self,
        program: &Program,
        checks: Checks,
        known: &[Identity],
        races: &'a mut Vec<Identity>,
        assumptions: &Assumptions,
    ) -> Result<Confirmed<'a>, Defect> {
        let (end, trace) = (End::Violation(self.finding.clone()), &self.trace);
        let plain = RunConfig { checks, limits: RunLimits::default(), past: &[] };
        let execution = Execution::of(program, plain, trace, true);
        // A known race may come first and look much the same.
        let lines = |end: &End| match end {
            End::Violation(finding) => Some(Identity::of(program, finding)),
            _ => None,
        };
        let ended = &execution.run.end;
        let same = end.is_same(ended) && lines(&end) == lines(ended);
        races.extend(known.iter().filter(|k| k.property == Property::Race).cloned());
        let config = if same { plain } else { RunConfig { past: races, ..plain } };
        let execution = if same { execution } else { Execution::of(program, config, trace, true) };
        let execution = execution.confirm(program, &end, "the failing run")?;
        let End::Violation(finding) = &execution.run.end else {
            return Err(Defect(format!("a violation that is none: {:?}", execution.run.end)));
        };
        let identity = Identity::of(program, finding);
        if known.iter().any(|k| k.covers(&identity)) {
            return Err(Defect(format!(
                "a finding was found again: {}",
                tp_report::sentence(program, finding)
            )));
        }
        let assumed = assumptions.behind(program, config, trace, finding.property);
        Ok(Confirmed { execution, config, identity, assumed })
    }
}
