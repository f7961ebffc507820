//! The engines that unfold the program and ask a solver.

use crate::monitor::Monitor;
use crate::report::{Basis, Counters, Failure, Reason, Report, Status};
use crate::task::Task;
use tp_engines::{
    CheckOptions, CheckResult, CheckVerdict, KnownVerdict, Method, NotReplayed, Progress, Shown, Statistics,
    Uncertified, UnknownReason,
};
use tp_events::{Gap, UndefinedBehaviour};
use tp_ir::Checks;
use tp_machine::{End, Within};
use tp_report::count;

pub fn ask(method: Method, task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let options = CheckOptions {
        method,
        checks: task.checks,
        max_bound: task.limits.max_unwind,
        max_instructions: task.limits.max_instructions,
        certify: task.certify,
        may_stay_open: task.may_stay_open,
        known: task.known.clone(),
        contexts: task.limits.contexts,
        stop: monitor.stop().clone(),
    };
    let (mut next_bound, mut next_contexts) = (1, None);
    monitor.tell(so_far(task.checks, Progress { bound: next_bound, ..Progress::default() }));
    let mut tell = |now: Progress| {
        (next_bound, next_contexts) = (now.bound, now.contexts);
        monitor.tell(so_far(task.checks, now));
    };
    let outcome = tp_engines::check(&task.program, &options, &mut tell);
    report(task.checks, CheckResult { contexts: outcome.contexts.or(next_contexts), ..outcome }, next_bound)
}

/// The answer of an engine that is stopped now.
fn so_far(checks: Checks, now: Progress) -> Report {
    let outcome = CheckResult {
        bound: None,
        contexts: now.contexts,
        shown: now.shown,
        open: Checks::NONE,
        reached: Default::default(),
        statistics: now.statistics,
        certificate: now.known.as_ref().map(|_| Err(Uncertified::Stopped)),
        verdict: now
            .known
            .map_or_else(|| CheckVerdict::Unknown(now.reason.unwrap_or(UnknownReason::Stopped)), Into::into),
    };
    report(checks, outcome, now.bound)
}

fn report(checks: Checks, outcome: CheckResult, next_bound: u32) -> Report {
    let CheckResult { verdict, bound, contexts, shown, open, reached, statistics, certificate } = outcome;
    let (mut failure, mut within) = (None, Vec::new());
    let status = match verdict {
        CheckVerdict::Safe => parts(checks, open, Shown::default(), Status::Holds),
        CheckVerdict::WithinBounds { within, loops } => {
            parts(checks, open, shown, Status::HoldsWithin { within, loops })
        }
        CheckVerdict::Unknown(reason) => {
            let holds = split(shown, &mut within);
            parts(checks, open, holds, Status::Unknown(why(reason)))
        }
        CheckVerdict::Violated { run, trace } => match run.end {
            End::Violation(finding) => {
                let violated = Checks::NONE.with(finding.property);
                failure = Some(Failure { finding, trace });
                let rest = Status::Unknown(Reason::Stopped);
                let holds = split(shown, &mut within);
                let mut status = parts(checks.minus(violated), open.minus(violated), holds, rest);
                status.push((violated, Status::Violated));
                status
            }
            end => {
                let defect = Reason::Defect(format!("a violation that is none: {end:?}"));
                vec![(checks, Status::Unknown(defect))]
            }
        },
    };
    let holds = status.iter().all(|part| matches!(part.1, Status::Holds | Status::Open));
    let basis = Basis {
        bound,
        next_bound: Some(next_bound),
        next_contexts: contexts,
        not_entered: reached.not_entered,
        no_threads: reached.no_threads && holds,
        sees_addresses: statistics.encoded.sees_addresses,
        layout: None,
        // Without an unfolding: the analysis is about executions up to their first undefined behaviour.
        until_undefined: holds && bound.is_none(),
        executions: None,
    };
    let counters = counters(&statistics, bound);
    Report { status, within, failure, certificate, counters, basis, tree: None }
}

