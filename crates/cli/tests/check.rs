//! `threadproof check` as a whole: JSON says what the text says, bounds and limits end in an honest verdict, and the same
//! program gives the same answer. What it says about single programs is in tests/check.

mod common;

use common::{Done, done, root, run, scratch, scratch_with, threadproof};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const VIOLATED: &str = "mutex/lost_update.c";
const SAFE: &str = "mutex/lost_update_fixed.c";
const UNMODELLED: &str = "unmodelled/stop.c";

/// Grows with every iteration, and never fails.
const ENDLESS: &str = "#include <pthread.h>
#include <threadproof.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *work(void *unused) {
    while (tp_input_bool(\"more\")) {
        pthread_mutex_lock(&lock);
        x += 3;
        y += 3;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    while (tp_input_bool(\"look\")) {
        pthread_mutex_lock(&lock);
        tp_assert(x == y);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
";

/// Every iteration takes more memory than the one before.
const HUNGRY: &str = "#include <threadproof.h>
static int table[256];
int main(void) {
    while (tp_input_bool(\"more\"))
        table[tp_input_uchar(\"index\")] += tp_input_int(\"amount\");
    int first = table[0];
    tp_assert(first == table[0]);
    return 0;
}
";

/// A scratch folder, and a program of tests/check by its whole path.
fn program(test: &str, name: &str) -> (PathBuf, String) {
    let path = root().join("tests/check").join(name);
    (scratch(&format!("check/{test}")), path.to_string_lossy().into_owned())
}

fn document(folder: &Path, arguments: &[&str]) -> Value {
    let done = run(folder, arguments);
    serde_json::from_str(&done.stdout).unwrap_or_else(|e| panic!("{e}\n{}{}", done.stdout, done.stderr))
}

fn last_line(done: &Done) -> &str {
    done.stdout.lines().last().unwrap_or("")
}

#[test]
fn a_violation_in_json() {
    let (folder, name) = program("violated", VIOLATED);
    let json = document(&folder, &["check", &name, "--json", "--property", "assert", "--witness", "w"]);
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["reason"], "assertion failed");
    assert_eq!(json["diagnostic"]["property"], "assert");
    assert_eq!(json["trace"], "w");
    let steps = json["steps"].as_array().expect("the steps of the run");
    assert!(steps.iter().any(|s| s["text"] == "counter = 1 (write)"), "{steps:?}");
    let replayed = document(&folder, &["replay", "w", "--json"]);
    assert_eq!(replayed["steps"], json["steps"]);
    assert_eq!(replayed["diagnostic"]["message"], json["diagnostic"]["message"]);
    let written: Value =
        serde_json::from_slice(&fs::read(folder.join("w")).expect("a witness")).expect("JSON");
    assert_eq!(json["witness"], written);
}

#[test]
fn the_witness_has_a_name_by_itself() {
    let (folder, name) = program("default", VIOLATED);
    let done = run(&folder, &["check", &name]);
    assert_eq!(done.status, 10, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("replay with: threadproof replay lost_update.witness"), "{}", done.stdout);
    assert_eq!(run(&folder, &["replay", "lost_update.witness"]).status, 10);
    let done = run(&folder, &["check", &name, "--witness", "no/such/folder/w"]);
    assert_eq!(done.status, 10, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("cannot write no/such/folder/w"), "{}", done.stderr);
    assert!(!done.stdout.contains("replay with"), "{}", done.stdout);
}

#[test]
fn a_proof_in_json() {
    let (folder, name) = program("safe", SAFE);
    let json = document(&folder, &["check", &name, "--json", "--engine", "refine"]);
    assert_eq!((&json["verdict"], &json["reason"]), (&Value::from("safe"), &Value::Null));
    assert_eq!(json["engine"], "refine");
    assert_eq!(json["ledger"]["not_checked"], serde_json::json!(["uninitialised"]));
    assert_eq!(json["ledger"]["memory_model"], "sequentially consistent");
    assert!(json["statistics"]["events"].as_u64() > Some(0), "{json}");
    assert!(json["statistics"]["refinements"]["refinements"].is_u64(), "{json}");
    assert!(json["resources"]["peak_memory"].as_u64() > Some(1 << 20), "{json}");
}

/// Reaching `__builtin_unreachable` is undefined, and no property covers it: all engines say so.
#[test]
fn unreachable_code_that_is_reached() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 4)
        __builtin_unreachable();
    return 0;
}
";
    let folder = scratch_with("check/unreachable", "a.c", text);
    for engine in ["order", "refine", "clocks", "explore"] {
        let done = run(&folder, &["check", "a.c", "--engine", engine]);
        assert_eq!(done.status, 5, "{engine}: {}{}", done.stdout, done.stderr);
        let reason = "control reaches code that the program declares unreachable";
        assert!(done.stdout.contains(reason), "{engine}: {}", done.stdout);
        let verdict = "verdict: unknown (undefined behaviour comes first: a.c:4)";
        assert_eq!(last_line(&done), verdict, "{engine}: {}", done.stdout);
    }
}

/// Where an address went through a number, or two locks share their memory, the race analysis leaves the answer to others.
#[test]
fn races_through_numbers_are_not_called_safe() {
    let self_relative = "#include <pthread.h>
static int x;
static struct { long away; } r;
static void *set(void *unused) { *(int *)((char *)&r + r.away) = 1; return unused; }
int main(void) {
    pthread_t t;
    r.away = (char *)&x - (char *)&r;
    pthread_create(&t, 0, set, 0);
    x = 2;
    return 0;
}
";
    let of = |name: &str| std::fs::read_to_string(root().join("tests/check/race").join(name)).unwrap();
    let sources =
        [self_relative.to_owned(), of("rebuilt_address.c"), of("printed_address.c"), of("union_of_locks.c")];
    for (i, text) in sources.iter().enumerate() {
        let folder = scratch_with(&format!("check/numbers{i}"), "a.c", text);
        for engine in ["order", "refine", "clocks"] {
            let arguments = ["check", "a.c", "--property", "race", "--engine", engine, "--timeout", "5"];
            let done = run(&folder, &arguments);
            assert!([5, 10].contains(&done.status), "{i} {engine}: {}{}", done.stdout, done.stderr);
        }
    }
}

#[test]
fn bounds_and_gaps_in_json() {
    let folder = scratch_with("check/bounds", "a.c", ENDLESS);
    let json = document(&folder, &["check", "a.c", "--json", "--unwind", "2"]);
    assert_eq!((&json["verdict"], &json["reason"]), (&"safe within bounds".into(), &"unwind 2".into()));
    let bounds = &json["ledger"]["bounds"];
    assert_eq!((&bounds["unwind"], &bounds["ended_by"]), (&2.into(), &"--unwind 2".into()));
    let lines: Vec<&Value> = bounds["loops"].as_array().expect("loops").iter().map(|l| &l["line"]).collect();
    assert_eq!(lines, [6, 18]);
    let (folder, name) = program("gap", UNMODELLED);
    let json = document(&folder, &["check", &name, "--json"]);
    assert_eq!(json["verdict"], "unknown");
    assert_eq!(json["diagnostic"]["id"], "unmodelled");
    assert_eq!(json["diagnostic"]["labels"][0]["line"], 11);
}

/// A limit that a larger unwinding does not lift is not a bound: the verdict is unknown.
#[test]
fn fixed_limits_are_no_bounds() {
    let source = "#include <assert.h>\nstatic int deep(int n) { return n ? deep(n - 1) + 1 : 0; }\n\
        int main(void) { assert(deep(5000) != 5000); }\n";
    let folder = scratch_with("check/fixed", "a.c", source);
    let done = run(&folder, &["check", "a.c", "--property", "assert"]);
    let expect = "verdict: unknown (not supported: more than 400 nested calls)";
    assert_eq!(last_line(&done), expect, "{}", done.stdout);
}

/// The size of an object grows with the bound.
#[test]
fn unknown_sizes_are_followed_further_and_further() {
    let source = "#include <assert.h>\n#include <stdlib.h>\nunsigned __VERIFIER_nondet_uint(void);\n\
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); free(malloc(n)); assert(n != 700000); }\n";
    let folder = scratch_with("check/sizes", "a.c", source);
    let last_of = |more: &[&str]| {
        let done = run(&folder, &[&["check", "a.c", "--property", "assert"], more].concat());
        last_line(&done).to_owned()
    };
    assert_eq!(last_of(&["--unwind", "2"]), "verdict: safe within bounds (unwind 2)");
    assert_eq!(last_of(&[]), "verdict: violated (assertion failed)");
}

#[test]
fn the_same_program_gives_the_same_answer() {
    for program_name in [VIOLATED, SAFE, "spin/ticket.c", "heap/aba.c"] {
        let (folder, name) = program("same", program_name);
        let arguments = ["check", &name, "--stats"];
        let (one, two) = (run(&folder, &arguments), run(&folder, &arguments));
        assert_eq!(one.stdout, two.stdout, "{program_name}");
    }
}

/// `--all` in JSON: a list in which each finding reads as it would alone, and what holds apart from them.
#[test]
fn all_findings_are_a_list() {
    let (folder, name) = program("all", "all/three_bugs.c");
    let property = "assert,race,deadlock";
    let list = |engine: &str| {
        let done =
            run(&folder, &["check", &name, "--all", "--json", "--property", property, "--engine", engine]);
        assert_eq!(done.status, 10, "{}", done.stderr);
        let document: Value = serde_json::from_str(&done.stdout).expect("one document");
        assert_eq!(document["rest"]["verdict"], "safe", "{engine}");
        assert_eq!(document["findings"][0]["diagnostic"], document["diagnostic"], "{engine}");
        let findings = document["findings"].as_array().expect("a list").iter();
        let of = |f: &Value| {
            let diagnostic = &f["diagnostic"];
            let trace = f["trace"].as_str().expect("a file").to_owned();
            (diagnostic["id"].to_string(), diagnostic["cwe"].to_string(), trace)
        };
        let mut findings: Vec<_> = findings.map(of).collect();
        for (id, _, trace) in &findings {
            let again = run(&folder, &["replay", trace, "--json"]);
            let again: Value = serde_json::from_str(&again.stdout).expect("one document");
            assert_eq!(again["diagnostic"]["id"].to_string(), *id, "{engine}");
        }
        findings.sort();
        findings.into_iter().map(|(id, cwe, _)| format!("{id} {cwe}")).collect::<Vec<_>>()
    };
    for engine in ["order", "explore"] {
        assert_eq!(list(engine), ["\"assert\" 617", "\"deadlock\" 833", "\"race\" 362"], "{engine}");
    }
}

/// `run`, `check` and `replay` say the same of one run.
#[test]
fn a_finding_reads_the_same_everywhere() {
    let (folder, name) = program("same", "race/slot_locks.c");
    let diagnostic = |arguments: &[&str]| {
        let done = run(&folder, arguments);
        let mut document: Value = serde_json::from_str(&done.stdout).expect("one document");
        // The hints say how to repeat the run, which differs.
        document["diagnostic"]["hints"] = Value::Null;
        document["diagnostic"].clone()
    };
    let checked = diagnostic(&["check", &name, "--property", "race", "--json", "--witness", "checked"]);
    let help = "hold the same lock at both, `slots[0].lock` or `slots[1].lock`";
    assert_eq!(checked["help"][0], help, "{checked}");
    assert_eq!(diagnostic(&["replay", "checked", "--json"]), checked);
    let ran = diagnostic(&["run", &name, "--property", "race", "--json", "--trace", "ran"]);
    assert_eq!(diagnostic(&["replay", "ran", "--json"]), ran);
}

#[test]
fn only_what_can_be_decided_is_checked() {
    let (folder, name) = program("properties", VIOLATED);
    fs::write(folder.join("race.prp"), "CHECK( init(main()), LTL(G ! data-race) )\n")
        .expect("it is writable");
    fs::write(folder.join("call.prp"), "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("too");
    fs::write(folder.join("end.prp"), "CHECK( init(main()), LTL(G ! deadlock) )\n").expect("too");
    let done = run(&folder, &["check", &name, "--property", "uninitialised"]);
    let sentence = "the engine `order` cannot decide uninitialised yet; `--engine auto` and ";
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains(sentence), "{}", done.stderr);
    for (property, status) in [
        ("assert", 10),
        // Of a family, only what can be decided.
        ("assert,memory", 10),
        ("unreach-call", 10),
        ("call.prp", 10),
        ("race.prp", 10),
        ("end.prp", 0),
        ("lock", 0),
    ] {
        let done = run(&folder, &["check", &name, "--property", property]);
        assert_eq!(done.status, status, "{property}: {}{}", done.stdout, done.stderr);
    }
    let lock = run(&folder, &["check", &name, "--property", "lock"]);
    assert!(lock.stdout.contains("\nnot looked for: failed assertions, error calls, "), "{}", lock.stdout);
}

#[test]
fn arguments_that_make_no_sense() {
    let (folder, name) = program("arguments", VIOLATED);
    let cases = [
        (["--engine", "guess"], "auto, order, refine, clocks, record, widen, explore"),
        (["--unwind", "0"], "0"),
        (["--unmodelled", "havoc"], "stop, pure"),
        (["--memory", "512"], "less than 100M is not enough"),
        (["--timeout", "0"], "0"),
        (["--property", "happiness"], "`happiness` is not a property"),
    ];
    for (arguments, words) in cases {
        let done = run(&folder, &["check", &name, arguments[0], arguments[1]]);
        assert_eq!(done.status, 1, "{arguments:?}: {}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains(words), "{arguments:?}: {}", done.stderr);
    }
}

/// Ended early, with the loops that go further and what ended it; never without a verdict.
#[track_caller]
fn ended_by(done: &Done, what: &str) {
    let said = format!("{}{}", done.stdout, done.stderr);
    assert_eq!(done.status, 5, "{said}");
    assert!(done.stdout.contains(&format!("\nended by: {what}, at unwind ")), "{said}");
    assert!(done.stdout.contains("may need more than "), "{said}");
    assert!(last_line(done).starts_with("verdict: safe within bounds (unwind "), "{said}");
}

#[test]
fn a_time_limit_ends_with_the_last_complete_bound() {
    let folder = scratch_with("check/timeout", "a.c", ENDLESS);
    let begin = Instant::now();
    let done = run(&folder, &["check", "a.c", "--timeout", "2"]);
    ended_by(&done, "--timeout 2");
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[test]
fn a_memory_limit_ends_with_the_last_complete_bound() {
    let folder = scratch_with("check/memory", "a.c", HUNGRY);
    let done =
        run(&folder, &["check", "a.c", "--property", "assert", "--memory", "120M", "--timeout", "100"]);
    ended_by(&done, "the limit of --memory");
}

/// Whether the process has its handler for Ctrl-C already; before that the signal ends it.
fn listens(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process is there");
    let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:")).expect("Linux tells it");
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|signals| signals >> 1 & 1 == 1)
}

#[test]
fn an_interruption_at_any_moment_ends_with_a_verdict() {
    let folder = scratch_with("check/interrupt", "a.c", ENDLESS);
    for moment in [0, 20, 80, 200, 500, 1100] {
        let mut command = threadproof(&folder);
        command.args(["check", "a.c"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the command starts");
        while !listens(child.id()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(moment));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.is_ok_and(|s| s.success()), "the command had ended before {moment} ms");
        let done = done(child.wait_with_output().expect("the command ends"));
        let said = format!("after {moment} ms: {}{}", done.stdout, done.stderr);
        assert_eq!(done.status, 5, "{said}");
        match last_line(&done) {
            "verdict: unknown (interrupted)" => {}
            line if line.starts_with("verdict: safe within bounds") => ended_by(&done, "Ctrl-C"),
            _ => panic!("{said}"),
        }
    }
}

#[test]
fn several_files_and_flags_of_the_compiler() {
    let folder = scratch_with(
        "check/several",
        "main.c",
        "#include \"add.h\"\n#include <assert.h>\nint main(void) { assert(add(1, STEP) == 3); return 0; }\n",
    );
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("it is writable");
    write("add.c", "#include \"add.h\"\nint add(int a, int b) { return a + b; }\n");
    fs::create_dir(folder.join("include")).expect("it is writable");
    write("include/add.h", "int add(int, int);\n");
    let arguments = ["check", "main.c", "add.c", "-I", "include", "-std=c11"];
    assert_eq!(run(&folder, &[&arguments[..], &["-D", "STEP=2"]].concat()).status, 0);
    assert_eq!(run(&folder, &[&arguments[..], &["-D", "STEP=3"]].concat()).status, 10);
    let broken = run(&folder, &arguments);
    assert_eq!(broken.status, 2, "{}{}", broken.stdout, broken.stderr);
}

#[test]
fn an_alarm_of_an_example_and_its_proof() {
    let folder = scratch("check/examples");
    for (example, status) in [("bank/transfer.c", 10), ("bank/transfer_fixed.c", 0), ("queue/queue.c", 10)] {
        let path = root().join("examples").join(example);
        let done = run(&folder, &["check", &path.to_string_lossy()]);
        assert_eq!(done.status, status, "{example}\n{}{}", done.stdout, done.stderr);
    }
}
