//! The whole question: is there an execution that fails? Loop bounds grow until there is an answer.

use crate::bound::{Asked, Now, SoFar, check_bound};
use crate::certify::{Uncertified, certify_races};
use crate::engine::{Method, Statistics};
use crate::further::{BoundResult, Passed, Reached};
use crate::trial;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_certify::{Certificate, Part};
use tp_events::{Gap, UndefinedBehaviour};
use tp_ir::{Checks, PlaceId, Program, Property};
use tp_machine::{ContextBound, End, Finding, Identity, Run, ThreadNumber, Trace, Within};
use tp_unfold::Unfolder;

pub struct CheckOptions {
    pub method: Method,
    pub checks: Checks,
    /// Loop iterations to follow at most; `None`: as many as there is time for.
    pub max_bound: Option<u32>,
    /// Instructions to execute symbolically at most, for one bound.
    pub max_instructions: u64,
    /// Leave a certificate when nothing fails.
    pub certify: bool,
    /// Where one of these properties stays undecided, the others get their verdict all the same.
    pub may_stay_open: Checks,
    /// Findings that are known already; the check searches for others.
    pub known: Vec<Identity>,
    /// The context switches to follow, for a method that can bound them.
    pub contexts: ContextBound,
    /// Set from outside to end early.
    pub stop: Arc<AtomicBool>,
}

impl CheckOptions {
    /// The context switches to follow.
    pub(crate) fn contexts(&self) -> ContextBound {
        match (self.method, self.contexts) {
            // Where nothing bounds them there are many contexts, of which the first interleavings leave most empty.
            (Method::Widen, ContextBound::None) => ContextBound::Auto,
            (method, contexts) if method.bounds_contexts() => contexts,
            _ => ContextBound::None,
        }
    }

    pub(crate) fn is_known(&self, found: &Identity) -> bool {
        self.known.iter().any(|known| known.covers(found))
    }
}

/// What is being done, for a progress line.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Progress {
    pub bound: u32,
    /// The bound on context switches that is worked at, if there is one.
    pub contexts: Option<u32>,
    pub statistics: Statistics,
    /// What is known so far, whatever becomes of the rest.
    pub known: Option<KnownVerdict>,
    /// Or why nothing is known, if that is not for lack of time.
    pub reason: Option<UnknownReason>,
    /// What is known of parts of the question.
    pub shown: Shown,
}

/// The parts of the question are asked one after the other: what is known of each.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Shown(pub Vec<(Checks, KnownVerdict)>);

impl Shown {
    pub(crate) fn add(&mut self, checks: Checks, known: Option<&KnownVerdict>) {
        let Some(known) = known.filter(|_| checks != Checks::NONE) else { return };
        self.0.retain(|part| part.0 != checks);
        self.0.push((checks, known.clone()));
    }
}

/// Threads that wait for ever.
pub(crate) const WAITING: Checks = Checks::NONE.with(Property::Deadlock).with(Property::Stuck);

pub(crate) const RACES: Checks = Checks::NONE.with(Property::Race);

/// A verdict that further work can only improve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnownVerdict {
    Safe,
    WithinBounds { within: Within, loops: Vec<PlaceId> },
}

impl From<KnownVerdict> for CheckVerdict {
    fn from(known: KnownVerdict) -> CheckVerdict {
        match known {
            KnownVerdict::Safe => CheckVerdict::Safe,
            KnownVerdict::WithinBounds { within, loops } => CheckVerdict::WithinBounds { within, loops },
        }
    }
}

