//! Which accesses of a program can take part in a data race, and which cannot, whatever its loops and threads do. If
//! there are none that can, the program has no data race, in any execution: nothing is bounded.
//!
//! | module | what is in it |
//! |---|---|
//! | `offset`, `points`, `objects` | places in memory, as the analysis tells them apart |
//! | `frames` | calls and threads, as the analysis tells them apart |
//! | `value`, `stores`, `calls`, `solve`, `solved` | where pointers point, what is called, which objects threads share |
//! | `marks`, `numbers`, `origins`, `guesses` | addresses that go through numbers, by computing, deciding or comparing |
//! | `threads` | which threads and objects there is one of |
//! | `models` | what the functions of locks and threads do |
//! | `touched` | what memory an instruction reads and writes |
//! | `state`, `flow`, `tested` | what holds at an instruction: locks, atomic steps, threads that may run |
//! | `joins` | loops that wait for all threads of an array |
//! | `accesses`, `pairs` | accesses, and two of them that may race |
//! | `account`, `ranks` | the facts, written down for others to check |
//!
//! Why it is right. A data race is two accesses to one byte, one of which writes, not both atomic, in different
//! threads, and not ordered by happens-before. Every set here holds for every execution up to its first undefined
//! behaviour, of which C says that nothing that comes later counts; a data race is such a behaviour itself. So the
//! pointers of both accesses are to places that `solve` has; where a pointer was a number that only depends on addresses,
//! these are all objects whose addresses numbers depend on. If only one thread can have the address, they are not in
//! different threads. If both threads hold one lock, and one of them alone, what one does until it gives the lock back
//! happens before the other takes it: a lock counts only if it is one object, if nobody writes over it or uses it as
//! another lock, and if whoever gives it back holds it; who writes over it while no other thread runs does not hold it any more. If one access comes before the other's thread was started, or after it was waited for,
//! they are ordered by that. All else is a pair that may race.
//!
//! Nothing about values is followed, so a program that needs it is left to the engines.

mod accesses;
mod account;
mod calls;
mod flow;
mod frames;
mod guesses;
mod joins;
mod marks;
mod models;
mod numbers;
mod objects;
mod offset;
mod origins;
mod pairs;
mod points;
mod ranks;
mod solve;
mod solved;
mod state;
mod stores;
mod tested;
mod threads;
mod touched;
mod value;

use accesses::{Access, Accesses};
use flow::Flow;
use frames::{Detail, Site};
use joins::joins;
use objects::Object;
use pairs::Pairs;
use points::ObjectId;
pub use solve::GaveUp;
use solve::solve;
use solved::{Solved, escaped};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use threads::ThreadFacts;
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
pub struct Pair {
    pub first: Instruction,
    pub second: Instruction,
    pub object: String,
}

/// What may race.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Open {
    pub pairs: Vec<Pair>,
    /// Where these accesses are in the user's code, those of models where the user calls them. `None`: not all of them are
    /// called from there.
    pub places: Option<BTreeSet<PlaceId>>,
}

/// Chains of calls are told apart up to so many.
const MOST_CHAINS: usize = 6_000;
/// Functions in threads, and chains of models.
const MOST_FUNCTIONS: usize = 20_000;

/// The program as if freed memory and ids of threads were never given out again. Nothing about values is followed here, and that
/// is all a program can tell by; what is given out again was freed before, which orders what used it.
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

