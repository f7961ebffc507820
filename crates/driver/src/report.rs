//! What an engine answers.

use std::fmt;
use tp_engines::Certified;
use tp_explore::Tree;
use tp_ir::{Checks, FuncId, PlaceId, Program};
use tp_machine::{Finding, Trace, Within};

pub struct Report {
    /// The status of each property that was asked about: disjoint sets that together are all of them; at most one is
    /// open.
    pub status: Vec<(Checks, Status)>,
    /// Some of the unknown properties: they hold within these bounds.
    pub within: Vec<(Checks, Within)>,
    /// The failing run, if something is violated.
    pub failure: Option<Failure>,
    /// The proof that nothing fails, or why there is none, where one was asked for.
    pub certificate: Certified,
    /// The size of the problem and of the search.
    pub counters: Counters,
    /// What the engine has gone through, if it was asked for.
    pub tree: Option<Tree>,
    /// What the answer rests on, as far as only the engine knows.
    pub basis: Basis,
}

/// What is known of a property.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// No execution violates it.
    Holds,
    /// No execution within these bounds violates it; these loops go further.
    HoldsWithin {
        within: Within,
        loops: Vec<PlaceId>,
    },
    /// An execution violates it: `Report::failure`.
    Violated,
    /// It is not known, and the task allows that.
    Open,
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// The monitor has stopped the engine, or another property is violated.
    Stopped,
    /// The program is too large to be followed.
    TooLarge,
    /// Something was reached that cannot be expressed; whether a run can go past it.
    Gap { what: String, place: PlaceId, can_run: bool },
    /// A function without body and model was reached.
    Unmodelled { function: String, place: PlaceId },
    /// The program does something undefined that is not looked for.
    Undefined { message: String, place: PlaceId },
    /// The same, met by a run.
    MetUndefined(Box<Finding>),
    /// The same, met when the counterexample for this place was executed.
    MetInReplay { finding: Box<Finding>, place: PlaceId },
    /// No execution within the bound gets far enough to start a thread, because of this loop.
    NothingReached { place: PlaceId },
    /// Another reason, as a sentence.
    Other(String),
    /// A defect of ours: it says nothing about the program.
    Defect(String),
}

impl Reason {
    /// As in `verdict: unknown (…)`.
    pub fn words(&self, program: &Program) -> String {
        let at = |place: Option<PlaceId>| place.and_then(|place| program.line_text(place));
        let undefined = |place: Option<String>| {
            let place = place.map_or(String::new(), |place| format!(": {place}"));
            format!("undefined behaviour comes first{place}")
        };
        match self {
            Reason::Stopped => "stopped".to_owned(),
            Reason::TooLarge => "too large".to_owned(),
            Reason::Gap { what, .. } => tp_report::unsupported(what),
            Reason::Unmodelled { function, .. } => format!("no model for `{function}`"),
            Reason::NothingReached { place } => {
                let place = at(Some(*place)).map_or(String::new(), |place| format!(": the loop at {place}"));
                format!("nothing was reached{place}")
            }
            Reason::Undefined { place, .. } | Reason::MetInReplay { place, .. } => {
                undefined(at(Some(*place)))
            }
            Reason::MetUndefined(finding) => undefined(at(finding.place())),
            Reason::Other(sentence) | Reason::Defect(sentence) => sentence.clone(),
        }
    }
}

/// A violation, and the decisions that lead to it.
#[derive(Clone, Debug)]
pub struct Failure {
    pub finding: Box<Finding>,
    pub trace: Box<Trace>,
}

/// Numbers by their names, in the order in which they are shown. A dot makes a group: `encoded.clauses`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counters(pub Vec<(&'static str, u64)>);

impl Counters {
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|counter| counter.0 == name).map(|counter| counter.1)
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|(name, count)| format!("{name}={count}")).collect();
        f.write_str(&words.join(" "))
    }
}

