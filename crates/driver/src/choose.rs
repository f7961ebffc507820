//! Which engines `check` asks where none is named: by what the program looks like. The table of engines says of each for what
//! programs it is, and why (`Engine::suits`).

use crate::table::{ENGINES, Engine};
use tp_ir::{Checks, Op, Program, Type};
use tp_machine::ContextBound;

/// What can be seen of a program without executing it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ProgramShape {
    pub starts_threads: bool,
    /// It asks for values of so many bits that not all of them can be tried.
    pub has_large_inputs: bool,
}

/// Inputs of more bits than this are not enumerated.
const SMALL_INPUT: u32 = 8;

impl ProgramShape {
    pub fn of(program: &Program) -> ProgramShape {
        let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
        let mut insts = bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
        let is_large = |ty: Type| !matches!(ty, Type::Int(width) if width.bits() <= SMALL_INPUT);
        ProgramShape {
            starts_threads: program.starts_threads(),
            has_large_inputs: insts.any(|i| matches!(i.op, Op::Input { ty, .. } if is_large(ty))),
        }
    }
}

/// An engine that is asked, and why.
#[derive(Copy, Clone)]
pub struct Choice {
    pub engine: &'static Engine,
    pub because: &'static str,
}

/// The engines to ask about a program: those that look for all of `checks`, or, where context switches are bounded, those that
/// suit such a bound; if a proof is wanted, those that leave one.
pub fn choose(shape: ProgramShape, checks: Checks, certify: bool, contexts: ContextBound) -> Vec<Choice> {
    let able = || ENGINES.iter().filter(move |engine| engine.looks_for(checks));
    if contexts != ContextBound::None {
        return able().filter_map(|engine| Some(Choice { engine, because: engine.suits_bound? })).collect();
    }
    let suited = || able().filter_map(|engine| Some(Choice { engine, because: (engine.suits)(shape)? }));
    match certify && suited().any(|choice| choice.engine.certifies) {
        true => suited().filter(|choice| choice.engine.certifies).collect(),
        false => suited().collect(),
    }
}
