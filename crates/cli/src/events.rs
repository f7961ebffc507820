//! `threadproof events`: the event graph of a program, for those who want to know what the engines are asked.

use crate::args::EventsArgs;
use crate::exit::{Exit, Failure};
use crate::output::Out;
use crate::{load, property, stop};
use std::sync::atomic::AtomicBool;
use tp_driver::ENGINES;
use tp_unfold::{Config, Refusal, Unfolder};

pub fn events(args: &EventsArgs) -> Result<Exit, Failure> {
    let stop = stop::after(None);
    let solves = ENGINES.iter().find(|engine| !engine.executes);
    let engine = solves.map_or(crate::args::EngineArg::Auto, crate::args::EngineArg::One);
    let checks = property::decided(engine, &args.property)?;
    let program = load::load_unless_interrupted(&args.source.frontend_options(), &stop)?.program;
    let config = Config {
        bound: args.unwind,
        bound_alone: args.unwind,
        checks,
        max_instructions: tp_driver::Limits::default().max_instructions,
        stop: &AtomicBool::new(false),
    };
    match Unfolder::new(&program).unfold(&config) {
        Ok(graph) => Out::stdout().text(&tp_events::text(&program, &graph)),
        Err(Refusal::Stopped | Refusal::TooLarge) => {
            return Err(Failure::Usage("the program is too large to be followed".to_owned()));
        }
    }
    Ok(Exit::Safe)
}
