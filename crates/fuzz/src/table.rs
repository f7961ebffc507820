//! Which engine is asked what: the engines of the driver's table, and two that are only here.

use crate::ask::{self, Said, Subject};
use crate::question::Question;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_driver::EngineKind;

pub struct JudgedEngine {
    pub name: &'static str,
    pub answers: &'static [Question],
    /// Asked only what the oracle has decided or an execution has shown: the program is small then, and a slow engine
    /// is listed.
    pub follows: bool,
    /// It is made for questions with a bound on context switches, and may give up early on those without.
    pub may_be_slow: bool,
    pub ask: Ask,
}

#[derive(Copy, Clone)]
pub enum Ask {
    Own(fn(&Subject, Question, Arc<AtomicBool>) -> Said),
    Driver(&'static tp_driver::Engine),
    /// With a bound on context switches.
    Bounded(&'static tp_driver::Engine),
}

/// The oracle, and the engines of `threadproof check`, those that only test first.
pub fn engines() -> Vec<JudgedEngine> {
    let oracle = JudgedEngine {
        name: ORACLE,
        answers: &Question::ALL,
        follows: false,
        may_be_slow: false,
        ask: Ask::Own(ask::oracle),
    };
    let mut engines: Vec<_> =
        [oracle].into_iter().chain(tp_driver::ENGINES.iter().map(JudgedEngine::of)).collect();
    engines.extend(tp_driver::ENGINES.iter().filter(|e| e.bounds_contexts).map(JudgedEngine::bounded));
    engines.sort_by_key(|engine| engine.follows);
    engines
}

impl JudgedEngine {
    /// An engine of the driver's, which is asked everything.
    pub fn of(engine: &'static tp_driver::Engine) -> JudgedEngine {
        let follows = engine.kind != EngineKind::Tests;
        let may_be_slow = engine.bounds_contexts && engine.kind == EngineKind::Solves;
        JudgedEngine {
            name: engine.name,
            answers: &Question::ALL,
            follows,
            may_be_slow,
            ask: Ask::Driver(engine),
        }
    }

    /// The same with a bound on context switches.
    fn bounded(engine: &'static tp_driver::Engine) -> JudgedEngine {
        // Names live as long as the table of the driver's.
        let name = format!("{} within contexts", engine.name).leak();
        JudgedEngine {
            name,
            answers: &Question::ALL,
            follows: true,
            may_be_slow: true,
            ask: Ask::Bounded(engine),
        }
    }
}

/// Explores every execution: the answers of the others are compared with its own.
pub const ORACLE: &str = "oracle";
