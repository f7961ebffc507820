//! One loop bound: the program is unfolded once, and all that is asked about it is asked of this unfolding, within one
//! bound on context switches after the other if they are bounded step by step.

use crate::certify::{self, FAILURES, FAILURES_WITHIN_BOUNDS, goals};
use crate::check::{
    Certified, CheckOptions, CheckVerdict, KnownVerdict, RACES, Shown, UnknownReason, WAITING, is_budget,
};
use crate::counted::Counted;
use crate::engine::{GraphSolver, Statistics};
use crate::find::{any_fails, find_deadlock, find_failure, find_race, open_claims};
use crate::further::{BoundResult, Reached, find_reached, go_further};
use std::collections::BTreeSet;
use tp_events::{EventGraph, Query};
use tp_ir::{Checks, PlaceId, Program};
use tp_machine::{ContextBound, End};
use tp_unfold::{Refusal, UnfoldConfig, Unfolder};

/// A program and what is asked about it.
#[derive(Copy, Clone)]
pub(crate) struct Asked<'a> {
    pub program: &'a Program,
    pub options: &'a CheckOptions,
    /// The places of accesses that may race, if known.
    pub places: Option<&'a BTreeSet<PlaceId>>,
    /// The bound on context switches.
    pub switches: Option<u32>,
}

/// Where the work is, for `Progress`.
pub(crate) struct Now<'a> {
    pub contexts: Option<u32>,
    pub statistics: &'a Statistics,
    pub shown: &'a Shown,
    /// What is known by now, if that is more than before.
    pub known: Option<&'a KnownVerdict>,
}

/// What is known when a bound begins, and grows with it.
pub(crate) struct SoFar<'a> {
    pub statistics: &'a mut Statistics,
    pub shown: &'a mut Shown,
    pub open: &'a mut Checks,
    pub reached: &'a mut Reached,
}

