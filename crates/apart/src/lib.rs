//! Which accesses of a program can take part in a data race, and which cannot, whatever its loops and threads do. If
//! none can, the program has no data race in any execution: nothing is bounded.
//!
//! | module | what is in it |
//! |---|---|
//! | `accesses` | the accesses to memory that threads may share, each with the facts at its program point |
//! | `pairs` | pairs of accesses that may race |
//! | `account`, `ranks` | the facts, written down for others to check |
//!
//! The facts come from the crate `analysis`: where pointers point, which objects threads share, the locks that are
//! held, and what may happen in parallel.
//!
//! Why it is right. A data race is two accesses to one byte, one of which writes, not both atomic, in different
//! threads, and not ordered by happens-before. Every set here holds for every execution up to its first undefined
//! behaviour; in C, nothing after that counts, and a data race is undefined behaviour itself. So both pointers point
//! to places in their points-to sets; for a number that only depends on addresses, these are all objects whose
//! addresses have leaked. If only one thread can have the address, the accesses are not in different threads. If both
//! threads hold one lock, and one of them exclusively, what one does until it releases the lock happens before the
//! other takes it. A lock counts only if it is one object, if it is not used as another lock, nor overwritten while
//! other threads run, and if only a thread that holds it releases it; a thread that overwrites a lock while no other
//! runs no longer holds it. If one access comes before the start of the other's thread, or after joining it, that
//! orders them. Every other pair may race.
//!
//! Values are not tracked; a program that needs them is left to the engines.

mod accesses;
mod account;
mod pairs;
mod ranks;

use accesses::{AbstractAccess, Accesses};
use pairs::Pairs;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_analysis::callgraph::InstSite;
use tp_analysis::escape::Escape;
use tp_analysis::lockset::Locksets;
use tp_analysis::mhp::Mhp;
pub use tp_analysis::pointsto::GaveUp;
use tp_analysis::pointsto::{AbstractObject, ObjectId, PointsTo};
use tp_analysis::symmetry::interchangeable;
use tp_analysis::threads::ThreadFacts;
use tp_ir::{BlockId, FuncId, Init, Origin, PlaceId, Program};

/// An instruction that accesses memory.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instruction {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}

/// Two accesses that may race, and what they are to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RacePair {
    pub first: Instruction,
    pub second: Instruction,
    pub object: String,
}

/// The accesses that may race.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Open {
    pub pairs: Vec<RacePair>,
    /// Where these accesses are in the user's code; for accesses in models, where the user calls these. `None`: some
    /// have no such place.
    pub places: Option<BTreeSet<PlaceId>>,
    /// Calls that start threads which the rest of the program cannot tell apart (`tp_analysis::symmetry`).
    pub interchangeable: Vec<Vec<Instruction>>,
}

/// The program as if freed memory and ids of threads were never reused. A program can notice reuse only by values,
/// which are not tracked here; what is reused was freed before, which orders the accesses to it.
fn without_reuse(program: &Program) -> Cow<'_, Program> {
    let mut program = Cow::Borrowed(program);
    for option in [tp_ir::REUSE, tp_ir::REUSE_IDS] {
        let is_on = |id| matches!(&program.globals[id].init, Init::Bytes { bytes, .. } if bytes[0] != 0);
        if program.global_named(option).is_some_and(is_on) {
            tp_ir::decide_option(program.to_mut(), option, 0);
        }
    }
    program
}