/// The accesses that may race; if there are none, no execution has a data race. It ends soon after `stop` is set from
/// outside, and then has shown nothing.
pub fn may_race(program: &Program, stop: &AtomicBool) -> Result<Open, GaveUp> {
    let program = &*without_reuse(program);
    let solved = solved(program, stop)?;
    let effects = models::effects(program);
    let facts = ThreadFacts::new(&solved, &effects);
    let escaped = escaped(&solved);
    let joins = joins(&solved, &facts, &effects, stop);
    let mut flow = Flow::new(&solved, &facts, &effects, joins, stop);
    let mut accesses = Accesses::new(&solved, &facts, &escaped);
    flow.watch(&mut accesses);
    accesses.break_shared_memory();
    let broken = accesses.broken_locks();
    let pairs = Pairs { frames: &solved.frames, facts: &facts, flow: &flow, broken };
    let pairs = pairs.all(&accesses, stop);
    // The stages end early when they are stopped, and what they have then is not all.
    if stop.load(Ordering::Relaxed) {
        return Err(GaveUp::Stopped);
    }
    let places = places(&solved, &pairs);
    let named: BTreeSet<Pair> = pairs.iter().map(|pair| named(&solved, pair)).collect();
    Ok(Open { pairs: named.into_iter().collect(), places })
}

fn solved<'p>(program: &'p Program, stop: &AtomicBool) -> Result<Solved<'p>, GaveUp> {
    match solve(program, Detail::Chains, MOST_CHAINS, stop) {
        Err(GaveUp::TooLarge) => solve(program, Detail::Functions, MOST_FUNCTIONS, stop),
        solved => solved,
    }
}

/// Why no two accesses race, as a text that the crate `certify` checks. It is refused if addresses decide something in the
/// program: there are no rules for that.
pub fn reasons(program: &Program, stop: &AtomicBool) -> Result<String, GaveUp> {
    let program = &*without_reuse(program);
    let solved = solved(program, stop)?;
    let effects = models::effects(program);
    let facts = ThreadFacts::new(&solved, &effects);
    let escaped = escaped(&solved);
    let joins = joins(&solved, &facts, &effects, stop);
    let mut flow = Flow::new(&solved, &facts, &effects, joins, stop);
    let text = account::account(&solved, &mut flow, &effects, &escaped);
    if stop.load(Ordering::Relaxed) { Err(GaveUp::Stopped) } else { Ok(text) }
}

fn named(solved: &Solved<'_>, (object, a, b): &(ObjectId, Access, Access)) -> Pair {
    let instruction = |site: Site| Instruction {
        function: solved.frames.frame(site.frame).function,
        block: site.block,
        index: site.inst,
    };
    Pair { first: instruction(a.site), second: instruction(b.site), object: name(solved, *object) }
}

/// The places in the user's code from which all these accesses are made.
fn places(solved: &Solved<'_>, pairs: &[(ObjectId, Access, Access)]) -> Option<BTreeSet<PlaceId>> {
    let mut sites: Vec<Site> = pairs.iter().flat_map(|(_, a, b)| [a.site, b.site]).collect();
    let mut seen: BTreeSet<Site> = BTreeSet::new();
    let mut places = BTreeSet::new();
    while let Some(site) = sites.pop() {
        if !seen.insert(site) {
            continue;
        }
        let frame = solved.frames.frame(site.frame);
        if solved.program.functions[frame.function].origin == Origin::User {
            places.insert(solved.inst(site).place);
        } else if frame.callers.is_empty() {
            return None;
        } else {
            sites.extend(&frame.callers);
        }
    }
    Some(places)
}

/// The place of an instruction in the source.
pub fn place(program: &Program, at: Instruction) -> Option<PlaceId> {
    let body = program.functions[at.function].body.as_ref()?;
    body.blocks.get(at.block)?.insts.get(at.index).map(|inst| inst.place)
}

fn name(solved: &Solved<'_>, object: ObjectId) -> String {
    let program = solved.program;
    match solved.objects.get(object) {
        Object::Global(g) | Object::ThreadLocal(g, _) => program.globals[g].name.to_string(),
        Object::Function(f) => program.functions[f].name.to_string(),
        Object::Made(site) => {
            let function = solved.frames.frame(site.frame).function;
            format!("what {} makes", program.functions[function].name)
        }
        Object::Outside => "memory from outside".to_string(),
    }
}
