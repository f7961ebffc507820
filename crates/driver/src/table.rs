//! The engines, a line each. Everything that lists them (`--engine`, `auto`, the judge of random programs, the pins of
//! the corpus, the benchmarks) reads this table.

use crate::choose::ProgramShape;
use crate::monitor::Monitor;
use crate::report::Report;
use crate::task::Task;
use crate::{explore, runs, solve, states};
use tp_engines::Method;
use tp_ir::{Checks, Property};

pub struct Engine {
    /// As on the command line.
    pub name: &'static str,
    /// For `--help`.
    pub about: &'static str,
    /// Without a named engine, it is asked about programs of this shape, for this reason. Of two equally good answers, that of
    /// the engine that comes first counts.
    pub suits: fn(ProgramShape) -> Option<&'static str>,
    /// `auto` starts it a moment later, so that it takes nothing from small programs.
    pub begins_late: bool,
    /// It keeps to a bound on context switches (`Limits::contexts`).
    pub bounds_contexts: bool,
    /// Where there is such a bound and no engine is named, it is asked, for this reason.
    pub suits_bound: Option<&'static str>,
    /// It goes through a tree of interleavings, which can be drawn (`Limits::draws`), and reduced or not (`Limits::reduces`).
    pub has_tree: bool,
    pub kind: EngineKind,
    /// It can leave a proof.
    pub certifies: bool,
    /// The counters that say how much work an answer was. They do not depend on the machine, so that tests can pin them.
    pub effort: &'static [&'static str],
    /// How far it is, for a progress line.
    pub progress: fn(&Report) -> String,
    pub ask: fn(&Task, &mut Monitor<'_>) -> Report,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// Asks a solver. Cannot decide whether a value is read that was never written.
    Solves,
    /// Executes the program in every way that makes a difference. Can decide every property.
    Explores,
    /// Executes the program in some ways. Finds violations of every property, and proves nothing.
    Tests,
}

impl Engine {
    /// Whether it can find violations of all of these.
    pub fn looks_for(&self, checks: Checks) -> bool {
        self.kind != EngineKind::Solves || !checks.has(Property::Uninitialised)
    }
}

pub static ENGINES: [Engine; 9] = [
    Engine {
        name: "order",
        about: "Inside the SAT solver",
        suits: |_| Some("it proves and refutes with inputs, and finds short failing runs"),
        begins_late: false,
        bounds_contexts: false,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Solves,
        certifies: true,
        effort: &["conflicts", "lemmas", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Order, task, monitor),
    },
    Engine {
        name: "refine",
        about: "Counterexample by counterexample",
        suits: |_| None,
        begins_late: false,
        bounds_contexts: false,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Solves,
        certifies: true,
        effort: &["conflicts", "refinements.refinements", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Refine, task, monitor),
    },
    Engine {
        name: "clocks",
        about: "By a clock for each event, in the formula",
        suits: |_| None,
        begins_late: false,
        bounds_contexts: false,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Solves,
        certifies: true,
        effort: &["conflicts", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Clocks, task, monitor),
    },
    Engine {
        name: "record",
        about: "By the number of its context for each event, in the formula",
        suits: |_| None,
        begins_late: false,
        bounds_contexts: true,
        suits_bound: Some("it decides all interleavings up to the bound at once"),
        has_tree: false,
        kind: EngineKind::Solves,
        certifies: true,
        effort: &["conflicts", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Record, task, monitor),
    },
    Engine {
        name: "widen",
        about: "The same, with one interleaving at first, and then more of them",
        suits: |_| None,
        begins_late: false,
        bounds_contexts: true,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Solves,
        certifies: true,
        effort: &["conflicts", "widen.iterations", "unwind"],
        progress: solve::progress,
        ask: |task, monitor| solve::ask(Method::Widen, task, monitor),
    },
    Engine {
        name: "explore",
        about: "By executing the program in each order that makes a difference",
        suits: |_| Some("it decides everything where executions are few"),
        begins_late: false,
        bounds_contexts: true,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Explores,
        certifies: false,
        effort: &["traces"],
        progress: explore::progress,
        ask: explore::ask,
    },
    Engine {
        name: "states",
        about: "By visiting each state that the program can be in",
        suits: |shape| {
            let suits = shape.starts_threads && !shape.has_large_inputs;
            suits.then_some("executions may be many and states few")
        },
        begins_late: true,
        bounds_contexts: false,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Explores,
        certifies: false,
        effort: &["states"],
        progress: states::progress,
        ask: states::ask,
    },
    Engine {
        name: "lazy",
        about: "One interleaving at a time, those with few context switches first",
        suits: |shape| {
            let suits = shape.starts_threads && shape.has_large_inputs;
            suits.then_some("few context switches are enough for most failures, whatever the inputs")
        },
        begins_late: true,
        bounds_contexts: true,
        suits_bound: Some("it follows interleavings up to the bound, one by one"),
        has_tree: true,
        kind: EngineKind::Explores,
        certifies: false,
        effort: &["interleavings", "states"],
        progress: states::progress_lazy,
        ask: states::ask_lazy,
    },
    Engine {
        name: "run",
        about: "By running the program under random schedules and inputs; finds failures, proves nothing",
        suits: |shape| {
            let suits = shape.starts_threads || shape.has_large_inputs;
            suits.then_some("random schedules fail early in long programs")
        },
        begins_late: true,
        bounds_contexts: false,
        suits_bound: None,
        has_tree: false,
        kind: EngineKind::Tests,
        certifies: false,
        effort: &["runs"],
        progress: runs::progress,
        ask: runs::ask,
    },
];