/// The accesses that may race; if there are none, no execution has a data race. Gives up soon after `stop` is set from
/// outside.
pub fn may_race(program: &Program, stop: &AtomicBool) -> Result<Open, GaveUp> {
    let program = &*without_reuse(program);
    let points_to = PointsTo::new(program, stop)?;
    let (threads, escape) = (ThreadFacts::new(&points_to), Escape::new(&points_to));
    let locksets = Locksets::new(&points_to, &threads, stop);
    let mut accesses = Accesses::new(&points_to, &threads, &escape);
    locksets.visit(&mut accesses);
    accesses.break_shared_memory();
    let pairs = Pairs { mhp: Mhp::new(&points_to, &threads, &locksets), broken: accesses.broken_locks() };
    let pairs = pairs.all(&accesses, stop);
    // Stages that are stopped end early, with incomplete results.
    if stop.load(Ordering::Relaxed) {
        return Err(GaveUp::Stopped);
    }
    let places = places(&points_to, &pairs);
    let named: BTreeSet<RacePair> = pairs.iter().map(|pair| named(&points_to, pair)).collect();
    let sets = interchangeable(&points_to, &threads, &locksets).into_iter();
    let interchangeable = sets.map(|set| set.into_iter().map(|site| instruction(&points_to, site)).collect());
    Ok(Open { pairs: named.into_iter().collect(), places, interchangeable: interchangeable.collect() })
}

/// Why no two accesses race, as a text that the crate `certify` checks. It is rejected if addresses decide something in
/// the program: there are no rules for that.
pub fn reasons(program: &Program, stop: &AtomicBool) -> Result<String, GaveUp> {
    let program = &*without_reuse(program);
    let points_to = PointsTo::new(program, stop)?;
    let (threads, escape) = (ThreadFacts::new(&points_to), Escape::new(&points_to));
    let locksets = Locksets::new(&points_to, &threads, stop);
    let text = account::account(&points_to, &threads, &locksets, &escape);
    if stop.load(Ordering::Relaxed) { Err(GaveUp::Stopped) } else { Ok(text) }
}

fn instruction(points_to: &PointsTo<'_>, site: InstSite) -> Instruction {
    Instruction {
        function: points_to.call_graph().function(site.context),
        block: site.block,
        index: site.inst,
    }
}

fn named(points_to: &PointsTo<'_>, (object, a, b): &(ObjectId, AbstractAccess, AbstractAccess)) -> RacePair {
    RacePair {
        first: instruction(points_to, a.site),
        second: instruction(points_to, b.site),
        object: name(points_to, *object),
    }
}

/// The places in the user's code from which all these accesses are made.
fn places(
    points_to: &PointsTo<'_>,
    pairs: &[(ObjectId, AbstractAccess, AbstractAccess)],
) -> Option<BTreeSet<PlaceId>> {
    let mut sites: Vec<InstSite> = pairs.iter().flat_map(|(_, a, b)| [a.site, b.site]).collect();
    let mut seen: BTreeSet<InstSite> = BTreeSet::new();
    let mut places = BTreeSet::new();
    while let Some(site) = sites.pop() {
        if !seen.insert(site) {
            continue;
        }
        let function = points_to.call_graph().function(site.context);
        let callers = points_to.call_graph().callers(site.context);
        if points_to.program().functions[function].origin == Origin::User {
            places.insert(points_to.inst(site).place);
        } else if callers.is_empty() {
            return None;
        } else {
            sites.extend(callers);
        }
    }
    Some(places)
}

/// The place of an instruction in the source.
pub fn place(program: &Program, at: Instruction) -> Option<PlaceId> {
    let body = program.functions[at.function].body.as_ref()?;
    body.blocks.get(at.block)?.insts.get(at.index).map(|inst| inst.place)
}

fn name(points_to: &PointsTo<'_>, object: ObjectId) -> String {
    let program = points_to.program();
    match points_to.objects().get(object) {
        AbstractObject::Global(g) | AbstractObject::ThreadLocal(g, _) => program.globals[g].name.to_string(),
        AbstractObject::Function(f) => program.functions[f].name.to_string(),
        AbstractObject::Made(site) => {
            let function = points_to.call_graph().function(site.context);
            format!("what {} makes", program.functions[function].name)
        }
        AbstractObject::Outside => "memory from outside".to_string(),
    }
}