#[derive(Clone, Default, Debug)]
pub struct Basis {
    /// If loops were unwound: the last bound that was checked completely, and the next one.
    pub bound: Option<u32>,
    pub next_bound: Option<u32>,
    /// If context switches were bounded: the bound that was worked at last.
    pub next_contexts: Option<u32>,
    /// Functions that were not entered within the bound.
    pub not_entered: Vec<FuncId>,
    /// The program can start threads, and no execution does.
    pub no_threads: bool,
    /// What is computed depends on addresses as numbers.
    pub sees_addresses: bool,
    /// Where objects lie then, if not where the ledger says by default.
    pub layout: Option<&'static str>,
    /// The answer holds up to the first undefined behaviour.
    pub until_undefined: bool,
    /// Executions that were explored to their ends; none of them fails.
    pub executions: Option<u64>,
}

impl Report {
    /// The report of an engine that has not begun.
    pub fn nothing_yet(checks: Checks) -> Report {
        Report {
            status: vec![(checks, Status::Unknown(Reason::Stopped))],
            within: Vec::new(),
            failure: None,
            certificate: None,
            counters: Counters::default(),
            tree: None,
            basis: Basis::default(),
        }
    }

    /// This property is violated; nothing is known of the others.
    pub fn violated(checks: Checks, failure: Failure) -> Report {
        let violated = Checks::NONE.with(failure.finding.property);
        let rest = (checks.minus(violated), Status::Unknown(Reason::Stopped));
        let parts = [rest, (violated, Status::Violated)].into_iter().filter(|part| part.0 != Checks::NONE);
        Report { status: parts.collect(), failure: Some(failure), ..Report::nothing_yet(checks) }
    }

    /// The worst status of all properties: violated, then unknown, then the smallest bound. `Open` counts only if
    /// nothing else is left.
    pub fn overall(&self) -> &Status {
        let rank = |status: &Status| match status {
            Status::Violated => 0,
            Status::Unknown(reason) => 1 + u32::from(*reason == Reason::Stopped),
            Status::HoldsWithin { .. } => 3,
            Status::Holds => 4,
            Status::Open => 5,
        };
        let bound = |status: &Status| match status {
            Status::HoldsWithin { within, .. } => within.rank(),
            _ => (0, 0),
        };
        let all = self.status.iter().map(|part| &part.1);
        all.min_by_key(|status| (rank(status), bound(status))).unwrap_or(&Status::Holds)
    }

    /// The properties with a better status than the overall one: they hold (`None`), or hold up to a bound.
    pub fn better_than_overall(&self) -> Vec<(Checks, Option<Within>)> {
        let overall = self.overall();
        let better = |(checks, status): &(Checks, Status)| match (overall, status) {
            (Status::Unknown(_) | Status::HoldsWithin { .. }, Status::Holds) => Some((*checks, None)),
            (Status::Unknown(_), Status::HoldsWithin { within, .. }) => Some((*checks, Some(*within))),
            (Status::HoldsWithin { within, .. }, Status::HoldsWithin { within: more, .. }) => {
                (!more.is_covered_by(within)).then_some((*checks, Some(*more)))
            }
            _ => None,
        };
        let unknown = self.within.iter().filter(|_| matches!(overall, Status::Unknown(_)));
        let unknown = unknown.map(|(checks, within)| (*checks, Some(*within)));
        self.status.iter().filter_map(better).chain(unknown).collect()
    }

    /// The properties that have stayed open.
    pub fn open(&self) -> Checks {
        self.status.iter().find(|part| part.1 == Status::Open).map_or(Checks::NONE, |part| part.0)
    }

    /// No other engine could say more.
    pub fn is_final(&self) -> bool {
        match self.overall() {
            Status::Holds | Status::Violated | Status::Open => true,
            Status::HoldsWithin { .. } => false,
            Status::Unknown(reason) => matches!(reason, Reason::Defect(_)),
        }
    }

    /// It says more than that the engine was stopped.
    pub fn says_something(&self) -> bool {
        !matches!(self.overall(), Status::Unknown(Reason::Stopped))
    }
}