pub(crate) fn check_bound(
    asked: Asked<'_>,
    unfolder: &mut Unfolder<'_>,
    (bound, bound_alone): (u32, u32),
    mut so_far: SoFar<'_>,
    tell: &mut dyn FnMut(&Now<'_>),
) -> (BoundResult, Certified) {
    let Asked { options, .. } = asked;
    let config = UnfoldConfig {
        bound,
        bound_alone,
        checks: options.checks,
        max_instructions: options.max_instructions,
        stop: &options.stop,
    };
    let graph = match unfolder.unfold(&config) {
        Ok(graph) => graph,
        Err(refusal) => return (BoundResult::Done(CheckVerdict::Unknown(refused(refusal))), None),
    };
    let mut last = None;
    let mut switches = match options.contexts() {
        ContextBound::None => None,
        ContextBound::AtMost(most) => Some(most),
        ContextBound::Auto => Some(0),
    };
    loop {
        let asked = Asked { switches, ..asked };
        tell(&Now { contexts: switches, statistics: so_far.statistics, shown: so_far.shown, known: None });
        let (step, certificate) = check_contexts_of(asked, &graph, bound, &mut so_far, tell);
        let is_cut = matches!(&step, BoundResult::Done(CheckVerdict::Unknown(reason)) if is_budget(reason));
        match last.take() {
            Some(last) if is_cut => return last,
            _ => last = Some((step, certificate)),
        }
        match &last {
            Some((BoundResult::More(passed), _))
                if passed.contexts.is_some() && options.contexts() == ContextBound::Auto =>
            {
                switches = switches.map(|switches| switches.saturating_add(1));
            }
            _ => break,
        }
    }
    last.unwrap_or((BoundResult::Done(CheckVerdict::Unknown(UnknownReason::Stopped)), None))
}

/// One event graph, with one bound on context switches.
fn check_contexts_of(
    asked: Asked<'_>,
    graph: &EventGraph,
    bound: u32,
    SoFar { statistics, shown, open: left_open, reached }: &mut SoFar<'_>,
    tell: &mut dyn FnMut(&Now<'_>),
) -> (BoundResult, Certified) {
    let Asked { program, options, switches: contexts, .. } = asked;
    let mut query = Query::new(graph);
    let counted = Counted::within(&mut query, contexts);
    let open = open_claims(program, options, graph);
    let goal = any_fails(&mut query, &counted, &open);
    let mut engine = certify::engine(options, &mut query, &counted);
    let asked_of = (&mut query, &mut engine, &counted);
    let step = match find_failure(program, options, asked_of, (open.clone(), goal)) {
        Some(late) if is_late(&late) => {
            let worse = find_worse(asked, (query, engine, &counted), open, statistics);
            return (BoundResult::Done(worse.unwrap_or(late)), None);
        }
        None => match find_reached(program, (&mut query, &mut engine, &counted)) {
            Ok(now) => {
                **reached = now;
                let step = go_further(options, (&mut query, &mut engine, &counted), left_open, reached);
                step.about_all(&query, &mut engine, contexts)
            }
            Err(reason) => BoundResult::Done(CheckVerdict::Unknown(reason)),
        },
        Some(verdict) => BoundResult::Done(verdict),
    };
    // The search for limits can take more effort than that for failures.
    **statistics = engine.statistics();
    let known = step.known(bound);
    let claimed = options.checks.minus(WAITING).minus(RACES);
    shown.add(claimed.minus(**left_open), known.as_ref());
    tell(&Now { contexts, statistics, shown, known: None });
    if !matches!(step, BoundResult::Done(CheckVerdict::Safe) | BoundResult::More(_)) {
        return (step, None);
    }
    let mut proved = certify::Proved::new(options.certify && known.is_some());
    if let Some(known) = known.as_ref().filter(|_| proved.is_wanted()) {
        let goals = goals(program, options, graph, known);
        let shows = if *known == KnownVerdict::Safe { FAILURES } else { FAILURES_WITHIN_BOUNDS };
        proved.add(query, engine, goals, shows);
    } else {
        drop((query, engine));
    }
    let step = match find_deadlock(asked, graph, statistics, &mut proved) {
        Ok(covered) => step.about(covered),
        Err(found) => return (BoundResult::Done(found), None),
    };
    shown.add(options.checks.both(WAITING), step.known(bound).as_ref());
    tell(&Now { contexts, statistics, shown, known: None });
    let step = match find_race(asked, graph, statistics, &mut proved) {
        Ok(covered) => step.about(covered),
        Err(found) => return (BoundResult::Done(found), None),
    };
    let known = step.known(bound);
    shown.add(options.checks.both(RACES), known.as_ref());
    let certificate = known.and_then(|known| {
        tell(&Now { contexts, statistics, shown, known: Some(&known) });
        proved.certificate(options, &known)
    });
    (step, certificate)
}

/// The violation is memory that is not freed at the end.
fn is_late(verdict: &CheckVerdict) -> bool {
    match verdict {
        CheckVerdict::Violated { run, .. } => {
            matches!(&run.end, End::Violation(finding) if finding.property.is_late())
        }
        _ => false,
    }
}

/// A violation other than memory that is not freed, within the same bound. An inconclusive search does not count: one
/// violation is known.
fn find_worse(
    asked: Asked<'_>,
    (mut query, mut engine, counted): (Query<'_>, GraphSolver, &Counted),
    mut open: Vec<usize>,
    statistics: &mut Statistics,
) -> Option<CheckVerdict> {
    let Asked { program, options, .. } = asked;
    let is_violation = |verdict: &CheckVerdict| matches!(verdict, CheckVerdict::Violated { .. });
    let graph = query.graph();
    open.retain(|&i| !graph.claims()[i].property.is_late());
    let goal = any_fails(&mut query, counted, &open);
    let claimed = find_failure(program, options, (&mut query, &mut engine, counted), (open, goal));
    *statistics = engine.statistics();
    drop((query, engine));
    claimed
        .filter(is_violation)
        .or_else(|| {
            let proved = &mut certify::Proved::new(false);
            let waiting = find_deadlock(asked, graph, statistics, proved).err().filter(is_violation);
            waiting.or_else(|| find_race(asked, graph, statistics, proved).err())
        })
        .filter(is_violation)
}

fn refused(refusal: Refusal) -> UnknownReason {
    match refusal {
        Refusal::Stopped => UnknownReason::Stopped,
        Refusal::TooLarge => UnknownReason::TooLarge,
    }
}
