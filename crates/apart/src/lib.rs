//! Which accesses of a program can take part in a data race, and which cannot, whatever its loops and threads do. If
//! there are none that can, the program has no data race, in any execution: nothing is bounded.
//!
//! | module | what is in it |
//! |---|---|
//! | `offset`, `points`, `objects` | places in memory, as the analysis tells them apart |
//! | `frames` | calls and threads, as the analysis tells them apart |
//! | `solve` | where pointers point, what is called, which objects threads share |
//! | `threads` | which threads and objects there is one of |
//! | `models` | what the functions of locks and threads do |
//! | `flow`, `tested` | what holds at an instruction: locks, atomic steps, threads that may run |
//! | `accesses`, `pairs` | accesses, and two of them that may race |
//!
//! Why it is right. A data race is two accesses to one byte, one of which writes, not both atomic, in different
//! threads, and not ordered by happens-before. Every set here holds for every execution up to its first undefined
//! behaviour, of which C says that nothing that comes later counts; a data race is such a behaviour itself. So the
//! pointers of both accesses are to places that `solve` has. If only one thread can have the address, they are not in
//! different threads. If both threads hold one lock, and one of them alone, what one does until it gives the lock back
//! happens before the other takes it: a lock counts only if it is one object, if nobody writes over it, and if
//! whoever gives it back holds it. If one access comes before the other's thread was started, or after it was waited for,
//! they are ordered by that. All else is a pair that may race.
//!
//! Nothing about values is followed, so a program that needs it is left to the engines.

mod accesses;
mod flow;
mod frames;
mod models;
mod objects;
mod offset;
mod pairs;
mod points;
mod solve;
mod tested;
mod threads;

use frames::Detail;
pub use solve::GaveUp;
use std::collections::BTreeSet;
use tp_ir::{BlockId, FuncId, PlaceId, Program};

/// An instruction of the program.
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

/// Chains of calls are told apart up to so many.
const MOST_CHAINS: usize = 6_000;
/// Functions in threads, and chains of models.
const MOST_FUNCTIONS: usize = 20_000;

/// The accesses that may race; if there are none, no execution has a data race.
pub fn may_race(program: &Program) -> Result<Vec<Pair>, GaveUp> {
    let chains = solve::solve(program, Detail::Chains, MOST_CHAINS);
    let solved = match chains {
        Err(GaveUp::TooLarge) => solve::solve(program, Detail::Functions, MOST_FUNCTIONS)?,
        solved => solved?,
    };
    let effects = models::effects(program);
    let facts = threads::ThreadFacts::new(&solved, &effects);
    let escaped = solve::escaped(&solved);
    let mut flow = flow::Flow::new(&solved, &facts, &effects);
    let mut accesses = accesses::Accesses::new(&solved, &facts, &escaped);
    flow.watch(&mut accesses);
    let broken = accesses.broken_locks();
    let pairs = pairs::Pairs { frames: &solved.frames, facts: &facts, flow: &flow, broken };
    let instruction = |site: frames::Site| Instruction {
        function: solved.frames.frame(site.frame).function,
        block: site.block,
        index: site.inst,
    };
    let found: BTreeSet<Pair> = pairs
        .all(&accesses)
        .into_iter()
        .map(|(object, a, b)| Pair {
            first: instruction(a.site),
            second: instruction(b.site),
            object: name(&solved, object),
        })
        .collect();
    Ok(found.into_iter().collect())
}

/// The place of an instruction in the source.
pub fn place(program: &Program, at: Instruction) -> Option<PlaceId> {
    let body = program.functions[at.function].body.as_ref()?;
    body.blocks.get(at.block)?.insts.get(at.index).map(|inst| inst.place)
}

fn name(solved: &solve::Solved<'_>, object: points::ObjectId) -> String {
    use objects::Object;
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
