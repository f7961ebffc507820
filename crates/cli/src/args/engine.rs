//! `--engine`: one of the table, or those that work well beside one another.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fmt;
use tp_driver::{Choice, ENGINES, Engine, ProgramShape};
use tp_ir::Checks;
use tp_machine::ContextBound;

#[derive(Copy, Clone)]
pub enum EngineArg {
    Auto,
    One(&'static Engine),
}

const AUTO: &str = "auto";

/// Accepts the names of the engines, and lists them in the help.
pub fn parser() -> impl TypedValueParser<Value = EngineArg> {
    let auto = PossibleValue::new(AUTO)
        .help("Several beside one another, by what the program looks like; the first that knows answers");
    let values = ENGINES.iter().map(|engine| PossibleValue::new(engine.name).help(engine.about));
    PossibleValuesParser::new([auto].into_iter().chain(values)).map(|name| EngineArg::of(&name))
}

impl EngineArg {
    pub fn of(name: &str) -> EngineArg {
        ENGINES.iter().find(|engine| engine.name == name).map_or(EngineArg::Auto, EngineArg::One)
    }

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EngineArg::Auto => AUTO,
            EngineArg::One(engine) => engine.name,
        }
    }

    pub fn is_auto(self) -> bool {
        matches!(self, EngineArg::Auto)
    }

    /// One of these engines looks for violations of every property.
    pub fn looks_for_all(self) -> bool {
        match self {
            EngineArg::Auto => true,
            EngineArg::One(engine) => engine.looks_for(Checks::ALL),
        }
    }

    /// The engines to ask about a program, each with the reason.
    pub fn engines(
        self,
        shape: ProgramShape,
        checks: Checks,
        certify: bool,
        contexts: ContextBound,
    ) -> Vec<Choice> {
        match self {
            EngineArg::One(engine) => vec![Choice { engine, because: "it was asked for" }],
            EngineArg::Auto => tp_driver::choose(shape, checks, certify, contexts),
        }
    }
}

impl fmt::Debug for EngineArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tp_ir::Property;

    const SHAPE: ProgramShape = ProgramShape { starts_threads: true, has_large_inputs: false };

    fn names(engine: EngineArg, shape: ProgramShape, checks: Checks, certify: bool) -> Vec<&'static str> {
        let engines = engine.engines(shape, checks, certify, ContextBound::None);
        engines.iter().map(|choice| choice.engine.name).collect()
    }

    #[test]
    fn auto_asks_those_that_can_answer() {
        let races = Checks::NONE.with(Property::Race);
        let with_inputs = ProgramShape { has_large_inputs: true, ..SHAPE };
        let alone = ProgramShape { starts_threads: false, ..SHAPE };
        assert_eq!(names(EngineArg::Auto, SHAPE, races, false), ["order", "explore", "states", "run"]);
        assert_eq!(names(EngineArg::Auto, with_inputs, races, false), ["order", "explore", "lazy", "run"]);
        assert_eq!(names(EngineArg::Auto, alone, races, false), ["order", "explore"]);
        assert_eq!(names(EngineArg::Auto, SHAPE, races, true), ["order"]);
        let unwritten = races.with(Property::Uninitialised);
        assert_eq!(names(EngineArg::Auto, SHAPE, unwritten, true), ["explore", "states", "run"]);
        assert_eq!(names(EngineArg::of("refine"), SHAPE, races, false), ["refine"]);
    }
}
