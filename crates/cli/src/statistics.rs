//! `--stats`: the size of the problem and of the search.

use crate::explore;
use crate::verdict::count;
use serde_json::{Value, json};
use std::time::Duration;
use tp_engines::Statistics;
use tp_explore::Exploration;

/// For people. There is no time in it: the same program gives the same lines.
pub fn lines(statistics: &Statistics) -> Vec<String> {
    let Statistics { encoded, variables, clauses, conflicts, decisions, lemmas, refined } = statistics;
    let mut lines = vec![
        format!(
            "events: {} on {}; {} with {} to see",
            encoded.events,
            count(encoded.nodes, "ordered step"),
            count(encoded.reads, "read"),
            count(encoded.candidates, "write"),
        ),
        format!(
            "formula: {}, {}; at the end {variables} and {clauses}",
            count(encoded.variables, "variable"),
            count(encoded.clauses, "clause"),
        ),
        format!(
            "search: {}, {}, {}",
            count(*conflicts, "conflict"),
            count(*decisions, "decision"),
            count(*lemmas, "lemma")
        ),
    ];
    if let Some(refined) = refined {
        lines.push(format!(
            "refinement: {} with {} ({:.1} each, {:.1} literals long); {} undecided by the graph, {} of them refuted",
            count(refined.refinements, "refinement"),
            count(refined.reasons, "reason"),
            refined.reasons_per_refinement(),
            refined.average_length(),
            refined.validations,
            refined.refuted_by_solver,
        ));
    }
    lines
}

/// For programs.
pub fn json(statistics: &Statistics) -> Value {
    let Statistics { encoded, variables, clauses, conflicts, decisions, lemmas, refined } = statistics;
    let mut document = json!({
        "events": encoded.events,
        "steps": encoded.nodes,
        "reads": encoded.reads,
        "candidates": encoded.candidates,
        "encoded": { "variables": encoded.variables, "clauses": encoded.clauses },
        "variables": variables,
        "clauses": clauses,
        "conflicts": conflicts,
        "decisions": decisions,
        "lemmas": lemmas,
    });
    if let Some(refined) = refined {
        document["refinements"] = json!({
            "refinements": refined.refinements,
            "reasons": refined.reasons,
            "literals": refined.literals,
            "validations": refined.validations,
            "refuted_by_solver": refined.refuted_by_solver,
        });
    }
    document
}

/// What the engine has counted.
pub enum Numbers {
    Solved(Statistics),
    Explored(Exploration, Duration),
}

impl Numbers {
    pub fn lines(&self) -> Vec<String> {
        match self {
            Numbers::Solved(statistics) => lines(statistics),
            Numbers::Explored(explored, _) => explore::lines(explored),
        }
    }

    pub fn json(&self) -> serde_json::Value {
        match self {
            Numbers::Solved(statistics) => json(statistics),
            Numbers::Explored(explored, _) => explore::json(explored),
        }
    }
}
