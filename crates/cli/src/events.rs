//! `threadproof events`: the event graph of a program, as the engines get it.

use crate::args::{EngineArg, EventsArgs};
use crate::exit::{CommandError, Exit};
use crate::output::Out;
use crate::{load, property};
use std::sync::atomic::AtomicBool;
use tp_driver::{ENGINES, EngineKind};
use tp_unfold::{Refusal, UnfoldConfig, Unfolder};

pub fn events(args: &EventsArgs) -> Result<Exit, CommandError> {
    let solves = ENGINES.iter().find(|engine| engine.kind == EngineKind::Solves);
    let checks = property::decided(solves.map_or(EngineArg::Auto, EngineArg::One), &args.property)?;
    let program = load::load_source(&args.source)?.program;
    let config = UnfoldConfig {
        bound: args.unwind,
        bound_alone: args.unwind,
        checks,
        max_instructions: tp_driver::Limits::default().max_instructions,
        // There is nothing to be kept: Ctrl-C ends the process.
        stop: &AtomicBool::new(false),
    };
    match Unfolder::new(&program).unfold(&config) {
        Ok(graph) => {
            Out::stdout().text(&tp_events::text(&program, &graph));
            Ok(Exit::Safe)
        }
        Err(Refusal::Stopped | Refusal::TooLarge) => {
            eprintln!("error: the program is too large to be followed");
            Ok(Exit::Unknown)
        }
    }
}
