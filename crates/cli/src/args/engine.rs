//! `--engine`: one of the table, or those that work well beside one another.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fmt;
use tp_driver::{ENGINES, Engine};
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
    let names: Vec<String> = ENGINES.iter().filter(|e| e.in_auto).map(|e| format!("`{}`", e.name)).collect();
    let about = format!("{} beside one another; the first that knows answers", names.join(", "));
    let auto = PossibleValue::new(AUTO).help(about);
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
            EngineArg::Auto => ENGINES.iter().any(|engine| engine.in_auto && engine.looks_for(Checks::ALL)),
            EngineArg::One(engine) => engine.looks_for(Checks::ALL),
        }
    }

    /// The engines to ask: of `auto`, those that look for all of `checks`, or, where context switches are bounded, those that
    /// keep to such a bound; if a proof is wanted, those that leave one.
    pub fn engines(self, checks: Checks, certify: bool, contexts: ContextBound) -> Vec<&'static Engine> {
        match self {
            EngineArg::One(engine) => vec![engine],
            EngineArg::Auto => {
                let is_meant = |e: &&Engine| match contexts {
                    ContextBound::None => e.in_auto,
                    _ => e.bounds_contexts,
                };
                let able: Vec<_> = ENGINES.iter().filter(is_meant).filter(|e| e.looks_for(checks)).collect();
                match certify && able.iter().any(|engine| engine.certifies) {
                    true => able.into_iter().filter(|engine| engine.certifies).collect(),
                    false => able,
                }
            }
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

    fn names(engine: EngineArg, checks: Checks, certify: bool) -> Vec<&'static str> {
        engine.engines(checks, certify, ContextBound::None).iter().map(|engine| engine.name).collect()
    }

    #[test]
    fn auto_asks_those_that_can_answer() {
        let races = Checks::NONE.with(Property::Race);
        assert_eq!(names(EngineArg::Auto, races, false), ["order", "explore", "states", "run"]);
        assert_eq!(names(EngineArg::Auto, races, true), ["order"]);
        assert_eq!(
            names(EngineArg::Auto, races.with(Property::Uninitialised), true),
            ["explore", "states", "run"]
        );
        assert_eq!(names(EngineArg::of("refine"), races, false), ["refine"]);
    }
}
