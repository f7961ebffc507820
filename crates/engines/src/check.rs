//! The whole question: is there an execution that fails? Loops are followed deeper and deeper until there is an answer.

use crate::certify::{Uncertified, certify, certify_races};
use crate::engine::{Answer, Engine, Method, Statistics};
use crate::find::{any, find_deadlock, find_failure, find_race, open_claims};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_certify::Certificate;
use tp_ir::{Checks, PlaceId, Program, Property};
use tp_machine::{Identity, Run, Trace};
use tp_unfold::{Config, Limit, LimitKind, Refusal, Unfolded, Unfolder};

pub struct Options {
    pub method: Method,
    pub checks: Checks,
    /// Rounds of loops to follow at most; `None`: as many as there is time for.
    pub max_bound: Option<u32>,
    /// Instructions to execute symbolically at most, for one bound.
    pub max_instructions: u64,
    /// Leave a certificate when nothing fails.
    pub certify: bool,
    /// Where it is not known whether one of these happens, the rest has its verdict all the same.
    pub may_stay_open: Checks,
    /// Findings that are known already: others are looked for.
    pub known: Vec<Identity>,
    /// Set from outside to end early.
    pub stop: Arc<AtomicBool>,
}

impl Options {
    pub(crate) fn is_known(&self, found: &Identity) -> bool {
        self.known.iter().any(|known| known.covers(found))
    }
}

/// What is being done, for a progress line.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Progress {
    pub bound: u32,
    pub statistics: Statistics,
    /// What is known so far, whatever becomes of the rest.
    pub known: Option<Known>,
    /// What is known of parts of the question.
    pub shown: Shown,
}

/// The parts of the question are asked one after the other: what is known of each.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Shown(pub Vec<(Checks, Known)>);

impl Shown {
    fn add(&mut self, checks: Checks, known: Option<&Known>) {
        let Some(known) = known.filter(|_| checks != Checks::NONE) else { return };
        self.0.retain(|part| part.0 != checks);
        self.0.push((checks, known.clone()));
    }
}

/// Threads that wait for ever.
const WAITING: Checks = Checks::NONE.with(Property::Deadlock).with(Property::Stuck);

const RACES: Checks = Checks::NONE.with(Property::Race);

/// A verdict that further work makes better or does not change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    Safe,
    WithinBounds { bound: u32, loops: Vec<PlaceId> },
}

