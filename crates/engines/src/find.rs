//! The search for one failure in an event graph: a claim that fails, threads that wait for ever, a race. Known failures
//! are excluded, and the machine executes what is found.

use crate::bound::Asked;
use crate::certify::{self, Proved};
use crate::check::{CheckOptions, CheckVerdict, UnknownReason, WAITING};
use crate::counted::{Counted, Covered, covered};
use crate::deadlock::Deadlocks;
use crate::engine::{Answer, GraphSolver, Statistics, Unknown};
use crate::race::{Pair, RaceKind, Races};
use crate::replay::{Replayed, replay};
use crate::witness::{witness, witness_of_deadlock, witness_of_race};
use tp_events::{Claim, EventGraph, Gap, NodeId, Query, UndefinedBehaviour};
use tp_ir::{Checks, CmpOp, PlaceId, Program, Property};
use tp_machine::{Identity, line_of};
use tp_terms::{Model, Term, Terms};

/// `Err`: threads wait for ever, or inconclusive. `Ok`: proved absent.
pub(crate) fn find_deadlock<'g>(
    Asked { program, options, switches, .. }: Asked<'_>,
    graph: &'g EventGraph,
    statistics: &mut Statistics,
    proved: &mut Proved<'g>,
) -> Result<Covered, CheckVerdict> {
    if options.checks.both(WAITING) == Checks::NONE {
        return Ok(Covered::All);
    }
    if graph.waits().is_empty() && graph.spins().is_empty() {
        proved.add_nothing(certify::WAITING, &options.stop);
        return Ok(Covered::All);
    }
    let mut query = Query::new(graph);
    let counted = Counted::within(&mut query, Deadlocks::switches(graph, switches));
    // One thread that is stuck in a loop is enough: no second one is searched for.
    let checks = match options.known.iter().any(|k| k.property == Property::Stuck) {
        true => options.checks.without(Property::Stuck),
        false => options.checks,
    };
    let Some(mut deadlocks) = Deadlocks::new(&mut query, checks, &counted) else {
        proved.add_nothing(certify::WAITING, &options.stop);
        return Ok(Covered::All);
    };
    let known = options.known.iter().filter(|k| k.property == Property::Deadlock);
    known.for_each(|known| deadlocks.exclude(program, &mut query, known));
    let mut engine = certify::engine(options, &mut query, &counted);
    let before = *statistics;
    loop {
        let answer = engine.ask(&query, deadlocks.goal);
        *statistics = before.and(&engine.statistics());
        let (mut model, order) = match execution(answer) {
            Ok(None) => {
                let covered = covered(&query, &mut engine, switches)?;
                let goals = vec![(deadlocks.goal, "some thread waits for ever".to_owned())];
                proved.add(query, engine, goals, certify::WAITING);
                return Ok(covered);
            }
            Ok(Some(execution)) => execution,
            Err(reason) => return Err(CheckVerdict::Unknown(reason)),
        };
        let threads = deadlocks.threads(&mut query, &mut model);
        // The ghost reads that order the attempts last are not part of the program.
        let reads = &query.reads()[..deadlocks.reads];
        let witness = witness_of_deadlock((&query, reads), &threads, &mut model, &order);
        match replay(program, options, graph, (Property::Deadlock, &threads), &witness) {
            // The run ends in a known failure first.
            Replayed::Known => {
                let here = deadlocks.identity(program, &query, &mut model, &threads);
                if here.lines.is_empty() {
                    // All are in loops: no line distinguishes this finding from others.
                    let place = deadlocks.place(&query, &mut model).ok_or_else(no_place)?;
                    return Err(CheckVerdict::Unknown(UnknownReason::BehindKnownDeadlock { place }));
                }
                deadlocks.exclude(program, &mut query, &here);
            }
            replayed => {
                let place = deadlocks.place(&query, &mut model).ok_or_else(no_place)?;
                return Err(verdict(&query, &mut model, replayed, place));
            }
        }
    }
}