/// What is shown to hold. What holds only within bounds goes to `within`.
fn split(shown: Shown, bounded: &mut Vec<(Checks, Within)>) -> Shown {
    let mut holds = Vec::new();
    for (checks, known) in shown.0 {
        match known {
            KnownVerdict::Safe => holds.push((checks, known)),
            KnownVerdict::WithinBounds { within, .. } => bounded.push((checks, within)),
        }
    }
    Shown(holds)
}

/// The status of the parts that something is shown of, of the rest, and of what has stayed open.
fn parts(checks: Checks, open: Checks, shown: Shown, rest: Status) -> Vec<(Checks, Status)> {
    let mut left = checks.minus(open);
    let mut parts = Vec::new();
    for (checks, known) in shown.0 {
        let part = checks.both(left);
        left = left.minus(part);
        parts.push((part, known.into()));
    }
    let says_no_more = |part: &Status| match (part, &rest) {
        (Status::HoldsWithin { within: part, .. }, Status::HoldsWithin { within, .. }) => {
            part.is_covered_by(within)
        }
        _ => false,
    };
    // All of them together must not say more than the verdict does.
    if left == Checks::NONE && !parts.iter().any(|part| says_no_more(&part.1)) {
        parts = vec![(checks.minus(open), rest)];
    } else {
        parts.push((left, rest));
    }
    parts.push((open, Status::Open));
    parts.retain(|part| part.0 != Checks::NONE);
    parts
}

impl From<KnownVerdict> for Status {
    fn from(known: KnownVerdict) -> Status {
        match known {
            KnownVerdict::Safe => Status::Holds,
            KnownVerdict::WithinBounds { within, loops } => Status::HoldsWithin { within, loops },
        }
    }
}

fn why(reason: UnknownReason) -> Reason {
    match reason {
        UnknownReason::Stopped => Reason::Stopped,
        UnknownReason::TooLarge => Reason::TooLarge,
        UnknownReason::Gap { gap, place } => {
            let can_run = !matches!(gap, Gap::Operation(_));
            Reason::Gap { what: gap_in_words(gap), place, can_run }
        }
        UnknownReason::BehindKnownDeadlock { place } => {
            Reason::Gap { what: "a deadlock behind a known one".to_owned(), place, can_run: true }
        }
        UnknownReason::OrderOfSections { place } => {
            let what = "a race that depends on how atomic sections order weak atomics".to_owned();
            Reason::Gap { what, place, can_run: true }
        }
        UnknownReason::Unmodelled { function, place } => Reason::Unmodelled { function, place },
        UnknownReason::Undefined { what, place } => {
            let message = match what {
                UndefinedBehaviour::Property(property) => property.title(),
                UndefinedBehaviour::Unreachable => {
                    "control reaches code that the program declares unreachable"
                }
                UndefinedBehaviour::EndlessLoop => "a loop that does nothing never ends",
            };
            Reason::Undefined { message: message.to_owned(), place }
        }
        UnknownReason::MetUndefined { finding, place } => Reason::MetInReplay { finding, place },
        UnknownReason::NothingReached { place } => Reason::NothingReached { place },
        UnknownReason::NotReplayed(NotReplayed { property, threads, end }) => {
            Reason::Defect(tp_report::not_replayed(property, &threads, &end))
        }
        UnknownReason::Fault(fault) => Reason::Defect(fault),
    }
}

