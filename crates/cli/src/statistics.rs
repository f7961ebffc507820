//! `--stats`: the size of the problem and of the search.

use serde_json::{Map, Value};
use tp_driver::Counters;
use tp_report::count;

/// For people. There is no time in it: the same program gives the same lines.
pub fn lines(counters: &Counters) -> Vec<String> {
    let get = |name: &str| counters.get(name).unwrap_or(0);
    if counters.get("traces").is_some() {
        return vec![explored(&get)];
    }
    if counters.get("events").is_none() {
        return (!counters.0.is_empty()).then(|| counters.to_string()).into_iter().collect();
    }
    let mut lines = vec![
        format!(
            "events: {} on {}; {}, {}",
            get("events"),
            count(get("steps"), "ordered step"),
            count(get("reads"), "read"),
            count(get("candidates"), "candidate write"),
        ),
        format!(
            "formula: {}, {}; at the end {} and {}",
            count(get("encoded.variables"), "variable"),
            count(get("encoded.clauses"), "clause"),
            get("variables"),
            get("clauses"),
        ),
        format!(
            "search: {}, {}, {}",
            count(get("conflicts"), "conflict"),
            count(get("decisions"), "decision"),
            count(get("lemmas"), "lemma")
        ),
    ];
    if counters.get("refinements.refinements").is_some() {
        lines.push(refined(&get));
    }
    lines
}

fn explored(get: &dyn Fn(&str) -> u64) -> String {
    let (traces, steps) = (count(get("traces"), "trace"), count(get("steps"), "step"));
    let classes = match get("classes") {
        classes @ 2.. => format!("; {classes} classes of inputs"),
        _ => String::new(),
    };
    format!(
        "explored: {traces}, {} blocked, {} redundant; {steps}{classes}",
        get("blocked"),
        get("redundant")
    )
}

fn refined(get: &dyn Fn(&str) -> u64) -> String {
    let (refinements, reasons) = (get("refinements.refinements"), get("refinements.reasons"));
    let mean = |sum: u64, of: u64| if of == 0 { 0.0 } else { sum as f64 / of as f64 };
    format!(
        "refinement: {} with {} ({:.1} each, {:.1} literals long); {} undecided by the graph, {} of them refuted",
        count(refinements, "refinement"),
        count(reasons, "reason"),
        mean(reasons, refinements),
        mean(get("refinements.literals"), reasons),
        get("refinements.validations"),
        get("refinements.refuted_by_solver"),
    )
}

/// For programs: a group is an object.
pub fn json(counters: &Counters) -> Value {
    let mut document = Map::new();
    for (name, number) in &counters.0 {
        match name.split_once('.') {
            None => _ = document.insert((*name).to_owned(), (*number).into()),
            Some((group, name)) => {
                let group = document.entry(group).or_insert_with(|| Map::new().into());
                group[name] = (*number).into();
            }
        }
    }
    document.into()
}
