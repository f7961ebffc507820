//! Hands a failure to the machine, which has to reach it on the real program.

use crate::check::Options;
use crate::witness::Witness;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use tp_ir::{PlaceId, Program, Property};
use tp_machine::{Config, End, Guided, GuidedInputs, Identity, Known, Run, ThreadNumber};
use tp_unfold::{ThreadId, Unfolded};

pub(crate) enum Replayed {
    Fails(Box<Run>),
    /// In a way that is known already.
    Known,
    /// What was to happen, and what did.
    Differs {
        expected: String,
        happened: String,
    },
    /// On the way there the program does something undefined that was not to be checked; a run cannot go on from there.
    Undefined {
        message: String,
        place: Option<PlaceId>,
    },
    Stopped,
}

/// What the machine may use; a witness is far shorter.
const MAX_STEPS: u64 = 100_000_000;
const MAX_MEMORY: u64 = 1 << 30;
const MAX_DEPTH: usize = 10_000;

/// Follows a witness; the threads are those that do it in the end.
pub(crate) fn replay(
    program: &Program,
    options: &Options,
    unfolded: &Unfolded,
    (property, threads): (Property, &[ThreadId]),
    witness: &Witness,
) -> Replayed {
    let numbers: FxHashMap<ThreadId, ThreadNumber> =
        witness.threads.iter().enumerate().filter_map(|(i, t)| Some(((*t)?, i as ThreadNumber))).collect();
    let number = |thread: ThreadId| numbers.get(&thread).copied().unwrap_or(ThreadNumber::MAX);
    let targets: Vec<_> = witness.targets.iter().map(|&(t, steps)| (number(t), steps)).collect();
    let last: Vec<ThreadNumber> = threads.iter().map(|&t| number(t)).collect();
    let mut inputs = GuidedInputs::default();
    for (thread, values) in &witness.inputs {
        let values = values.iter().map(|v| v.value).collect();
        inputs.calls.insert(number(*thread), values);
    }
    for value in &witness.unwritten {
        let known = Known { offset: value.offset, bytes: value.bytes as u64, value: value.value };
        let object = &unfolded.objects[value.object];
        match (object.global, object.made_by, value.made) {
            (Some(global), None, _) => inputs.globals.entry(global).or_default().push(known),
            (Some(global), Some(thread), _) => {
                inputs.thread_locals.entry((number(thread), global)).or_default().push(known);
            }
            (None, _, Some((thread, nth))) => {
                inputs.memory.entry((number(thread), nth, value.scope)).or_default().push(known);
            }
            (None, _, None) => {}
        }
    }
    let config = Config {
        checks: options.checks,
        max_steps: MAX_STEPS,
        max_memory: MAX_MEMORY,
        max_depth: MAX_DEPTH,
        stop: &options.stop,
        record_events: false,
    };
    // Races that are known do not keep it from the failure; what else is known does.
    let races: Vec<Identity> =
        options.known.iter().filter(|k| k.property == Property::Race).cloned().collect();
    let follow = |past: &[Identity]| {
        let mut schedule = Guided::new(targets.clone(), last.clone());
        tp_machine::run_past(program, &config, past, &mut schedule, &mut inputs.clone(), &mut |_, _| {})
    };
    let is_known = |end: &End| match end {
        End::Violation(finding) => options.is_known(&Identity::of(program, finding)),
        _ => false,
    };
    let run = follow(&races);
    let is_new = matches!(&run.end, end @ End::Violation(_) if !is_known(end));
    match &run.end {
        end if is_known(end) => Replayed::Known,
        // It may lead to a race that is known by another line: to the machine a section is where it ends.
        _ if !is_new && !races.is_empty() && is_known(&follow(&[]).end) => Replayed::Known,
        // Another failure on the way there is one as well: the machine reports only what is to be checked.
        End::Violation(_) => Replayed::Fails(Box::new(run)),
        End::Undefined(finding) => {
            let moment = finding.labels.first().map(|l| &l.moment);
            let place = moment.and_then(|m| m.stack.first()).map(|s| s.place);
            Replayed::Undefined { message: finding.message.clone(), place }
        }
        // A loop without steps holds everybody up here, though not in the program.
        End::TooManySteps => {
            Replayed::Undefined { message: "a loop that does nothing never ends".to_owned(), place: None }
        }
        _ if options.stop.load(Ordering::Relaxed) => Replayed::Stopped,
        end => Replayed::Differs {
            expected: format!("{} by {}", property.title(), named(&last)),
            happened: describe(end),
        },
    }
}

fn named(threads: &[ThreadNumber]) -> String {
    let numbers: Vec<String> = threads.iter().map(ToString::to_string).collect();
    let word = if numbers.len() == 1 { "thread" } else { "threads" };
    format!("{word} {}", numbers.join(", "))
}

fn describe(end: &End) -> String {
    match end {
        End::Violation(finding) => format!("a violation: {}", finding.message),
        End::Exited { status } => format!("the program exits with status {status}"),
        End::Assumption => "an assumption does not hold".into(),
        End::Undefined(finding) => format!("something undefined: {}", finding.message),
        End::Unmodelled { function, .. } => format!("a call of `{function}`, which has no model"),
        End::Unsupported { what, .. } => format!("something unsupported: {what}"),
        End::TooManySteps => "too many steps".into(),
        End::OutOfMemory { .. } => "out of memory".into(),
        End::TooDeep { .. } => "calls too deep".into(),
        End::TooManyThreads { .. } => "too many threads".into(),
        End::Diverged { step } => format!("another way after {step} steps"),
        End::Stopped => "stopped".into(),
    }
}