/// As in `not supported: …`.
fn gap_in_words(gap: Gap) -> String {
    let words = match gap {
        Gap::NestedCalls(most) => return format!("more than {most} nested calls"),
        Gap::Operation(what) => return what,
        Gap::SectionOnSomePaths => "an atomic section that only some paths open",
        Gap::UnknownSize => "an object of unknown size that another thread makes",
        Gap::UnknownIndex => "an unknown index into a large object",
        Gap::UnknownPointer => "a pointer whose value is not known",
        Gap::Layout => "where objects lie in memory",
        Gap::ReusedAddress => "arithmetic on the address of reused heap memory",
        Gap::WideProduct => "the overflow of a product of more than 64 bits",
        Gap::FloatArithmetic => "floating-point arithmetic on unknown values",
        Gap::FloatText => "a conversion between text and floating point",
        Gap::StackRelease => "stack memory that is released together with other memory",
        Gap::LargeObject => "a very large object",
        Gap::LongCopy => "a very long copy",
        Gap::OutputResult => "the return value of an output function of the C library",
        Gap::OutputReads => "what an output function of the C library reads",
        Gap::IndexOverflow => "an index so large that its offset in bytes overflows",
        Gap::PointersAtEnd => {
            "whether something still points to memory that was not freed when the program ends"
        }
    };
    words.to_owned()
}

fn counters(statistics: &Statistics, bound: Option<u32>) -> Counters {
    let Statistics { encoded, variables, clauses, conflicts, decisions, lemmas, .. } = statistics;
    let mut counters = vec![
        ("events", encoded.events),
        ("steps", encoded.nodes),
        ("reads", encoded.reads),
        ("candidates", encoded.candidates),
        ("encoded.variables", encoded.variables),
        ("encoded.clauses", encoded.clauses),
        ("variables", *variables),
        ("clauses", *clauses),
        ("conflicts", *conflicts),
        ("decisions", *decisions),
        ("lemmas", *lemmas),
    ];
    counters.extend(bound.map(|bound| ("unwind", bound.into())));
    counters.extend(statistics.contexts.map(|contexts| ("contexts", contexts)));
    counters.extend(statistics.iterations.map(|iterations| ("widen.iterations", iterations)));
    if let Some(refined) = &statistics.refined {
        counters.extend([
            ("refinements.refinements", refined.refinements),
            ("refinements.reasons", refined.reasons),
            ("refinements.literals", refined.literals),
            ("refinements.validations", refined.validations),
            ("refinements.refuted_by_solver", refined.refuted_by_solver),
        ]);
    }
    Counters(counters)
}

/// The numbers are those of the last bound that was encoded.
pub fn progress(so_far: &Report) -> String {
    let get = |name: &str| so_far.counters.get(name).unwrap_or(0);
    let bound = format!("unwind {}", so_far.basis.next_bound.unwrap_or(1));
    if get("events") == 0 {
        return bound;
    }
    let numbers =
        [("events", "event"), ("clauses", "clause"), ("conflicts", "conflict"), ("lemmas", "lemma")];
    numbers.iter().fold(bound, |line, (name, what)| format!("{line}, {}", count(get(name), what)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tp_ir::Property;

    #[test]
    fn the_progress_line_has_the_bound_that_is_worked_at() {
        let now = Progress { bound: 3, ..Progress::default() };
        assert_eq!(progress(&so_far(Checks::ALL, now)), "unwind 3");
    }

    #[test]
    fn each_property_has_one_status() {
        let asked = Checks::NONE.with(Property::Assert).with(Property::Race).with(Property::Leak);
        let (assert, race, leak) = (
            Checks::NONE.with(Property::Assert),
            Checks::NONE.with(Property::Race),
            Checks::NONE.with(Property::Leak),
        );
        let shown = Shown(vec![(assert, KnownVerdict::Safe)]);
        let found = parts(asked, leak, shown, Status::Unknown(Reason::TooLarge));
        assert_eq!(
            found,
            [(assert, Status::Holds), (race, Status::Unknown(Reason::TooLarge)), (leak, Status::Open)]
        );
        let shown = Shown(vec![(assert, KnownVerdict::Safe), (race, KnownVerdict::Safe)]);
        let found = parts(asked, leak, shown, Status::Unknown(Reason::TooLarge));
        assert_eq!(
            found,
            [(assert.with(Property::Race), Status::Unknown(Reason::TooLarge)), (leak, Status::Open)]
        );
    }
}
