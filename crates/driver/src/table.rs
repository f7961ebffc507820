//! The engines, a line each. Everything that lists them (`--engine`, `auto`, the judge of random programs, the pins of
//! the corpus, the benchmarks) reads this table.

use crate::monitor::Monitor;
use crate::report::Report;
use crate::task::Task;
use crate::{explore, solve};
use tp_engines::Method;
use tp_ir::{Checks, Property};

pub struct Engine {
    /// As on the command line.
    pub name: &'static str,
    /// For `--help`.
    pub about: &'static str,
    /// `auto` asks the engines with this flag. Of two equally good answers, that of the engine that comes first counts.
    pub in_auto: bool,
    /// It executes the program, and can decide every property. The others cannot decide whether a value is read that
    /// was never written.
    pub executes: bool,
    /// It can leave a proof.
    pub certifies: bool,
    /// The counters that say how much work an answer was. They do not depend on the machine, so that tests can pin them.
    pub effort: &'static [&'static str],
    /// How far it is, for a progress line.
    pub progress: fn(&Report) -> String,
    pub ask: fn(&Task, &mut Monitor<'_>) -> Report,
}

impl Engine {
    /// Whether it can decide all of these.
    pub fn decides(&self, checks: Checks) -> bool {
        self.executes || !checks.has(Property::Uninitialised)
    }
}

pub static ENGINES: [Engine; 4] = [
    Engine {
        name: "order",
        about: "Inside the SAT solver",
        in_auto: true,
        executes: false,
        certifies: true,
        effort: &["conflicts", "lemmas", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Order, task, monitor),
    },
    Engine {
        name: "refine",
        about: "Counterexample by counterexample",
        in_auto: false,
        executes: false,
        certifies: true,
        effort: &["conflicts", "refinements.refinements", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Refine, task, monitor),
    },
    Engine {
        name: "clocks",
        about: "By a clock for each event, in the formula",
        in_auto: false,
        executes: false,
        certifies: true,
        effort: &["conflicts", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Clocks, task, monitor),
    },
    Engine {
        name: "explore",
        about: "By executing the program in each order that makes a difference",
        in_auto: true,
        executes: true,
        certifies: false,
        effort: &["traces"],
        progress: explore::progress,
        ask: explore::ask,
    },
];
