//! Bounds on context switches: what `check --contexts` says, and who keeps to them.

mod common;

use common::{Done, root, run, scratch};
use serde_json::Value;
use std::fs;

/// The program of Fig. 1 of Cordeiro and Fischer needs five switches to fail.
const FEWEST: u32 = 5;

fn check(test: &str, arguments: &[&str]) -> Done {
    let folder = scratch(&format!("contexts/{test}"));
    let program = root().join("tests/corpus/contexts/increments.c");
    let program = program.to_string_lossy();
    run(&folder, &[&["check", "--property", "unreach-call", &program], arguments].concat())
}

fn last_line(done: &Done) -> &str {
    done.stdout.lines().last().unwrap_or_default()
}

#[test]
fn one_switch_less_is_safe_within_bounds() {
    for engine in ["lazy", "explore", "record", "widen"] {
        let below = (FEWEST - 1).to_string();
        let done = check(&format!("below-{engine}"), &["--engine", engine, "--contexts", &below]);
        assert_eq!(last_line(&done), "verdict: safe within bounds (contexts 4)", "{engine}: {}", done.stderr);
        assert_eq!(done.status, 5);
        assert!(done.stdout.contains("not followed: executions with more than 4 context switches\n"));
        assert!(done.stdout.contains("ended by: --contexts 4\n"));
        let at = FEWEST.to_string();
        let done = check(&format!("at-{engine}"), &["--engine", engine, "--contexts", &at]);
        assert_eq!(last_line(&done), "verdict: violated (assertion failed)");
        assert!(done.stdout.contains("5 context switches; replay with"), "{}", done.stdout);
    }
}

#[test]
fn the_bound_is_deepened_until_something_fails() {
    for contexts in [&["--contexts", "auto"][..], &[]] {
        let done = check("auto", &[&["--engine", "lazy", "--stats"], contexts].concat());
        assert_eq!(done.stdout.contains("found with `--contexts 5`"), !contexts.is_empty());
        assert_eq!(last_line(&done), "verdict: violated (assertion failed)");
        assert!(done.stdout.contains(" contexts=5 failed=1 switches=5\n"), "{}", done.stdout);
    }
}

#[test]
fn enough_switches_prove_it() {
    let folder = scratch("contexts/enough");
    let program = root().join("tests/corpus/contexts/micro.c");
    let program = program.to_string_lossy();
    let arguments = ["check", "--engine", "lazy", "--contexts", "17", "--property", "unreach-call", &program];
    let done = run(&folder, &arguments);
    assert_eq!(last_line(&done), "verdict: safe", "{}", done.stdout);
}

#[test]
fn in_json() {
    let done = check("json", &["--engine", "lazy", "--contexts", "2", "--json"]);
    let document: Value = serde_json::from_str(&done.stdout).expect("one JSON document");
    assert_eq!(
        (&document["verdict"], &document["reason"]),
        (&"safe within bounds".into(), &"contexts 2".into())
    );
    let bounds = &document["ledger"]["bounds"];
    assert_eq!((&bounds["contexts"], &bounds["ended_by"]), (&2.into(), &"--contexts 2".into()));
    assert_eq!(document["statistics"]["contexts"], 2);
}

#[test]
fn the_tree_is_a_picture() {
    let done =
        check("tree", &["--engine", "lazy", "--contexts", "5", "--no-reduction", "--tree", "tree.svg"]);
    assert_eq!(done.status, 10, "{}", done.stderr);
    let written = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("contexts/tree/tree.svg");
    let picture = fs::read_to_string(written).expect("the picture is there");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains("thread 2, ") && picture.contains("#c00000"));
}

#[test]
fn arguments_that_make_no_sense() {
    let check = |arguments: &[&str], words: &str| {
        let done = check("usage", arguments);
        assert_eq!(done.status, 1, "{arguments:?}");
        assert!(done.stderr.contains(words), "{arguments:?}: {}", done.stderr);
    };
    check(&["--engine", "order", "--contexts", "2"], "--contexts: this engine keeps to no such bound; use ");
    check(&["--engine", "lazy", "--contexts", "few"], "it is a number of context switches, or `auto`");
    check(&["--engine", "order", "--tree", "tree.svg"], "--tree: only with `--engine lazy`");
    check(&["--engine", "order", "--no-reduction"], "--no-reduction: only with `--engine lazy`");
}

#[test]
fn who_is_asked_and_why() {
    let done = check("verbose", &["--engine", "auto", "--verbose"]);
    for engine in ["order", "explore", "states", "run"] {
        assert!(done.stderr.contains(&format!("engine {engine}: ")), "{}", done.stderr);
    }
    assert!(done.stderr.contains("answered by: "), "{}", done.stderr);
    let bounded = check("verbose-bound", &["--engine", "auto", "--verbose", "--contexts", "2"]);
    assert!(
        bounded.stderr.contains("engine lazy: it follows interleavings up to the bound"),
        "{}",
        bounded.stderr
    );
    assert!(!bounded.stderr.contains("engine order: "), "{}", bounded.stderr);
}
