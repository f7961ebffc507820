//! The engine that runs the program under random schedules and inputs, one seed after the other. Every second run aims at
//! a read that sees a write which it has rarely seen (`steer`).
//!
//! It proves nothing. But a failure that needs a few context switches among many steps, which a search finds late, is often in
//! the first hundred runs. The answer does not depend on time, only whether there is one.

use crate::monitor::Monitor;
use crate::report::{Counters, Failure, Reason, Report, Status};
use crate::steer::{Accesses, PairsSeen};
use crate::task::Task;
use tp_ir::Property;
use tp_machine::{
    Config, End, Environment, Identity, RandomInputs, RoundRobin, Run, RunLimits, Schedule, Wakers,
    mixed_schedule,
};
use tp_report::count;

/// Steps of one run at most: a run that spins must not hold up the others.
const MAX_STEPS: u64 = 1_000_000;

/// Runs that are tried after the first that fails, for one with fewer context switches.
const SHORTER: u64 = 32;

/// Runs after which the monitor is told how far the engine is.
const TELL: u64 = 16;

pub fn ask(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let (pairs, wakers) = (PairsSeen::default(), Wakers::default());
    let mut campaign = Campaign { task, runs: 0, steps: 0, pairs, wakers, best: None };
    let first = campaign.run(&mut RoundRobin, 0, monitor);
    let (length, is_only_one) = (first.steps, first.threads <= 1 && first.trace.inputs.is_empty());
    let mut last = if is_only_one { 1 } else { task.limits.max_runs };
    if campaign.note(first) {
        last = last.min(1 + SHORTER);
    }
    let mut mixed = 0;
    while campaign.runs < last && !monitor.is_stopped() {
        let nth = campaign.runs;
        let aim = if nth.is_multiple_of(2) { campaign.pairs.aim(nth) } else { None };
        let run = match aim {
            Some(mut aim) => campaign.run(&mut aim.schedule, aim.seed, monitor),
            None => {
                mixed += 1;
                campaign.run(&mut *mixed_schedule(mixed, || length), nth, monitor)
            }
        };
        if campaign.note(run) {
            last = last.min(campaign.runs + SHORTER);
        }
        if campaign.runs.is_multiple_of(TELL) {
            monitor.tell(campaign.report());
        }
    }
    campaign.report()
}

struct Campaign<'a> {
    task: &'a Task,
    runs: u64,
    steps: u64,
    pairs: PairsSeen,
    wakers: Wakers,
    /// The failing run with the fewest context switches so far. Memory that is not freed counts only if nothing else fails.
    best: Option<Failure>,
}

impl Campaign<'_> {
    fn run(&mut self, schedule: &mut dyn Schedule, seed: u64, monitor: &Monitor<'_>) -> Run {
        let Task { program, checks, known, limits, .. } = self.task;
        let limits = RunLimits { max_steps: limits.run.max_steps.min(MAX_STEPS), ..limits.run };
        let config = Config { wakers: Some(&self.wakers), ..limits.config(*checks, monitor.stop(), false) };
        let races: Vec<Identity> = known.iter().filter(|k| k.property == Property::Race).cloned().collect();
        let mut inputs = RandomInputs::new(seed);
        let environment = Environment { schedule, inputs: &mut inputs, output: &mut |_, _| {} };
        let mut accesses = Accesses::default();
        let run = tp_machine::run_observed(program, &config, &races, environment, &mut accesses);
        self.pairs.note(accesses, &run.trace, seed);
        self.runs += 1;
        self.steps += run.steps;
        run
    }

    /// Keeps the failure of a run if it is a better one. `true`: it is the first that is worth reporting.
    fn note(&mut self, run: Run) -> bool {
        let End::Violation(finding) = run.end else { return false };
        let identity = Identity::of(&self.task.program, &finding);
        if self.task.known.iter().any(|known| known.covers(&identity)) {
            return false;
        }
        // Where memory that is not freed is all that is looked for, there is nothing to wait for.
        let checks = self.task.checks;
        let has_worse = Property::ALL.iter().any(|&p| checks.has(p) && !p.is_late());
        let is_weak = |failure: &Failure| has_worse && failure.finding.property.is_late();
        let failure = Failure { finding, trace: Box::new(run.trace) };
        let rank = |failure: &Failure| (is_weak(failure), failure.trace.schedule().len());
        let before = self.best.as_ref().map(rank);
        let is_first = !is_weak(&failure) && before.is_none_or(|(was_weak, _)| was_weak);
        if before.is_none_or(|before| rank(&failure) < before) {
            self.best = Some(failure);
        }
        is_first
    }

    fn report(&self) -> Report {
        let checks = self.task.checks;
        let counters = Counters(vec![("runs", self.runs), ("steps", self.steps)]);
        match &self.best {
            Some(failure) => Report { counters, ..Report::violated(checks, failure.clone()) },
            None => {
                let reason = Reason::Other(format!("{}, no violation", count(self.runs, "run")));
                let status = vec![(checks, Status::Unknown(reason))];
                Report { status, counters, ..Report::nothing_yet(checks) }
            }
        }
    }
}

pub fn progress(so_far: &Report) -> String {
    count(so_far.counters.get("runs").unwrap_or(0), "run")
}
