//! How a run ended, where that is not a finding: the reason of an unknown verdict, and both sides of a replay that differs.

use super::sentence;
use tp_ir::{Program, Property};
use tp_machine::{End, ThreadNumber};

/// As in `verdict: unknown (…)`.
pub fn end_reason(program: &Program, end: &End, max_steps: u64) -> String {
    match end {
        End::Exited { .. } => "no violation".to_owned(),
        End::Violation(finding) => finding.property.title().to_owned(),
        End::Assumption => "cut by an assumption".to_owned(),
        End::Undefined(finding) => format!("cannot go on: {}", sentence(program, finding)),
        End::Unmodelled { function, .. } => format!("no model for `{function}`"),
        End::Unsupported { what, .. } => unsupported(what),
        End::TooManySteps => format!("more than {max_steps} steps"),
        End::OutOfMemory { .. } => "out of memory".to_owned(),
        End::TooDeep { .. } => "calls nested too deeply".to_owned(),
        End::TooManyThreads { .. } => "too many threads".to_owned(),
        End::Diverged { .. } => "the schedule has no answer".to_owned(),
        End::Stopped => "interrupted".to_owned(),
    }
}

/// Something that cannot be expressed was reached.
pub fn unsupported(what: &str) -> String {
    format!("not supported: {what}")
}

/// A counterexample that these threads should have ended with this violation, and how its run ended instead.
pub fn not_replayed(property: Property, threads: &[ThreadNumber], end: &End) -> String {
    let numbers: Vec<String> = threads.iter().map(ToString::to_string).collect();
    let word = if numbers.len() == 1 { "thread" } else { "threads" };
    let (expected, by) = (property.title(), numbers.join(", "));
    let happened = match end {
        End::Violation(finding) => format!("a violation: {}", finding.property.title()),
        End::Exited { status } => format!("the program exits with status {status}"),
        End::Assumption => "an assumption does not hold".into(),
        End::Undefined(finding) => format!("something undefined: {}", finding.property.title()),
        End::Unmodelled { function, .. } => format!("a call of `{function}`, which has no model"),
        End::Unsupported { what, .. } => format!("something unsupported: {what}"),
        End::TooManySteps => "too many steps".into(),
        End::OutOfMemory { .. } => "out of memory".into(),
        End::TooDeep { .. } => "calls too deep".into(),
        End::TooManyThreads { .. } => "too many threads".into(),
        End::Diverged { step } => format!("the run diverges after {step} steps"),
        End::Stopped => "stopped".into(),
    };
    format!(
        "a counterexample does not replay: expected {expected} by {word} {by}; when it was executed: {happened}"
    )
}
