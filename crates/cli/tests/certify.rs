//! `check --certify` and `certify` as commands: what they say, how they end, and that nothing in a file can upset them.
//! That the proofs of all programs below tests/check are accepted is tested in `ui`.

mod common;

use common::{root, run, scratch, scratch_with};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A scratch folder, and a program of tests/check by its whole path.
fn program(test: &str, name: &str) -> (PathBuf, String) {
    let path = root().join("tests/check").join(name);
    (scratch(&format!("certify/{test}")), path.to_string_lossy().into_owned())
}

const SAFE: &str = "mutex/lost_update_fixed.c";

/// The text of the certificate of a safe program, after it was checked.
fn proof_of_safe(folder: &Path, name: &str, arguments: &[&str]) -> String {
    let done = run(folder, &[&["check", name, "--certify", "proof"], arguments].concat());
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    fs::read_to_string(folder.join("proof")).expect("it was written")
}

fn document(folder: &Path, arguments: &[&str]) -> Value {
    let done = run(folder, arguments);
    serde_json::from_str(&done.stdout).unwrap_or_else(|e| panic!("{e}\n{}{}", done.stdout, done.stderr))
}

#[test]
fn a_proof_and_its_check() {
    let (folder, name) = program("proof", SAFE);
    let done = run(&folder, &["check", &name, "--certify", "proof"]);
    let line = done.stdout.lines().rev().nth(1).unwrap_or_default();
    assert!(line.starts_with("certificate: proof ("), "{}", done.stdout);
    assert!(line.ends_with("); check it with: threadproof certify proof"), "{}", done.stdout);
    let checked = run(&folder, &["certify", "proof"]);
    assert_eq!(checked.status, 0, "{}", checked.stderr);
    let lines: Vec<&str> = checked.stdout.lines().collect();
    let [about, ledger @ .., fails, by, waits, _, races, by_facts, accepted] = &lines[..] else {
        panic!("{}", checked.stdout)
    };
    assert!(about.contains(&name) && about.ends_with(": safe"), "{about}");
    let looked_for = |line: &&str| line.starts_with("looked for: ") && line.contains("data races, deadlocks");
    assert!(ledger.iter().any(looked_for), "{ledger:?}");
    let shown = [fails, waits, races].map(|line| *line);
    let expect = [
        "shown: nothing fails, and the program was followed to its end",
        "shown: no thread waits for ever",
        "shown: no two accesses race",
    ];
    assert_eq!(shown, expect);
    assert!(by.starts_with("by: ") && by.contains(" lemmas, "), "{by}");
    assert!(by_facts.ends_with(" pairs of accesses"), "{by_facts}");
    assert_eq!(*accepted, "certificate: accepted");
}

fn count(document: &Value, what: &str) -> u64 {
    document[what].as_u64().expect("a number")
}

#[test]
fn json_says_what_the_text_says() {
    let (folder, name) = program("json", SAFE);
    let check = document(&folder, &["check", &name, "--certify", "proof", "--json"]);
    let written = &check["ledger"]["certificate"];
    assert_eq!(written["path"], "proof", "{check}");
    let certify = document(&folder, &["certify", "proof", "--json"]);
    assert_eq!((&certify["accepted"], &certify["verdict"]), (&true.into(), &"safe".into()));
    let parts = certify["parts"].as_array().expect("a list");
    let sum = |what: &str| parts.iter().filter_map(|part| part[what].as_u64()).sum::<u64>();
    assert_eq!((sum("lemmas"), sum("steps")), (count(written, "lemmas"), count(written, "steps")));
    assert!(parts[0]["goals"].as_array().is_some_and(|goals| !goals.is_empty()), "{certify}");
    let text = fs::read_to_string(folder.join("proof")).expect("it was written");
    fs::write(folder.join("wrong"), text.replacen("cycle ", "cycle 0 ", 1)).expect("it is writable");
    let certify = document(&folder, &["certify", "wrong", "--json"]);
    assert_eq!(certify["accepted"], false);
    assert!(certify["lemma"].is_u64() && certify["line"].is_u64(), "{certify}");
}

/// All engines start from one formula, and the same question gives the same file.
#[test]
fn every_engine_leaves_a_proof() {
    let (folder, name) = program("engines", SAFE);
    let proofs = ["order", "refine", "clocks"].map(|engine| {
        let first = proof_of_safe(&folder, &name, &["--engine", engine]);
        assert_eq!(first, proof_of_safe(&folder, &name, &["--engine", engine]), "{engine}");
        assert_eq!(run(&folder, &["certify", "proof"]).status, 0, "{engine}");
        first
    });
    assert_eq!(proofs[1], proofs[2]);
}