/// The claims whose failure is not known yet.
pub(crate) fn open_claims(program: &Program, options: &CheckOptions, graph: &EventGraph) -> Vec<usize> {
    let line = |claim: &Claim| line_of(program, claim.place).into_iter().collect();
    let is_open = |claim: &Claim| !options.is_known(&Identity::new(claim.property, line(claim)));
    (0..graph.claims().len()).filter(|&i| is_open(&graph.claims()[i])).collect()
}

/// `Some`: one of the open claims can fail, or inconclusive. `None`: none can. The goal is that one fails.
///
/// If a claim can fail only after a known failure, which ends the program, the machine reaches that failure instead:
/// then this claim is excluded as well.
pub(crate) fn find_failure(
    program: &Program,
    options: &CheckOptions,
    (query, engine, counted): (&mut Query<'_>, &mut GraphSolver, &Counted),
    (mut open, mut goal): (Vec<usize>, Term),
) -> Option<CheckVerdict> {
    let mut accidental = None;
    loop {
        let (mut model, order) = match execution(engine.ask(query, goal)) {
            Ok(None) => return accidental.map(CheckVerdict::Unknown),
            Ok(Some(execution)) => execution,
            Err(reason) => return Some(CheckVerdict::Unknown(reason)),
        };
        let fails: Vec<Term> = open.iter().map(|&i| fails(query, counted, i)).collect();
        let failed = fails.into_iter().position(|fails| model.holds(&query.terms, fails));
        let Some(failed) = failed else {
            return Some(CheckVerdict::Unknown(UnknownReason::Fault("a model without a failure".into())));
        };
        let claim = query.graph().claims()[open[failed]].clone();
        let witness = witness(query, &claim, &mut model, &order);
        let end = (claim.property, &[query.nodes()[claim.node].thread][..]);
        match replay(program, options, query.graph(), end, &witness) {
            Replayed::Known => {
                open.remove(failed);
                goal = any_fails(query, counted, &open);
                if accidental.is_some() {
                    goal = without_accidental(query, goal);
                }
            }
            // In the machine, an unwritten value that equals the address of an object is a valid pointer. There may be
            // failures without such values.
            Replayed::Differs(_) if accidental.is_none() && holds_accidentally(query, &mut model) => {
                let what = UndefinedBehaviour::Property(Property::Uninitialised);
                accidental = Some(UnknownReason::Undefined { what, place: claim.place });
                goal = without_accidental(query, goal);
            }
            replayed => return Some(verdict(query, &mut model, replayed, claim.place)),
        }
    }
}

/// Unwritten memory or an unwritten register holds a number that is, or is close to, the address of an object.
fn accidental_addresses(query: &mut Query<'_>) -> Term {
    let objects = query.graph().objects().values();
    let (first, last) = objects
        .fold((u64::MAX, 0), |(first, last), o| (first.min(o.base), last.max(o.base.saturating_add(o.size))));
    let (first, last) = (first.saturating_sub(CLOSE), last.saturating_add(CLOSE));
    let values = query
        .graph()
        .unwritten()
        .iter()
        .map(|u| u.value)
        .chain(query.graph().uninitialised().iter().copied());
    let values: Vec<Term> = values.collect();
    let terms = &mut query.terms;
    let mut any = terms.bool(false);
    for value in values {
        let width = terms.width(value);
        if first > last || u64::BITS - last.leading_zeros() > width.bits() {
            continue;
        }
        let base = terms.constant(width, first.into());
        let size = terms.constant(width, (last - first).into());
        let offset = terms.sub(value, base);
        let inside = terms.compare(CmpOp::Ule, offset, size);
        any = terms.or(any, inside);
    }
    any
}

/// The largest distance from an object at which pointer arithmetic may still lead into it.
const CLOSE: u64 = 4096;

fn without_accidental(query: &mut Query<'_>, goal: Term) -> Term {
    let accidental = accidental_addresses(query);
    let not = query.terms.not(accidental);
    query.terms.and(goal, not)
}

fn holds_accidentally(query: &mut Query<'_>, model: &mut Model) -> bool {
    let accidental = accidental_addresses(query);
    model.holds(&query.terms, accidental)
}

/// `Err`: a race, or inconclusive. `Ok`: proved absent.
///
/// For a certificate, the analysis of which accesses may race is not used.
pub(crate) fn find_race<'g>(
    Asked { program, options, places, switches }: Asked<'_>,
    graph: &'g EventGraph,
    statistics: &mut Statistics,
    proved: &mut Proved<'g>,
) -> Result<Covered, CheckVerdict> {
    if !options.checks.has(Property::Race) {
        return Ok(Covered::All);
    }
    let places = places.filter(|_| !proved.is_wanted());
    let touches = graph.touches().iter().copied();
    let touches = touches.filter(|touch| places.is_none_or(|places| places.contains(&touch.place)));
    let mut query = Query::new(graph);
    let counted = Counted::within(&mut query, Races::switches(switches));
    let Some(mut races) = Races::new(&mut query, touches, (program, &options.known), &counted) else {
        proved.add_nothing(certify::RACES, &options.stop);
        return Ok(Covered::All);
    };
    let mut engine = certify::engine(options, &mut query, &counted);
    let before = *statistics;
    let mut open = None;
    loop {
        let found = find_one_race(program, options, (&query, &mut engine), &races);
        *statistics = before.and(&engine.statistics());
        match found {
            // The run ends in a known failure first.
            Err(NoRace { pair, is_known: true }) => races.exclude(&mut query, pair),
            Err(NoRace { pair, .. }) => {
                open.get_or_insert(pair.1.place);
                races.exclude(&mut query, pair);
            }
            Ok(None) => {
                let open = open.map(|place| CheckVerdict::Unknown(UnknownReason::OrderOfSections { place }));
                let open = match open {
                    None if query.graph().has_weak_atomics() => without_execution(&mut query, &mut engine),
                    open => open,
                };
                if let Some(open) = open {
                    return Err(open);
                }
                let covered = covered(&query, &mut engine, switches)?;
                let goals = vec![(races.goal, "two accesses race".to_owned())];
                proved.add(query, engine, goals, certify::RACES);
                return Ok(covered);
            }
            Ok(Some(verdict)) => return Err(verdict),
        }
    }
}

