//! Whatever the command is given, it answers with a sentence and an exit status from the table, and never panics.

mod common;

use common::{Done, run, scratch, scratch_with};
use std::fs;
use std::path::Path;
use std::process::Command;

const USAGE: i32 = 1;
const SOURCE: i32 = 2;
const UNKNOWN: i32 = 5;
const VIOLATED: i32 = 10;

const RACE: &str = "#include <pthread.h>
static int x;
static void *add(void *p) { x++; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

/// The command ended with this status and said this, somewhere; and it did not panic.
#[track_caller]
fn expect(done: &Done, status: i32, words: &str) {
    let said = format!("{}{}", done.stdout, done.stderr);
    assert!(!said.contains("panicked") && !said.contains("internal error"), "{said}");
    assert_eq!(done.status, status, "{said}");
    assert!(said.contains(words), "`{words}` is not in:\n{said}");
}

/// Runs `threadproof run a.c` on a text, with more arguments.
fn run_text(name: &str, text: &str, arguments: &[&str]) -> Done {
    let folder = scratch_with(&format!("bad/{name}"), "a.c", text);
    run(&folder, &[&["run", "a.c"], arguments].concat())
}

#[test]
fn arguments_that_make_no_sense() {
    let folder = scratch_with("bad/arguments", "a.c", RACE);
    let cases: &[(&[&str], &str)] = &[
        (&[], "Usage"),
        (&["run"], "FILE"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["run", "a.c", "--frobnicate"], "--frobnicate"),
        (&["run", "a.c", "--runs", "many"], "many"),
        (&["run", "a.c", "--runs", "0"], "0"),
        (&["run", "a.c", "--scheduler", "unfair"], "random"),
        (&["run", "a.c", "--scheduler", "pct:"], "pct"),
        (&["run", "a.c", "--property", "happiness"], "`happiness` is not a property"),
        (&["run", "a.c", "--input", "amount"], "NAME=VALUE"),
        (&["run", "a.c", "--memory", "12Q"], "units"),
        (&["run", "a.c", "--data-model", "LP128"], "ILP32"),
        (&["replay"], "FILE"),
    ];
    for (arguments, words) in cases {
        expect(&run(&folder, arguments), USAGE, words);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = scratch_with("bad/files", "a.c", RACE);
    fs::create_dir(folder.join("folder.c")).expect("the scratch folder is writable");
    expect(&run(&folder, &["run", "missing.c"]), SOURCE, "cannot read missing.c");
    expect(&run(&folder, &["ir", "missing.c"]), SOURCE, "cannot read missing.c");
    expect(&run(&folder, &["run", "folder.c"]), SOURCE, "folder.c");
    expect(&run(&folder, &["run", "a.c", "--models", "missing.c"]), SOURCE, "cannot read missing.c");
    expect(
        &run(&folder, &["run", "a.c", "--compile-commands", "missing.json"]),
        SOURCE,
        "cannot read missing.json",
    );
    expect(&run(&folder, &["run", "a.c", "--clang", "no-such-clang"]), SOURCE, "no-such-clang");
    expect(&run(&folder, &["replay", "missing.witness"]), SOURCE, "cannot read missing.witness");
}

#[test]
fn c_that_does_not_compile() {
    expect(
        &run_text("syntax", "int main(void) { return x; }\n", &[]),
        SOURCE,
        "a.c:1:25: error: use of undeclared",
    );
    expect(&run_text("empty", "", &[]), SOURCE, "no `main`");
    expect(&run_text("no_main", "int f(void) { return 1; }\n", &[]), SOURCE, "no `main`");
    expect(&run_text("std", "int main(void) { return 0; }\n", &["--std", "c1066"]), SOURCE, "c1066");
    expect(&run_text("zeros", &"\0".repeat(100), &[]), SOURCE, "error: ");
    let folder = scratch_with("bad/twice", "a.c", RACE);
    expect(&run(&folder, &["run", "a.c", "a.c"]), SOURCE, "defined twice");
}

#[test]
fn bitcode_that_is_none_or_not_ours() {
    let folder = scratch_with("bad/bitcode", "a.c", RACE);
    clang(&folder, &["-c", "-emit-llvm", "-O0", "a.c", "-o", "good.bc"]);
    clang(
        &folder,
        &["--target=sparc-none-elf", "-ffreestanding", "-c", "-emit-llvm", "-x", "c", "-", "-o", "sparc.bc"],
    );
    let good = fs::read(folder.join("good.bc")).expect("clang wrote it");
    for cut in [4, 64, 800, good.len() - 8] {
        fs::write(folder.join("cut.bc"), &good[..cut]).expect("the scratch folder is writable");
        expect(&run(&folder, &["run", "cut.bc"]), SOURCE, "cut.bc is not LLVM bitcode");
    }
    for (name, bytes) in [("elf.bc", &b"\x7fELF\x02\x01\x01"[..]), ("text.bc", b"hello")] {
        fs::write(folder.join(name), bytes).expect("the scratch folder is writable");
        expect(&run(&folder, &["run", name]), SOURCE, name);
    }
    fs::write(folder.join("half.ll"), "define i32 @main() {").expect("the scratch folder is writable");
    expect(&run(&folder, &["run", "half.ll"]), SOURCE, "half.ll");
    expect(&run(&folder, &["run", "sparc.bc"]), SOURCE, "sparc.bc");
    expect(&run(&folder, &["run", "good.bc", "--data-model", "ILP32"]), SOURCE, "good.bc");
    expect(&run(&folder, &["run", "good.bc"]), VIOLATED, "verdict: violated (data race)");
}

/// clang-22 on a program without system headers on its standard input.
fn clang(folder: &Path, arguments: &[&str]) {
    let text = folder.join("plain.c");
    fs::write(&text, "int main(void) { return 0; }\n").expect("the scratch folder is writable");
    let input = fs::File::open(text).expect("it was just written");
    let status = Command::new("clang-22").current_dir(folder).args(arguments).stdin(input).status();
    assert!(status.is_ok_and(|s| s.success()), "clang-22 {arguments:?}");
}

#[test]
fn traces_of_something_else() {
    let folder = scratch_with("bad/traces", "a.c", RACE);
    expect(&run(&folder, &["run", "a.c", "--trace", "t"]), VIOLATED, "verdict: violated (data race)");
    let trace = fs::read_to_string(folder.join("t")).expect("a violation is recorded");
    expect(&run(&folder, &["replay", "a.c"]), SOURCE, "not a witness");
    let damaged = [
        ("{}".to_owned(), "not a witness"),
        (String::new(), "not a witness"),
        (trace[..trace.len() / 2].to_owned(), "not a witness"),
        (trace.replace("\"version\": 1", "\"version\": 999"), "999"),
        (trace.replace("a.c", "b.c"), "b.c"),
    ];
    for (text, words) in damaged {
        fs::write(folder.join("damaged"), text).expect("the scratch folder is writable");
        expect(&run(&folder, &["replay", "damaged"]), SOURCE, words);
    }
    fs::write(folder.join("a.c"), RACE.replace("x++", "x += 2")).expect("the scratch folder is writable");
    expect(&run(&folder, &["replay", "t"]), SOURCE, "another version of the program");
}

#[test]
fn a_schedule_that_does_not_fit_the_program() {
    let folder = scratch_with("bad/schedule", "a.c", RACE);
    expect(&run(&folder, &["run", "a.c", "--trace", "t"]), VIOLATED, "data race");
    let trace = fs::read_to_string(folder.join("t")).expect("a violation is recorded");
    let schedule = trace.find("\"schedule\"").expect("a trace has a schedule");
    let end = schedule + trace[schedule..].find('\n').expect("a line of its own");
    for other in ["[]", "[[7,1]]", "[[0,1000000]]", "[[0,0]]", "[[1,1]]"] {
        let changed = format!("{}\"schedule\": {other},{}", &trace[..schedule], &trace[end..]);
        fs::write(folder.join("changed"), changed).expect("the scratch folder is writable");
        let done = run(&folder, &["replay", "changed"]);
        assert!(
            [SOURCE, UNKNOWN].contains(&done.status),
            "{other}: {}\n{}{}",
            done.status,
            done.stdout,
            done.stderr
        );
        assert!(!done.stderr.contains("internal error"), "{other}: {}", done.stderr);
    }
}

#[test]
fn programs_without_an_end() {
    let deep = "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n";
    expect(&run_text("deep", deep, &["--runs", "1"]), UNKNOWN, "verdict: unknown (calls nested too deeply)");
    let forever = "int main(void) { volatile int x = 1; while (x) {} return 0; }\n";
    let done = run_text("forever", forever, &["--runs", "2", "--max-steps", "1000"]);
    expect(&done, UNKNOWN, "verdict: unknown (more than 1000 steps)");
    let hungry = "#include <stdlib.h>
static char *all[100000];
int main(void) { for (int i = 0; i < 100000; i++) { all[i] = malloc(1 << 20); all[i][0] = 1; } return 0; }
";
    let done = run_text("hungry", hungry, &["--runs", "1", "--memory", "64M"]);
    expect(&done, UNKNOWN, "verdict: unknown (out of memory)");
    let huge = "static int table[1 << 28];\nint main(void) { return table[5]; }\n";
    let done = run_text("huge", huge, &["--runs", "1", "--memory", "64M"]);
    expect(&done, UNKNOWN, "verdict: unknown (out of memory)");
    let threads = "#include <pthread.h>
static void *wait(void *p) { for (;;) {} return p; }
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, wait, 0); }
";
    let done = run_text("threads", threads, &["--runs", "1", "--max-steps", "20000"]);
    expect(&done, UNKNOWN, "verdict: unknown");
}

#[test]
fn what_cannot_be_written_is_said() {
    let folder = scratch("bad/unwritable");
    fs::write(folder.join("a.c"), RACE).expect("the scratch folder is writable");
    let done = run(&folder, &["run", "a.c", "--trace", "no/such/folder/t"]);
    let said = format!("{}{}", done.stdout, done.stderr);
    assert!(said.contains("no/such/folder/t"), "{said}");
}

#[test]
fn an_error_is_a_document_too() {
    let done = run_text("json", "int main(void) { return x; }\n", &["--json"]);
    expect(&done, SOURCE, "");
    let document: serde_json::Value = serde_json::from_str(&done.stdout).expect("standard output is JSON");
    assert!(
        document["error"].as_str().is_some_and(|e| e.contains("undeclared identifier 'x'")),
        "{document}"
    );
}