impl From<Known> for Verdict {
    fn from(known: Known) -> Verdict {
        match known {
            Known::Safe => Verdict::Safe,
            Known::WithinBounds { bound, loops } => Verdict::WithinBounds { bound, loops },
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Time is up, or the user has stopped it.
    Stopped,
    /// The program is too large to be followed.
    TooLarge,
    /// Something was reached that cannot be expressed.
    Gap { what: String, place: PlaceId },
    /// A function without body and model was reached.
    Unmodelled { function: String, place: PlaceId },
    /// The program does something undefined that is not checked, before it can fail or where it does not fail otherwise.
    Undefined { message: String, place: PlaceId },
    /// A failure was found, and the program does not fail in that way when it is executed.
    NotReplayed { expected: String, happened: String },
    /// A defect of the solver or of its use.
    Fault(String),
}

impl Reason {
    /// It says something about us and not about the program.
    pub fn is_defect(&self) -> bool {
        matches!(self, Reason::NotReplayed { .. } | Reason::Fault(_))
    }
}

pub enum Verdict {
    /// The failure, executed.
    Violated {
        run: Box<Run>,
        trace: Box<Trace>,
    },
    Safe,
    /// Nothing fails while no loop goes round more often than this; these want to.
    WithinBounds {
        bound: u32,
        loops: Vec<PlaceId>,
    },
    Unknown(Reason),
}

pub struct Outcome {
    pub verdict: Verdict,
    /// The last bound that was checked completely.
    pub bound: Option<u32>,
    /// What is known of parts of the question.
    pub shown: Shown,
    /// Those that have stayed open, of which the verdict says nothing.
    pub open: Checks,
    /// Of the last bound.
    pub statistics: Statistics,
    /// Why nothing fails, if that is the verdict and it was asked for.
    pub certificate: Certified,
}

/// What one bound has shown.
enum Step {
    Done(Verdict),
    More(Passed),
}

/// Nothing fails up to a bound; these loops want more, and this stands in the way of more.
struct Passed {
    loops: Vec<PlaceId>,
    gap: Option<Reason>,
}

impl Passed {
    fn known(&self, bound: u32) -> Option<Known> {
        self.gap.is_none().then(|| Known::WithinBounds { bound, loops: self.loops.clone() })
    }

    fn verdict(self, bound: u32) -> Verdict {
        match self.gap {
            Some(reason) => Verdict::Unknown(reason),
            None => Verdict::WithinBounds { bound, loops: self.loops },
        }
    }
}

/// A certificate, or why there is none, where one was asked for.
pub type Certified = Option<Result<Certificate, Uncertified>>;

/// Looks for a failure.
pub fn check(program: &Program, options: &Options, progress: &mut dyn FnMut(Progress)) -> Outcome {
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

/// No two accesses can race, whatever loops and threads do: only what else is asked for is looked for.
fn without_races(program: &Program, options: &Options, progress: &mut dyn FnMut(Progress)) -> Outcome {
    let checks = options.checks.without(Property::Race);
    let shown = Shown(vec![(RACES, Known::Safe)]);
    if checks == Checks::NONE {
        let (verdict, statistics) = (Verdict::Safe, Statistics::default());
        let open = Checks::NONE;
        let certificate = options.certify.then(|| certify_races(program, &options.stop));
        return Outcome { verdict, bound: None, shown, open, statistics, certificate };
    }
    let options = Options { checks, stop: options.stop.clone(), known: options.known.clone(), ..*options };
    let outcome = deepen(program, &options, None, shown, progress);
    // What is certified says nothing of races.
    Outcome { certificate: None, ..outcome }
}

/// `places`: where accesses are that may race, if that is known.
fn deepen(
    program: &Program,
    options: &Options,
    places: Option<&BTreeSet<PlaceId>>,
    mut shown: Shown,
    progress: &mut dyn FnMut(Progress),
) -> Outcome {
    let mut statistics = Statistics::default();
    let mut complete: Option<(u32, Passed, Certified)> = None;
    let mut unfolder = Unfolder::new(program);
    let mut bound = 1;
    let mut open = Checks::NONE;
    loop {
        let known = complete.as_ref().and_then(|(bound, passed, _)| passed.known(*bound));
        let mut tell = |statistics: &Statistics, shown: &Shown, now: Option<&Known>| {
            let known = now.or(known.as_ref()).cloned();
            progress(Progress { bound, statistics: *statistics, known, shown: shown.clone() });
        };
        tell(&statistics, &shown, None);
        let so_far = (&mut statistics, &mut shown, &mut open);
        let (step, certificate) =
            check_bound(program, &mut unfolder, options, places, bound, so_far, &mut tell);
        match step {
            Step::Done(Verdict::Unknown(reason)) => {
                let complete_bound = complete.as_ref().map(|c| c.0);
                let (verdict, certificate) = match complete {
                    Some((bound, passed, certificate)) if is_budget(&reason) => {
                        (passed.verdict(bound), certificate)
                    }
                    _ => (Verdict::Unknown(reason), None),
                };
                return Outcome { verdict, bound: complete_bound, shown, open, statistics, certificate };
            }
            Step::Done(verdict) => {
                return Outcome { verdict, bound: Some(bound), shown, open, statistics, certificate };
            }
            Step::More(passed) => {
                let is_last = options.max_bound.is_some_and(|max| bound >= max) || passed.loops.is_empty();
                if is_last {
                    let verdict = passed.verdict(bound);
                    return Outcome { verdict, bound: Some(bound), shown, open, statistics, certificate };
                }
                complete = Some((bound, passed, certificate));
            }
        }
        bound = options.max_bound.map_or(after(bound), |max| after(bound).min(max));
    }
}

/// Running out of time or room leaves what was shown before as it is.
fn is_budget(reason: &Reason) -> bool {
    matches!(reason, Reason::Stopped | Reason::TooLarge)
}

/// Bounds grow slowly at first: most failures need few rounds, and each costs an unfolding.
fn after(bound: u32) -> u32 {
    if bound < 4 { bound + 1 } else { bound.saturating_add(bound / 2) }
}

fn check_bound(
    program: &Program,
    unfolder: &mut Unfolder<'_>,
    options: &Options,
    places: Option<&BTreeSet<PlaceId>>,
    bound: u32,
    (statistics, shown, left_open): (&mut Statistics, &mut Shown, &mut Checks),
    tell: &mut dyn FnMut(&Statistics, &Shown, Option<&Known>),
) -> (Step, Certified) {
    let config = Config {
        bound,
        checks: options.checks,
        max_instructions: options.max_instructions,
        stop: &options.stop,
    };
    let mut unfolded = match unfolder.unfold(&config) {
        Ok(unfolded) => unfolded,
        Err(refusal) => return (Step::Done(Verdict::Unknown(refused(refusal))), None),
    };
    let open = open_claims(program, options, &unfolded);
    let goal = any(&mut unfolded, |u| open.iter().map(|&i| u.claims[i].fails).collect());
    let mut engine = match options.method {
        Method::Order if options.certify => Engine::certifying(&mut unfolded, options.stop.clone()),
        method => Engine::new(method, &mut unfolded, options.stop.clone()),
    };
    let step = match find_failure(program, options, (&mut unfolded, &mut engine), (open, goal)) {
        None => go_further(options, &mut unfolded, &mut engine, left_open),
        Some(verdict) => Step::Done(verdict),
    };
    // Whether something limits the answer can take more than the answer.
    *statistics = engine.statistics();
    let known = match &step {
        Step::Done(Verdict::Safe) => Some(Known::Safe),
        Step::Done(_) => None,
        Step::More(passed) => passed.known(bound),
    };
    let claimed = options.checks.minus(WAITING).minus(RACES);
    shown.add(claimed.minus(*left_open), known.as_ref());
    tell(statistics, shown, None);
    if claimed != options.checks && matches!(step, Step::Done(Verdict::Safe) | Step::More(_)) {
        drop(engine);
        if let Some(found) = find_deadlock(program, options, &unfolded, statistics) {
            return (Step::Done(found), None);
        }
        shown.add(options.checks.both(WAITING), known.as_ref());
        tell(statistics, shown, None);
        let found = find_race(program, options, places, unfolded, statistics);
        if found.is_none() {
            shown.add(options.checks.both(RACES), known.as_ref());
        }
        return (found.map_or(step, Step::Done), None);
    }
    let certificate = known.filter(|_| options.certify).map(|known| {
        tell(statistics, shown, Some(&known));
        certify(program, options, &mut unfolded, engine, &known)
    });
    (step, certificate)
}

fn refused(refusal: Refusal) -> Reason {
    match refusal {
        Refusal::Stopped => Reason::Stopped,
        Refusal::TooLarge => Reason::TooLarge,
    }
}

/// Nothing fails as far as the program was followed: where could it have been followed further?
fn go_further(
    options: &Options,
    unfolded: &mut Unfolded,
    engine: &mut Engine,
    left_open: &mut Checks,
) -> Step {
    let mut loops = Vec::new();
    let mut gap = None;
    let limits = unfolded.limits.clone();
    let is_loop = |l: &&Limit| l.kind == LimitKind::Loop;
    for limit in limits.iter().filter(|l| !is_loop(l)) {
        let may_stay_open = match limit.kind {
            LimitKind::Open(property, _) => Some(property).filter(|p| options.may_stay_open.has(*p)),
            _ => None,
        };
        if may_stay_open.map_or(gap.is_some(), |property| left_open.has(property)) {
            continue;
        }
        match (engine.ask(unfolded, limit.reached), may_stay_open) {
            (Answer::No, _) => {}
            (Answer::Execution { .. }, Some(property)) => *left_open = left_open.with(property),
            (Answer::Execution { .. }, None) => gap = Some(reason(limit)),
            (Answer::Unknown(_), _) => return Step::Done(Verdict::Unknown(Reason::Stopped)),
            (Answer::Fault(fault), _) => {
                return Step::Done(Verdict::Unknown(Reason::Fault(fault.to_string())));
            }
        }
    }
    // One question for all loops; which of them it is, is asked only of those that are left.
    loop {
        let open: Vec<&Limit> = limits.iter().filter(is_loop).filter(|l| !loops.contains(&l.place)).collect();
        let goal = any(unfolded, |_| open.iter().map(|l| l.reached).collect());
        match engine.ask(unfolded, goal) {
            Answer::No => break,
            Answer::Execution { mut model, .. } => {
                let before = loops.len();
                for limit in open {
                    if model.holds(&unfolded.terms, limit.reached) && !loops.contains(&limit.place) {
                        loops.push(limit.place);
                    }
                }
                if loops.len() == before {
                    return Step::Done(Verdict::Unknown(Reason::Fault("a model without a loop".into())));
                }
            }
            Answer::Unknown(_) if loops.is_empty() => {
                return Step::Done(Verdict::Unknown(Reason::Stopped));
            }
            Answer::Unknown(_) => break,
            Answer::Fault(fault) => return Step::Done(Verdict::Unknown(Reason::Fault(fault.to_string()))),
        }
    }
    if loops.is_empty() && gap.is_none() {
        return Step::Done(Verdict::Safe);
    }
    loops.sort();
    Step::More(Passed { loops, gap })
}

fn reason(limit: &Limit) -> Reason {
    let place = limit.place;
    match &limit.kind {
        LimitKind::Unmodelled(function) => Reason::Unmodelled { function: function.clone(), place },
        &LimitKind::Undefined(message) => Reason::Undefined { message: message.into(), place },
        LimitKind::Gap(what) | LimitKind::Open(_, what) => Reason::Gap { what: what.clone(), place },
        LimitKind::Loop => Reason::Gap { what: "a loop".into(), place },
    }
}
