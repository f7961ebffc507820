//! The whole question: is there an execution that fails? Loops are followed deeper and deeper until there is an answer.

use crate::engine::{Answer, Engine, Method, Statistics, Unknown};
use crate::replay::{Replayed, replay};
use crate::witness::witness;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_ir::{Checks, PlaceId, Program};
use tp_machine::{Run, Trace};
use tp_solver::Term;
use tp_unfold::{Config, Limit, LimitKind, Refusal, Unfolded, unfold};

pub struct Options {
    pub method: Method,
    pub checks: Checks,
    /// Rounds of loops to follow at most; `None`: as many as there is time for.
    pub max_bound: Option<u32>,
    /// Instructions to execute symbolically at most, for one bound.
    pub max_instructions: u64,
    /// Set from outside to end early.
    pub stop: Arc<AtomicBool>,
}

/// What is being done, for a progress line.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Progress {
    pub bound: u32,
    pub statistics: Statistics,
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
    /// Before a failure can happen the program does something undefined that was not to be checked.
    Undefined { message: String, place: PlaceId },
    /// A failure was found, and the program does not fail in that way when it is executed.
    NotReplayed { expected: String, happened: String },
    /// A defect of the solver or of its use.
    Fault(String),
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
    /// Of the last bound.
    pub statistics: Statistics,
}

/// What one bound has shown.
enum Step {
    Done(Verdict),
    /// Nothing fails; these loops want more, and this stands in the way of more.
    More {
        loops: Vec<PlaceId>,
        gap: Option<Reason>,
    },
}

/// Looks for a failure.
pub fn check(program: &Program, options: &Options, progress: &mut dyn FnMut(Progress)) -> Outcome {
    let mut statistics = Statistics::default();
    let mut complete: Option<(u32, Vec<PlaceId>, Option<Reason>)> = None;
    let mut bound = 1;
    loop {
        progress(Progress { bound, statistics });
        match check_bound(program, options, bound, &mut statistics) {
            Step::Done(Verdict::Unknown(reason)) => {
                let complete_bound = complete.as_ref().map(|c| c.0);
                let verdict = match complete {
                    Some((bound, loops, None)) if is_budget(&reason) => {
                        Verdict::WithinBounds { bound, loops }
                    }
                    Some((_, _, Some(gap))) if is_budget(&reason) => Verdict::Unknown(gap),
                    _ => Verdict::Unknown(reason),
                };
                return Outcome { verdict, bound: complete_bound, statistics };
            }
            Step::Done(verdict) => return Outcome { verdict, bound: Some(bound), statistics },
            Step::More { loops, gap } => {
                let is_last = options.max_bound.is_some_and(|max| bound >= max) || loops.is_empty();
                if is_last {
                    let verdict = match gap {
                        Some(reason) => Verdict::Unknown(reason),
                        None => Verdict::WithinBounds { bound, loops },
                    };
                    return Outcome { verdict, bound: Some(bound), statistics };
                }
                complete = Some((bound, loops, gap));
            }
        }
        bound = options.max_bound.map_or(after(bound), |max| after(bound).min(max));
    }
}

/// Running out of time or room leaves what was shown before as it is.
fn is_budget(reason: &Reason) -> bool {
    matches!(reason, Reason::Stopped | Reason::TooLarge)
}

/// Bounds grow slowly at first: most failures need few rounds, and each costs a new unfolding.
fn after(bound: u32) -> u32 {
    if bound < 4 { bound + 1 } else { bound + bound / 2 }
}

fn check_bound(program: &Program, options: &Options, bound: u32, statistics: &mut Statistics) -> Step {
    let config = Config {
        bound,
        checks: options.checks,
        max_instructions: options.max_instructions,
        stop: &options.stop,
    };
    let mut unfolded = match unfold(program, &config) {
        Ok(unfolded) => unfolded,
        Err(refusal) => return Step::Done(Verdict::Unknown(refused(refusal))),
    };
    let goal = any(&mut unfolded, |u| u.claims.iter().map(|c| c.fails).collect());
    let mut engine = Engine::new(options.method, &mut unfolded, options.stop.clone());
    let answer = engine.ask(&unfolded, goal);
    *statistics = engine.statistics();
    match answer {
        Answer::No => limits(&mut unfolded, &mut engine),
        Answer::Execution { mut model, order } => {
            let failed = unfolded.claims.iter().find(|c| model.holds(&unfolded.terms, c.fails)).cloned();
            let Some(claim) = failed else {
                return Step::Done(Verdict::Unknown(Reason::Fault("a model without a failure".into())));
            };
            let witness = witness(&unfolded, &claim, &mut model, &order);
            Step::Done(match replay(program, options, &unfolded, &claim, &witness) {
                Replayed::Fails(run) => {
                    let trace = Box::new(run.trace.clone());
                    Verdict::Violated { run, trace }
                }
                Replayed::Differs { expected, happened } => {
                    let guess = unfolded.guesses.iter().find(|g| model.holds(&unfolded.terms, g.guard));
                    Verdict::Unknown(match guess {
                        Some(guess) => Reason::Gap { what: guess.what.clone(), place: guess.place },
                        None => Reason::NotReplayed { expected, happened },
                    })
                }
                Replayed::Undefined { message, place } => {
                    Verdict::Unknown(Reason::Undefined { message, place: place.unwrap_or(claim.place) })
                }
                Replayed::Stopped => Verdict::Unknown(Reason::Stopped),
            })
        }
        Answer::Unknown(Unknown::Stopped) => Step::Done(Verdict::Unknown(Reason::Stopped)),
        Answer::Fault(fault) => Step::Done(Verdict::Unknown(Reason::Fault(fault.to_string()))),
    }
}

fn refused(refusal: Refusal) -> Reason {
    match refusal {
        Refusal::Stopped => Reason::Stopped,
        Refusal::TooLarge => Reason::TooLarge,
    }
}

fn any(unfolded: &mut Unfolded, of: impl Fn(&Unfolded) -> Vec<Term>) -> Term {
    let terms = of(unfolded);
    let nothing = unfolded.terms.bool(false);
    terms.into_iter().fold(nothing, |any, t| unfolded.terms.or(any, t))
}

/// Nothing fails as far as the program was followed: where could it have been followed further?
fn limits(unfolded: &mut Unfolded, engine: &mut Engine) -> Step {
    let mut loops = Vec::new();
    let mut gap = None;
    let limits = std::mem::take(&mut unfolded.limits);
    let is_loop = |l: &&Limit| l.kind == LimitKind::Loop;
    for limit in limits.iter().filter(|l| !is_loop(l)) {
        if gap.is_some() {
            break;
        }
        match engine.ask(unfolded, limit.reached) {
            Answer::No => {}
            Answer::Execution { .. } => gap = Some(reason(limit)),
            Answer::Unknown(_) => return Step::Done(Verdict::Unknown(Reason::Stopped)),
            Answer::Fault(fault) => return Step::Done(Verdict::Unknown(Reason::Fault(fault.to_string()))),
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
    Step::More { loops, gap }
}

fn reason(limit: &Limit) -> Reason {
    let place = limit.place;
    match &limit.kind {
        LimitKind::Unmodelled(function) => Reason::Unmodelled { function: function.clone(), place },
        LimitKind::Gap(what) => Reason::Gap { what: what.clone(), place },
        LimitKind::Loop => Reason::Gap { what: "a loop".into(), place },
    }
}
