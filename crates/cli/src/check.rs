//! `threadproof check`: proves that nothing fails, or shows how it does.

use crate::args::{CheckArgs, EngineArg, UnmodelledArg};
use crate::exit::{Exit, Failure};
use crate::output::Out;
use crate::stop::{self, Stop};
use crate::{load, memory, property, record};
use serde_json::json;
use std::time::Instant;
use tp_engines::{Method, Options, Outcome, Reason};
use tp_machine::End;
use tp_report::Verdict;
use tp_unfold::Unmodelled;

/// Instructions that are followed for one bound; a program that wants more is too large.
const MAX_INSTRUCTIONS: u64 = 100_000_000;

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let max_resident = args.memory.map(|m| m.0).or_else(|| memory::available().map(|free| free / 4 * 3));
    let stop = Stop::new(Some(args.timeout)).with_memory(max_resident);
    let checks = property::decided(&args.property)?;
    let program = load::load(&args.source.frontend_options())?;
    let work = |flag| {
        let options = Options {
            method: method(args.engine),
            checks,
            unmodelled: unmodelled(args.unmodelled),
            max_bound: args.unwind,
            max_instructions: MAX_INSTRUCTIONS,
            stop: flag,
        };
        tp_engines::check(&program, &options, &mut |_| {})
    };
    let (outcome, stopped) = stop.watch(work, || {});
    let verdict = verdict(&outcome, stopped)?;
    if args.json {
        Out::stdout().document(&json!({
            "tool": record::TOOL,
            "command": "check",
            "verdict": verdict.word(),
            "reason": verdict.reason(),
            "bound": outcome.bound,
            "resources": {
                "seconds": begin.elapsed().as_secs_f64(),
                "peak_memory": memory::peak(),
            },
        }));
    } else {
        Out::stdout().line(&verdict.to_string());
    }
    Ok(Exit::of(&verdict))
}

fn method(engine: EngineArg) -> Method {
    match engine {
        EngineArg::Order => Method::Order,
        EngineArg::Refine => Method::Refine,
        EngineArg::Clocks => Method::Clocks,
    }
}

fn unmodelled(arg: UnmodelledArg) -> Unmodelled {
    match arg {
        UnmodelledArg::Stop => Unmodelled::Stop,
        UnmodelledArg::Pure => Unmodelled::Pure,
    }
}

/// The answer in one line; a defect of ours is none.
fn verdict(outcome: &Outcome, stopped: Option<stop::Reason>) -> Result<Verdict, Failure> {
    Ok(match &outcome.verdict {
        tp_engines::Verdict::Violated { run, .. } => match &run.end {
            End::Violation(finding) => Verdict::Violated(finding.property),
            end => return Err(Failure::Internal(format!("a violation without a finding: {end:?}"))),
        },
        tp_engines::Verdict::Safe => Verdict::Safe,
        tp_engines::Verdict::WithinBounds { bound, .. } => Verdict::WithinBounds(*bound),
        tp_engines::Verdict::Unknown(reason) => Verdict::Unknown(match reason {
            Reason::Stopped => stopped.unwrap_or(stop::Reason::Interrupted).words().to_owned(),
            Reason::TooLarge => "too large".to_owned(),
            Reason::Gap { what, .. } => format!("not supported: {what}"),
            Reason::Unmodelled { function, .. } => format!("no model for `{function}`"),
            Reason::NotReplayed { expected, happened } => {
                return Err(Failure::Internal(format!(
                    "a counterexample does not replay: expected {expected}; when it was executed: {happened}"
                )));
            }
            Reason::Fault(fault) => return Err(Failure::Internal(fault.clone())),
        }),
    })
}
