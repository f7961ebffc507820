//! How far a proof goes: where the unfolding stopped, and whether an execution can get there.

use crate::check::{CheckOptions, CheckVerdict, KnownVerdict, UnknownReason};
use crate::engine::{Answer, GraphSolver};
use crate::find::any;
use tp_events::{Limit, LimitKind, Query};
use tp_ir::{Checks, FuncId, Origin, PlaceId, Program};
use tp_machine::Within;

/// How far executions get.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// The program can start threads, but no execution does.
    pub no_threads: bool,
    /// The user's functions that no path enters.
    pub not_entered: Vec<FuncId>,
}

/// What one bound has shown.
pub(crate) enum BoundResult {
    Done(CheckVerdict),
    More(Passed),
}

/// Nothing fails within a bound; these loops go on beyond it, and `gap` is another limit that can be reached.
pub(crate) struct Passed {
    pub loops: Vec<PlaceId>,
    pub gap: Option<UnknownReason>,
    /// Some execution starts a thread, if the program can.
    pub reaches_threads: bool,
}

impl Passed {
    pub fn known(&self, bound: u32) -> Option<KnownVerdict> {
        self.reason()
            .is_none()
            .then(|| KnownVerdict::WithinBounds { within: Within::unwind(bound), loops: self.loops.clone() })
    }

    pub fn verdict(self, bound: u32) -> CheckVerdict {
        match self.reason() {
            Some(reason) => CheckVerdict::Unknown(reason),
            None => CheckVerdict::WithinBounds { within: Within::unwind(bound), loops: self.loops },
        }
    }

    /// Why it is not known that nothing fails within the bound.
    pub fn reason(&self) -> Option<UnknownReason> {
        let in_the_way = self.loops.first().filter(|_| !self.reaches_threads);
        self.gap.clone().or_else(|| in_the_way.map(|&place| UnknownReason::NothingReached { place }))
    }
}

/// How far executions get: a proof about executions that never start a thread says little.
pub(crate) fn find_reached(
    program: &Program,
    query: &mut Query<'_>,
    engine: &mut GraphSolver,
) -> Result<Reached, UnknownReason> {
    let users = program.functions.iter().filter(|(_, f)| f.origin == Origin::User && f.body.is_some());
    let not_entered = users.map(|(id, _)| id).filter(|id| !query.graph().entered().contains(id)).collect();
    let graph = query.graph();
    let goal = any(&mut query.terms, graph.started().iter().map(|s| s.guard));
    let no_threads = program.starts_threads()
        && match query.terms.as_const(goal) {
            Some(always) => always == 0,
            None => match engine.ask(query, goal) {
                Answer::No => true,
                Answer::Execution { .. } => false,
                Answer::Unknown(_) => return Err(UnknownReason::Stopped),
                Answer::Fault(fault) => return Err(UnknownReason::Fault(fault.to_string())),
            },
        };
    Ok(Reached { no_threads, not_entered })
}

/// Nothing fails as far as the program was followed: which limits can be reached?
pub(crate) fn go_further(
    options: &CheckOptions,
    query: &mut Query<'_>,
    engine: &mut GraphSolver,
    left_open: &mut Checks,
    reached: &Reached,
) -> BoundResult {
    let mut loops = Vec::new();
    let limits = query.graph().limits();
    let is_loop = |l: &&Limit| l.kind == LimitKind::Loop;
    let may_stay_open = |l: &Limit| match l.kind {
        LimitKind::Open(property, _) => Some(property).filter(|p| options.may_stay_open.has(*p)),
        _ => None,
    };
    for limit in limits {
        let Some(property) = may_stay_open(limit).filter(|p| !left_open.has(*p)) else { continue };
        match engine.ask(query, limit.reached) {
            Answer::No => {}
            Answer::Execution { .. } => *left_open = left_open.with(property),
            Answer::Unknown(_) => return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Stopped)),
            Answer::Fault(fault) => {
                return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Fault(fault.to_string())));
            }
        }
    }
    // One question for all other limits.
    let gaps: Vec<&Limit> = limits.iter().filter(|l| !is_loop(l) && may_stay_open(l).is_none()).collect();
    let goal = any(&mut query.terms, gaps.iter().map(|l| l.reached));
    let gap = match engine.ask(query, goal) {
        Answer::No => None,
        Answer::Execution { mut model, .. } => {
            match gaps.iter().find(|l| model.holds(&query.terms, l.reached)).and_then(|l| reason(l)) {
                Some(reason) => Some(reason),
                None => {
                    return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Fault(
                        "a model without a gap".into(),
                    )));
                }
            }
        }
        Answer::Unknown(_) => return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Stopped)),
        Answer::Fault(fault) => {
            return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Fault(fault.to_string())));
        }
    };
    // One question for all loops that are not yet known to go on, until no more are found.
    loop {
        let open: Vec<&Limit> = limits.iter().filter(is_loop).filter(|l| !loops.contains(&l.place)).collect();
        let goal = any(&mut query.terms, open.iter().map(|l| l.reached));
        match engine.ask(query, goal) {
            Answer::No => break,
            Answer::Execution { mut model, .. } => {
                let before = loops.len();
                for limit in open {
                    if model.holds(&query.terms, limit.reached) && !loops.contains(&limit.place) {
                        loops.push(limit.place);
                    }
                }
                if loops.len() == before {
                    return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Fault(
                        "a model without a loop".into(),
                    )));
                }
            }
            Answer::Unknown(_) if loops.is_empty() => {
                return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Stopped));
            }
            Answer::Unknown(_) => break,
            Answer::Fault(fault) => {
                return BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Fault(fault.to_string())));
            }
        }
    }
    if loops.is_empty() && gap.is_none() {
        return BoundResult::Done(CheckVerdict::Safe);
    }
    loops.sort();
    BoundResult::More(Passed { loops, gap, reaches_threads: !reached.no_threads })
}

/// Why there is no answer if this limit is reached; a loop is no reason.
fn reason(limit: &Limit) -> Option<UnknownReason> {
    let place = limit.place;
    Some(match &limit.kind {
        LimitKind::Unmodelled(function) => UnknownReason::Unmodelled { function: function.clone(), place },
        LimitKind::Undefined(what) => UnknownReason::Undefined { what: *what, place },
        LimitKind::Gap(gap) | LimitKind::Open(_, gap) => UnknownReason::Gap { gap: gap.clone(), place },
        LimitKind::Loop => return None,
    })
}
