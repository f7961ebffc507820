//! How far a proof goes: where the unfolding stopped, and whether an execution can get there.

use crate::check::{CheckOptions, CheckVerdict, KnownVerdict, UnknownReason};
use crate::counted::{Counted, Covered, covered};
use crate::engine::{Answer, GraphSolver};
use crate::find::any;
use tp_events::{Limit, LimitKind, Query};
use tp_ir::{Checks, FuncId, Origin, PlaceId, Program};
use tp_machine::Within;
use tp_terms::Term;

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
    /// The context switches that were followed, if there may be more.
    pub contexts: Option<u32>,
}

impl BoundResult {
    pub fn known(&self, bound: u32) -> Option<KnownVerdict> {
        match self {
            BoundResult::Done(CheckVerdict::Safe) => Some(KnownVerdict::Safe),
            BoundResult::Done(_) => None,
            BoundResult::More(passed) => passed.known(bound),
        }
    }

    /// The result, once it is known whether some executions have more context switches.
    pub fn about_all(
        self,
        query: &Query<'_>,
        engine: &mut GraphSolver,
        switches: Option<u32>,
    ) -> BoundResult {
        if !matches!(self, BoundResult::Done(CheckVerdict::Safe) | BoundResult::More(_)) {
            return self;
        }
        match covered(query, engine, switches) {
            Ok(covered) => self.about(covered),
            Err(verdict) => BoundResult::Done(verdict),
        }
    }

    /// The result if the proof covers only some executions.
    pub fn about(self, covered: Covered) -> BoundResult {
        let Covered::Within(switches) = covered else { return self };
        let contexts = Some(switches);
        match self {
            BoundResult::Done(CheckVerdict::Safe) => {
                BoundResult::More(Passed { loops: Vec::new(), gap: None, reaches_threads: true, contexts })
            }
            BoundResult::More(passed) => BoundResult::More(Passed { contexts, ..passed }),
            done => done,
        }
    }
}

impl Passed {
    pub fn known(&self, bound: u32) -> Option<KnownVerdict> {
        let within = self.within(bound);
        self.reason().is_none().then(|| KnownVerdict::WithinBounds { within, loops: self.loops.clone() })
    }

    /// The bounds that this rests on.
    pub fn within(&self, bound: u32) -> Within {
        let is_unwound = !self.loops.is_empty() || self.contexts.is_none();
        Within { unwind: is_unwound.then_some(bound), contexts: self.contexts }
    }

    pub fn verdict(self, bound: u32) -> CheckVerdict {
        match self.reason() {
            Some(reason) => CheckVerdict::Unknown(reason),
            None => CheckVerdict::WithinBounds { within: self.within(bound), loops: self.loops },
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
    (query, engine, counted): (&mut Query<'_>, &mut GraphSolver, &Counted),
) -> Result<Reached, UnknownReason> {
    let users = program.functions.iter().filter(|(_, f)| f.origin == Origin::User && f.body.is_some());
    let not_entered = users.map(|(id, _)| id).filter(|id| !query.graph().entered().contains(id)).collect();
    let graph = query.graph();
    let started = graph.started().iter().map(|s| counted.with(query, s.node, s.guard));
    let started: Vec<Term> = started.collect();
    let goal = any(&mut query.terms, started.into_iter());
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
    (query, engine, counted): (&mut Query<'_>, &mut GraphSolver, &Counted),
    left_open: &mut Checks,
    reached: &Reached,
) -> BoundResult {
    let mut loops = Vec::new();
    let mut limits = query.graph().limits().to_vec();
    limits.iter_mut().for_each(|limit| limit.reached = counted.with(query, limit.node, limit.reached));
    let is_loop = |l: &&Limit| l.kind == LimitKind::Loop;
    let may_stay_open = |l: &Limit| match l.kind {
        LimitKind::Open(property, _) => Some(property).filter(|p| options.may_stay_open.has(*p)),
        _ => None,
    };
    for limit in &limits {
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
    BoundResult::More(Passed { loops, gap, reaches_threads: !reached.no_threads, contexts: None })
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