/// `Some`: the encoding has no execution at all, or inconclusive. Every program has an execution; where values carry
/// further bits, a faulty encoding might have none and prove anything.
fn without_execution(query: &mut Query<'_>, engine: &mut GraphSolver) -> Option<CheckVerdict> {
    let always = query.terms.bool(true);
    match execution(engine.ask(query, always)) {
        Ok(Some(_)) => None,
        Ok(None) => Some(CheckVerdict::Unknown(UnknownReason::Fault("a program without executions".into()))),
        Err(reason) => Some(CheckVerdict::Unknown(reason)),
    }
}

/// A deadlock without any node to wait on.
fn no_place() -> CheckVerdict {
    CheckVerdict::Unknown(UnknownReason::Fault("a deadlock without a place".into()))
}

/// Two accesses that do not race in the replay: it ends in a known failure, or they are ordered.
struct NoRace {
    pair: Pair,
    is_known: bool,
}

/// The verdict as for `find_race`, or a race that the machine does not reach.
fn find_one_race(
    program: &Program,
    options: &CheckOptions,
    (query, engine): (&Query<'_>, &mut GraphSolver),
    races: &Races,
) -> Result<Option<CheckVerdict>, NoRace> {
    let (mut model, order) = match execution(engine.ask(query, races.goal)) {
        Ok(None) => return Ok(None),
        Ok(Some(execution)) => execution,
        Err(reason) => return Ok(Some(CheckVerdict::Unknown(reason))),
    };
    let Some((pair, way)) = races.pair(query, &mut model) else {
        return Ok(Some(CheckVerdict::Unknown(UnknownReason::Fault("a model without a race".into()))));
    };
    // The program may end right after one of the two accesses: that one has to come second.
    let mut replayed = None;
    for pair in [pair, (pair.1, pair.0)] {
        let witness = witness_of_race(query, &pair, &mut model, &order);
        let end = (Property::Race, &[pair.1.thread][..]);
        let now = replay(program, options, query.graph(), end, &witness);
        let (fails, is_known) = (matches!(now, Replayed::Fails(_)), matches!(now, Replayed::Known));
        if fails || is_known || replayed.is_none() {
            replayed = Some(now);
        }
        if fails {
            break;
        }
    }
    match replayed {
        Some(Replayed::Known) => Err(NoRace { pair, is_known: true }),
        Some(Replayed::Differs(_)) if way == RaceKind::Unknown => Err(NoRace { pair, is_known: false }),
        replayed => Ok(replayed.map(|replayed| verdict(query, &mut model, replayed, pair.1.place))),
    }
}

/// An execution, if there is one.
fn execution(answer: Answer) -> Result<Option<(Model, Vec<NodeId>)>, UnknownReason> {
    match answer {
        Answer::Execution { model, order } => Ok(Some((model, order))),
        Answer::No => Ok(None),
        Answer::Unknown(Unknown::Stopped) => Err(UnknownReason::Stopped),
        Answer::Fault(fault) => Err(UnknownReason::Fault(fault.to_string())),
    }
}

/// The verdict after the replay of a failure.
fn verdict(query: &Query<'_>, model: &mut Model, replayed: Replayed, at: PlaceId) -> CheckVerdict {
    match replayed {
        Replayed::Fails(run) => {
            let trace = Box::new(run.trace.clone());
            CheckVerdict::Violated { run, trace }
        }
        Replayed::Differs(differs) => {
            let guess = query.graph().guesses().iter().find(|g| model.holds(&query.terms, g.guard));
            CheckVerdict::Unknown(match guess {
                Some(guess) => UnknownReason::Gap { gap: guess.gap.clone(), place: guess.place },
                // The machine puts objects elsewhere.
                None if query.graph().sees_addresses() => UnknownReason::Gap { gap: Gap::Layout, place: at },
                // An address may have been computed from an unwritten value.
                None if !query.graph().unwritten().is_empty()
                    || !query.graph().uninitialised().is_empty() =>
                {
                    UnknownReason::Undefined {
                        what: UndefinedBehaviour::Property(Property::Uninitialised),
                        place: at,
                    }
                }
                None => UnknownReason::NotReplayed(differs),
            })
        }
        Replayed::Undefined(finding) => {
            let place = finding.place().unwrap_or(at);
            CheckVerdict::Unknown(UnknownReason::MetUndefined { finding, place })
        }
        Replayed::LoopsForEver => CheckVerdict::Unknown(UnknownReason::Undefined {
            what: UndefinedBehaviour::EndlessLoop,
            place: at,
        }),
        // The callers exclude a known failure and ask again.
        Replayed::Known => CheckVerdict::Unknown(UnknownReason::Fault("a failure that is known".into())),
        Replayed::Stopped => CheckVerdict::Unknown(UnknownReason::Stopped),
    }
}

/// One of these claims fails.
pub(crate) fn any_fails(query: &mut Query<'_>, counted: &Counted, claims: &[usize]) -> Term {
    let fail: Vec<Term> = claims.iter().map(|&i| fails(query, counted, i)).collect();
    any(&mut query.terms, fail.into_iter())
}

/// This claim fails. It rests on the step with or after which that happens.
fn fails(query: &mut Query<'_>, counted: &Counted, claim: usize) -> Term {
    let Claim { node, fails, .. } = query.graph().claims()[claim];
    counted.with(query, node, fails)
}

/// The disjunction of these terms.
pub(crate) fn any(terms: &mut Terms, of: impl Iterator<Item = Term>) -> Term {
    let nothing = terms.bool(false);
    of.fold(nothing, |any, t| terms.or(any, t))
}