/// A run should have ended with this violation by these threads, and ended otherwise.
#[derive(Clone, PartialEq, Debug)]
pub struct NotReplayed {
    pub property: Property,
    pub threads: Vec<ThreadNumber>,
    pub end: Box<End>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum UnknownReason {
    /// Time is up, or the user has stopped it.
    Stopped,
    /// The program is too large to be followed.
    TooLarge,
    /// Something was reached that cannot be expressed.
    Gap { gap: Gap, place: PlaceId },
    /// A deadlock in loops cannot be told from one that is already known.
    BehindKnownDeadlock { place: PlaceId },
    /// A race depends on how atomic sections order weak atomics.
    OrderOfSections { place: PlaceId },
    /// A function without body and model was reached.
    Unmodelled { function: String, place: PlaceId },
    /// Undefined behaviour that is not checked for is reached, and no failure without it was found.
    Undefined { what: UndefinedBehaviour, place: PlaceId },
    /// The same, met when a counterexample was executed.
    MetUndefined { finding: Box<Finding>, place: PlaceId },
    /// No execution within the bound starts a thread: this loop has to be followed further.
    NothingReached { place: PlaceId },
    /// A failure was found, but the program does not fail in that way when it is executed.
    NotReplayed(NotReplayed),
    /// A defect of the solver or of its use.
    Fault(String),
}

impl UnknownReason {
    /// It is a defect of Threadproof and says nothing about the program.
    pub fn is_defect(&self) -> bool {
        matches!(self, UnknownReason::NotReplayed(_) | UnknownReason::Fault(_))
    }
}

pub enum CheckVerdict {
    /// The failure, executed.
    Violated {
        run: Box<Run>,
        trace: Box<Trace>,
    },
    Safe,
    /// Nothing fails within these bounds; these loops can take more iterations.
    WithinBounds {
        within: Within,
        loops: Vec<PlaceId>,
    },
    Unknown(UnknownReason),
}

pub struct CheckResult {
    pub verdict: CheckVerdict,
    /// The last bound that was checked completely.
    pub bound: Option<u32>,
    /// The last bound on context switches that was worked at, if there was one.
    pub contexts: Option<u32>,
    /// What is known of parts of the question.
    pub shown: Shown,
    /// The properties that stayed undecided, of which the verdict says nothing.
    pub open: Checks,
    /// How far executions get within the last bound.
    pub reached: Reached,
    /// Of the last bound.
    pub statistics: Statistics,
    /// The proof, if nothing fails and a certificate was asked for.
    pub certificate: Certified,
}

/// A certificate, or why there is none, where one was asked for.
pub type Certified = Option<Result<Certificate, Uncertified>>;

/// Searches for a failure.
pub fn check(program: &Program, options: &CheckOptions, progress: &mut dyn FnMut(Progress)) -> CheckResult {
    if options.certify && options.contexts() != ContextBound::None {
        return check_contexts(program, options, progress);
    }
    if !options.checks.has(Property::Race) {
        return deepen(program, options, None, Shown::default(), progress);
    }
    match tp_apart::may_race(program, &options.stop) {
        Ok(open) if open.pairs.is_empty() => without_races(program, options, progress),
        open => {
            let places = open.ok().and_then(|open| open.places);
            deepen(program, options, places.as_ref(), Shown::default(), progress)
        }
    }
}

/// With a bound on context switches. What holds without it is proved again for the certificate, by an engine that leaves
/// proofs.
fn check_contexts(
    program: &Program,
    options: &CheckOptions,
    progress: &mut dyn FnMut(Progress),
) -> CheckResult {
    let again = |certify| CheckOptions {
        certify,
        stop: options.stop.clone(),
        known: options.known.clone(),
        ..*options
    };
    let mut outcome = check(program, &again(false), progress);
    let max_bound = match outcome.verdict {
        CheckVerdict::Safe => options.max_bound,
        CheckVerdict::WithinBounds { within: Within { unwind, contexts: None }, .. } => unwind,
        // There are no certificates for some of the executions.
        CheckVerdict::WithinBounds { .. } | CheckVerdict::Violated { .. } | CheckVerdict::Unknown(_) => {
            return outcome;
        }
    };
    let proof = CheckOptions { method: Method::Order, max_bound, ..again(true) };
    let proved = check(program, &proof, &mut |_| {});
    outcome.certificate = Some(proved.certificate.unwrap_or(Err(Uncertified::Stopped)));
    outcome
}

/// No two accesses can race, whatever loops and threads do: only the other properties are checked.
fn without_races(
    program: &Program,
    options: &CheckOptions,
    progress: &mut dyn FnMut(Progress),
) -> CheckResult {
    let checks = options.checks.without(Property::Race);
    let shown = Shown(vec![(RACES, KnownVerdict::Safe)]);
    if checks == Checks::NONE {
        let (open, reached, statistics) = (Checks::NONE, Reached::default(), Statistics::default());
        if let Some(verdict) = trial::objection(program, options) {
            let (shown, bound, contexts) = (Shown::default(), None, None);
            return CheckResult {
                verdict,
                bound,
                contexts,
                shown,
                open,
                reached,
                statistics,
                certificate: None,
            };
        }
        let verdict = CheckVerdict::Safe;
        let certificate = options.certify.then(|| {
            let parts = race_parts(program, options)?;
            Ok(Certificate { verdict: "safe".to_owned(), parts, ..Certificate::default() })
        });
        let (bound, contexts) = (None, None);
        return CheckResult { verdict, bound, contexts, shown, open, reached, statistics, certificate };
    }
    let options =
        CheckOptions { checks, stop: options.stop.clone(), known: options.known.clone(), ..*options };
    let mut outcome = deepen(program, &options, None, shown, progress);
    if let Some(Ok(certificate)) = &mut outcome.certificate {
        match race_parts(program, &options) {
            Ok(parts) => certificate.parts.extend(parts),
            Err(why) => outcome.certificate = Some(Err(why)),
        }
    }
    outcome
}

/// The parts of a certificate for race freedom, which the analysis has shown: its facts, or a proof by the solver where
/// the facts are not enough for the checker.
fn race_parts(program: &Program, options: &CheckOptions) -> Result<Vec<Part>, Uncertified> {
    match certify_races(program, &options.stop) {
        Err(Uncertified::NotSimple) => {}
        part => return Ok(vec![part?]),
    }
    let options = CheckOptions { checks: RACES, stop: options.stop.clone(), known: Vec::new(), ..*options };
    let outcome = deepen(program, &options, None, Shown::default(), &mut |_| {});
    match (outcome.verdict, outcome.certificate) {
        (CheckVerdict::Safe, Some(certificate)) => Ok(certificate?.parts),
        _ => Err(Uncertified::NotSimple),
    }
}

/// `places`: the places of accesses that may race, if known.
fn deepen(
    program: &Program,
    options: &CheckOptions,
    places: Option<&BTreeSet<PlaceId>>,
    mut shown: Shown,
    progress: &mut dyn FnMut(Progress),
) -> CheckResult {
    let mut statistics = Statistics::default();
    let mut complete: Option<(u32, Passed, Certified)> = None;
    let mut unfolder = Unfolder::new(program);
    let asked = Asked { program, options, places, switches: None };
    let (mut bound, mut alone) = (1, 1);
    let mut contexts = None;
    let (mut open, mut reached) = (Checks::NONE, Reached::default());
    let (verdict, bound, certificate) = loop {
        let known = complete.as_ref().and_then(|(bound, passed, _)| passed.known(*bound));
        let reason = complete.as_ref().and_then(|(_, passed, _)| passed.reason());
        let mut tell = |now: &Now<'_>| {
            contexts = now.contexts;
            let known = now.known.or(known.as_ref()).cloned();
            let (statistics, shown, reason) = (*now.statistics, now.shown.clone(), reason.clone());
            progress(Progress { bound, contexts, statistics, known, reason, shown });
        };
        tell(&Now { contexts: None, statistics: &statistics, shown: &shown, known: None });
        let so_far =
            SoFar { statistics: &mut statistics, shown: &mut shown, open: &mut open, reached: &mut reached };
        let (step, certificate) = check_bound(asked, &mut unfolder, (bound, alone), so_far, &mut tell);
        match step {
            BoundResult::Done(CheckVerdict::Unknown(reason)) => {
                let complete_bound = complete.as_ref().map(|c| c.0);
                let (verdict, certificate) = match complete {
                    Some((bound, passed, certificate)) if is_budget(&reason) => {
                        (passed.verdict(bound), certificate)
                    }
                    _ => (CheckVerdict::Unknown(reason), None),
                };
                break (verdict, complete_bound, certificate);
            }
            BoundResult::Done(verdict) => break (verdict, Some(bound), certificate),
            // Loops before the first thread starts are followed further, whatever the bound.
            BoundResult::More(passed) if !passed.reaches_threads && alone < MOST_ALONE => {
                alone = alone.max(bound).saturating_mul(4);
                complete = Some((bound, passed, certificate));
                continue;
            }
            BoundResult::More(passed) => {
                let is_last = options.max_bound.is_some_and(|max| bound >= max) || passed.loops.is_empty();
                if is_last {
                    break (passed.verdict(bound), Some(bound), certificate);
                }
                // Fewer iterations and all switches are more than some switches when time has run out.
                let is_more = |(old, before, _): &(u32, Passed, _)| {
                    before.within(*old).rank() <= passed.within(bound).rank()
                };
                if complete.as_ref().is_none_or(is_more) {
                    complete = Some((bound, passed, certificate));
                }
            }
        }
        bound = options.max_bound.map_or(after(bound), |max| after(bound).min(max));
    };
    CheckResult { verdict, bound, contexts, shown, open, reached, statistics, certificate }
}

/// How far loops before the first thread starts are followed, if no thread is reached with fewer iterations.
const MOST_ALONE: u32 = 4096;

/// Running out of time or size keeps the result of the bound before.
pub(crate) fn is_budget(reason: &UnknownReason) -> bool {
    matches!(reason, UnknownReason::Stopped | UnknownReason::TooLarge)
}

/// Bounds grow slowly at first: most failures need few iterations, and each bound costs an unfolding.
fn after(bound: u32) -> u32 {
    if bound < 4 { bound + 1 } else { bound.saturating_add(bound / 2) }
}