#[test]
fn what_does_not_hold_is_named() {
    let (folder, name) = program("wrong", SAFE);
    let text = proof_of_safe(&folder, &name, &[]);
    let lemma = text.lines().position(|l| l.starts_with("lemma ")).expect("it needs lemmas");
    let rejects = |change: &dyn Fn(&str) -> String, words: &str| {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(i, line)| if i == lemma { change(line) } else { line.to_owned() });
        fs::write(folder.join("wrong"), lines.collect::<Vec<_>>().join("\n") + "\n").expect("it is writable");
        let done = run(&folder, &["certify", "wrong"]);
        assert_eq!((done.status, done.stdout.as_str()), (10, "certificate: rejected\n"), "{}", done.stderr);
        assert!(
            done.stderr.starts_with("error: wrong: line ") && done.stderr.contains(words),
            "{}",
            done.stderr
        );
    };
    let number = text.lines().nth(lemma).and_then(|l| l.split(' ').nth(1)).expect("a number");
    rejects(&|_| format!("lemma {number}"), &format!("lemma {number} does not hold"));
    rejects(&|line| line.replacen("lemma", "clause", 1), "this is a part of a lemma");
    rejects(&|_| String::new(), "this is a part of a lemma");
}

#[test]
fn what_is_no_certificate() {
    let folder = scratch_with("certify/none", "a.c", "int main(void) { return 0; }\n");
    for (file, words) in [("a.c", "this is no certificate"), ("missing", "No such file"), (".", "directory")]
    {
        let done = run(&folder, &["certify", file]);
        assert_eq!(done.status, 2, "{file}: {}", done.stderr);
        assert!(done.stderr.starts_with(&format!("error: cannot read {file}: ")), "{}", done.stderr);
        assert!(done.stderr.contains(words), "{}", done.stderr);
    }
    assert_eq!(run(&folder, &["certify"]).status, 1);
}

/// A program without anything that could fail has a certificate that says so.
#[test]
fn nothing_to_show() {
    let folder = scratch_with("certify/nothing", "a.c", "int main(void) { return 0; }\n");
    let text = proof_of_safe(&folder, "a.c", &[]);
    assert!(!text.contains("\ngoal "), "{text}");
    let checked = run(&folder, &["certify", "proof"]);
    assert!(checked.stdout.contains("\nby: nothing is left that could be reached"), "{}", checked.stdout);
}

#[test]
fn a_bounded_proof_says_its_bound() {
    let text = "#include <threadproof.h>
int main(void) {
    unsigned x = 0;
    while (tp_input_bool(\"more\"))
        x += 2;
    tp_assert(x != 3);
    return 0;
}
";
    let folder = scratch_with("certify/bounds", "a.c", text);
    let done = run(&folder, &["check", "a.c", "--unwind", "3", "--certify", "proof"]);
    assert_eq!(done.status, 5, "{}{}", done.stdout, done.stderr);
    let certify = document(&folder, &["certify", "proof", "--json"]);
    assert_eq!(certify["verdict"], "safe within bounds (unwind 3)", "{certify}");
    let goals = certify["parts"][0]["goals"].as_array().expect("a list");
    assert!(
        goals.iter().all(|g| g.as_str().is_some_and(|g| g.starts_with("assertion failed at a.c:6"))),
        "{goals:?}"
    );
}

/// The verdict stays, and the command says that there is no certificate.
#[test]
fn verdicts_without_a_certificate() {
    let (folder, violated) = program("without", "mutex/lost_update.c");
    let done = run(&folder, &["check", &violated, "--certify", "proof"]);
    assert_eq!(done.status, 10, "{}{}", done.stdout, done.stderr);
    let note = "note: no certificate was written: there is none for `verdict: violated (data race)`";
    assert!(done.stderr.contains(note), "{}", done.stderr);
    assert!(!done.stdout.contains("certificate") && !folder.join("proof").exists());
    let (_, safe) = program("without", SAFE);
    let done = run(&folder, &["check", &safe, "--certify", "no/such/folder/proof"]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("warning: cannot write no/such/folder/proof"), "{}", done.stderr);
    assert!(!done.stdout.contains("certificate"), "{}", done.stdout);
}
