//! Findings that rest on an assumption are possible: the verdict, its exit status, and what it rests on.

mod common;

use common::{run, scratch, scratch_with};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a function without model returns decides.
const ASSUMED: &str = "extern int level(void);
#include <assert.h>
int main(void) {
    assert(level() != 7);
    return 0;
}
";

/// Two threads write a variable, with a lock where `LOCK` is defined.
const RACE: &str = "#include <pthread.h>
int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) {
#ifdef LOCK
    pthread_mutex_lock(&lock);
#endif
    data++;
#ifdef LOCK
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}
int main(void) {
    pthread_t a, b;
    (void)lock;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return data == 5;
}
";

fn bitcode(folder: &Path, flags: &[&str]) {
    let fixed = ["-g", "-emit-llvm", "-c", "program.c", "-o", "program.bc"];
    let status = Command::new("clang-22").current_dir(folder).args(flags).args(fixed).status();
    assert!(status.is_ok_and(|s| s.success()), "clang-22 {flags:?}");
}

#[test]
fn every_command_says_so() {
    let folder = scratch_with("possible/commands", "program.c", ASSUMED);
    let check = run(&folder, &["check", "program.c", "--unmodelled", "pure", "--json", "--witness", "w"]);
    let json: Value = serde_json::from_str(&check.stdout).expect("one document");
    assert_eq!(check.status, 11, "{}", check.stdout);
    assert_eq!((&json["verdict"], &json["reason"]), (&"possible".into(), &"assertion failed".into()));
    let note = "this rests on an assumption: `level` has no model and was taken to return any value";
    let has_note = |json: &Value| {
        json["diagnostic"]["notes"].as_array().is_some_and(|notes| notes.iter().any(|n| n == note))
    };
    assert!(has_note(&json), "{json}");
    let replay = run(&folder, &["replay", "w", "--json"]);
    assert_eq!(replay.status, 11, "{}", replay.stdout);
    assert!(has_note(&serde_json::from_str(&replay.stdout).expect("one document")), "{}", replay.stdout);
    let given = ["--unmodelled", "pure", "--input", "level=7", "--runs", "1"];
    let done = run(&folder, &[&["run", "program.c"][..], &given].concat());
    assert_eq!(done.status, 11, "{}", done.stdout);
    assert!(done.stdout.contains(note), "{}", done.stdout);
    let all = run(&folder, &["check", "program.c", "--unmodelled", "pure", "--all"]);
    assert_eq!(all.status, 11, "{}", all.stdout);
}

fn check_bitcode(name: &str, flags: &[&str], is_optimised: bool, expect: (i32, &str)) {
    let folder: PathBuf = scratch(&format!("possible/{name}"));
    fs::write(folder.join("program.c"), RACE).expect("a scratch folder");
    bitcode(&folder, flags);
    let done = run(&folder, &["check", "program.bc", "--property", "race"]);
    assert_eq!((done.status, done.stdout.lines().last().unwrap_or("")), expect, "{}", done.stdout);
    assert_eq!(done.stderr.contains("program.bc was optimised before"), is_optimised, "{}", done.stderr);
    let is_said = done.stdout.contains("program.bc was optimised");
    assert_eq!(is_said, is_optimised, "{}", done.stdout);
}

#[test]
fn races_of_optimised_bitcode() {
    let violated = (10, "verdict: violated (data race)");
    let possible = (11, "verdict: possible (data race)");
    let safe = (0, "verdict: safe");
    check_bitcode("plain", &["-O0"], false, violated);
    check_bitcode("no-optnone", &["-O0", "-Xclang", "-disable-O0-optnone"], false, violated);
    check_bitcode("no-passes", &["-O2", "-Xclang", "-disable-llvm-passes"], false, violated);
    check_bitcode("optimised", &["-O1"], true, possible);
    check_bitcode("optimised-more", &["-O2"], true, possible);
    check_bitcode("optimised-safe", &["-O2", "-DLOCK"], true, safe);
    check_bitcode("plain-safe", &["-O0", "-DLOCK"], false, safe);
}
