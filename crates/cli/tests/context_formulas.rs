//! `check --contexts` with the engines that number contexts: what a bound on context switches covers.

mod common;

use common::{root, run};
use serde_json::Value;

const ENGINES: [&str; 2] = ["record", "widen"];

/// The answer to one question about a program of the corpus.
fn check(engine: &str, contexts: &str, property: &str, program: &[&str]) -> Value {
    let arguments =
        ["check", "--json", "--stats", "--engine", engine, "--contexts", contexts, "--property", property];
    let arguments: Vec<&str> = arguments.into_iter().chain(program.iter().copied()).collect();
    serde_json::from_str(&run(&root().join("tests/corpus"), &arguments).stdout).expect("one document")
}

fn verdict(engine: &str, contexts: &str, property: &str, program: &[&str]) -> String {
    let json = check(engine, contexts, property, program);
    let verdict = json["verdict"].as_str().expect("a verdict");
    match verdict {
        "safe within bounds" => format!("{verdict} ({})", json["reason"].as_str().unwrap_or_default()),
        _ => verdict.to_owned(),
    }
}

/// The fewest switches are those of the table in tests/corpus/contexts/README.md.
#[test]
fn a_failure_takes_as_many_switches_as_the_machine_counts() {
    for (file, fewest) in [("reorder", 2), ("twostage", 2), ("wronglock", 3), ("increments", 5)] {
        let file = format!("contexts/{file}.c");
        for engine in ENGINES {
            let (few, enough) = ((fewest - 1).to_string(), fewest.to_string());
            let too_few = verdict(engine, &few, "unreach-call", &[&file]);
            assert_eq!(too_few, format!("safe within bounds (contexts {few})"), "{engine}, {file}");
            assert_eq!(verdict(engine, &enough, "unreach-call", &[&file]), "violated", "{engine}, {file}");
            assert_eq!(verdict(engine, "auto", "unreach-call", &[&file]), "violated", "{engine}, {file}");
        }
    }
}

#[test]
fn deadlocks_and_races_are_found_with_few_switches() {
    for engine in ENGINES {
        assert_eq!(verdict(engine, "2", "no-deadlock", &["deadlock/ab_ba.c"]), "violated", "{engine}");
        assert_eq!(verdict(engine, "1", "no-data-race", &["race/same_value.c"]), "violated", "{engine}");
        assert_eq!(verdict(engine, "2", "no-data-race", &["litmus/mp_relaxed.c"]), "violated", "{engine}");
    }
}

/// The number of switches that is enough is found, and the verdict has no bound.
#[test]
fn what_no_execution_wants_more_of_is_no_bound() {
    let program = ["contexts/micro.c", "-DROUNDS=1"];
    for engine in ENGINES {
        assert_eq!(
            verdict(engine, "1", "unreach-call", &program),
            "safe within bounds (contexts 1)",
            "{engine}"
        );
        for contexts in ["auto", "1000000"] {
            assert_eq!(verdict(engine, contexts, "unreach-call", &program), "safe", "{engine}, {contexts}");
        }
    }
}

#[test]
fn widening_counts_its_questions() {
    let json = check("widen", "3", "unreach-call", &["contexts/wronglock.c"]);
    let statistics = &json["statistics"];
    assert!(statistics["widen"]["iterations"].as_u64().is_some_and(|n| n > 1), "{statistics}");
    assert!(statistics["contexts"].as_u64().is_some_and(|n| (3..=4).contains(&n)), "{statistics}");
}
