//! `threadproof bench` as a whole: tasks in both forms, what it prints and saves, two runs compared, other verifiers,
//! and inputs that are wrong.

mod common;

use common::{Done, root, run, scratch, threadproof};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Fails unless N is 1.
const PROGRAM: &str = "#include <assert.h>
#ifndef N
#define N 1
#endif
int main(void) {
    assert(N == 1);
    return 0;
}
";

/// Holds where `long` has four bytes.
const NARROW: &str = "#include <assert.h>
int main(void) {
    assert(sizeof(long) == 4);
    return 0;
}
";

/// Two definitions, and a list that says the same and more.
fn tasks(name: &str) -> PathBuf {
    let folder = scratch(&format!("bench/{name}"));
    fs::create_dir_all(folder.join("first")).unwrap();
    fs::create_dir_all(folder.join("second")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("first/plain.c", PROGRAM);
    write("second/narrow.c", NARROW);
    write("first/plain.yml", &definition("plain.c", "true", ""));
    write(
        "second/narrow.yml",
        &definition("narrow.c", "true", "options: {language: C, data_model: ILP32}\n"),
    );
    write(
        "list.tsv",
        "set\tprogram\tproperty\texpected\targuments\n\
         first\tplain.c\tunreach-call\ttrue\t\n\
         first\tplain.c\tunreach-call\tfalse\t-DN=2\n\
         second\tnarrow.c\tunreach-call\ttrue\t\n\
         second\tnarrow.c\ttermination\ttrue\t\n",
    );
    folder
}

fn definition(program: &str, expected: &str, options: &str) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{program}'\nproperties:\n\
         - {{property_file: ../unreach-call.prp, expected_verdict: {expected}}}\n\
         - {{property_file: ../termination.prp}}\n{options}"
    )
}

fn check(done: &Done, status: i32, lines: &[&str]) {
    assert_eq!(done.status, status, "{}{}", done.stdout, done.stderr);
    for line in lines {
        assert!(done.stdout.contains(line), "`{line}` is not in\n{}", done.stdout);
    }
}

/// A line of the table, without its spaces.
fn row(done: &Done, name: &str) -> Vec<String> {
    let line = done.stdout.lines().find(|line| line.split_whitespace().next() == Some(name));
    line.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_directory_of_definitions() {
    let folder = tasks("directory");
    let done = run(&folder, &["bench", "."]);
    check(
        &done,
        0,
        &["2 tasks: 60 s and ", "2 of termination", "result: nothing wrong; 2 of 2 right, score 4"],
    );
    assert_eq!(
        row(&done, "unreach-call"),
        ["unreach-call", "2", "2", "0", "0", "0", "0", "0", "0", "4", "4"]
    );
    assert_eq!(row(&done, "second"), ["second", "1", "1", "0", "0", "0", "0", "0", "0", "2", "2"]);
}

#[test]
fn a_list_is_run_and_saved() {
    let folder = tasks("list");
    let done = run(&folder, &["bench", "list.tsv", "--jobs", "2", "--out", "out.tsv", "--svg", "out.svg"]);
    check(&done, 0, &["result: nothing wrong; 3 of 3 right, score 5"]);
    let saved = fs::read_to_string(folder.join("out.tsv")).unwrap();
    let columns: Vec<Vec<&str>> = saved.lines().map(|line| line.split('\t').collect()).collect();
    let results: Vec<&str> = columns.iter().map(|line| line[7]).collect();
    assert_eq!(results, ["result", "right true", "right false", "right true"]);
    assert_eq!(
        columns[2][..7],
        ["first", "plain.c", "unreach-call", "false", "-DN=2", "false", "assertion failed"]
    );
    assert!(columns[1][10].parse::<u64>().unwrap() > 10 << 20, "no process is smaller: {saved}");
    assert_eq!(fs::read_to_string(folder.join("out.svg")).unwrap().matches("<polyline").count(), 1);
    let again = run(&folder, &["bench", "out.tsv", "--only", "first/", "--against", "out.tsv"]);
    check(&again, 0, &["against out.tsv: 2 tasks in both, 0 only now, 1 only before", "     0  newly wrong"]);
}

#[test]
fn a_wrong_verdict_is_named_with_the_command_that_repeats_it() {
    let folder = tasks("wrong");
    fs::write(folder.join("first/plain.yml"), definition("plain.c", "false", "")).unwrap();
    let before = "set\tprogram\tproperty\texpected\targuments\tverdict\treason\tresult\tcpu\twall\tmemory\n\
                  first\tplain.yml\tunreach-call\ttrue\t\ttrue\t\t\t0.000\t0.000\t1\n";
    fs::write(folder.join("before.tsv"), before).unwrap();
    let arguments =
        ["bench", "first/plain.yml", "--memory", "1G", "--timeout", "30", "--against", "before.tsv"];
    let done = run(&folder, &arguments);
    let command = "threadproof check --property unreach-call --timeout 30 --memory 1024M first/plain.c";
    check(
        &done,
        10,
        &[
            "WRONG TRUE: first/plain.yml unreach-call\n",
            "against before.tsv: 1 task in both, ",
            command,
            "newly wrong: first/plain.yml unreach-call",
        ],
    );
    check(&done, 10, &["result: 1 wrong, 0 broken; 0 of 1 right, score -32"]);
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(run(&folder, &words).status, 0, "the command says the same");
}

#[test]
fn a_program_that_does_not_compile_is_broken() {
    let folder = tasks("broken");
    fs::write(folder.join("first/plain.c"), "int main(void) { return }\n").unwrap();
    let done = run(&folder, &["bench", ".", "--json"]);
    assert_eq!(done.status, 10, "{}", done.stderr);
    let document: Value = serde_json::from_str(&done.stdout).expect("one JSON document");
    let of = |pointer: &str| document.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!((of("/summary/all/broken"), of("/summary/all/right_true")), (1.into(), 1.into()));
    assert_eq!((of("/bad/0/task"), of("/bad/0/result")), ("first/plain.yml".into(), "broken".into()));
    assert_eq!(of("/summary/skipped/termination"), Value::from(2));
    assert!(of("/summary/cpu/p90").as_f64() > Some(0.0));
}

/// A verifier for tests: what it says depends on the name of the file, and it writes down how it was called.
fn other(folder: &Path) -> String {
    let script = "#!/bin/sh\necho $$ > pid\necho \"$@\" >> calls\ncase \"$*\" in\n*plain*) echo 'VERIFICATION SUCCESSFUL';;\n\
                  *) echo 'thinking'; sleep 30; echo 'TRUE';;\nesac\n";
    let path = folder.join("verifier");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    "./verifier --{data_model} -p {property} {file}".to_owned()
}

#[test]
fn another_verifier() {
    let folder = tasks("tool");
    let tool = other(&folder);
    let arguments = ["bench", "list.tsv", "--property", "unreach-call", "--timeout", "1", "--tool", &tool];
    let done = run(&folder, &arguments);
    check(
        &done,
        10,
        &["WRONG TRUE: first/plain.c unreach-call -DN=2", "1  timeout (1 expected true, 0 false)"],
    );
    assert_eq!(row(&done, "unreach-call")[1..9], ["3", "1", "0", "1", "0", "0", "1", "0"]);
    let calls = fs::read_to_string(folder.join("calls")).unwrap();
    let expect = "--64bit -p unreach-call first/plain.c\n--64bit -p unreach-call first/plain.c -DN=2\n\
                  --32bit -p unreach-call second/narrow.c\n";
    assert_eq!(calls, expect);
}

#[test]
fn texts_of_another_verifier() {
    let folder = tasks("texts");
    let arguments = ["bench", "first/plain.yml", "--property", "unreach-call", "--tool"];
    let with = |more: &[&str]| run(&folder, &[&arguments, more].concat());
    check(&with(&["echo it is fine {file}"]), 0, &["1  no verdict (1 expected true, 0 false)"]);
    check(&with(&["echo it is fine {file}", "--tool-true", "is fine"]), 0, &["1 of 1 right, score 2"]);
    check(&with(&["echo it is fine {file}", "--tool-false", "is fine"]), 10, &["WRONG FALSE"]);
}

#[test]
fn inputs_that_are_wrong() {
    let folder = tasks("bad");
    fs::write(folder.join("bad.yml"), "format_version: '2.0'\ninput_files: {}\n").unwrap();
    fs::write(folder.join("bad.tsv"), "set\tprogram\n").unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    let check = |arguments: &[&str], status: i32, part: &str| {
        let done = run(&folder, &[&["bench"], arguments].concat());
        assert_eq!(done.status, status, "{arguments:?}: {}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains(part), "{arguments:?}: {}", done.stderr);
    };
    check(&["nowhere"], 2, "cannot read nowhere: there is no such file");
    check(&["first/plain.c"], 2, "no list of tasks (.tsv)");
    check(&["bad.yml"], 2, "cannot read bad.yml");
    check(&["bad.tsv"], 2, "there is no column `property`");
    check(&["list.tsv", "--dir", "second"], 2, "there is no such program");
    check(&["empty"], 1, "there is no task");
    check(&["list.tsv", "--property", "termination"], 1, "1 of termination");
    check(&["list.tsv", "--memory", "1M"], 1, "less than 100M");
    check(&["list.tsv", "--out", "nowhere/out.tsv"], 1, "cannot write nowhere/out.tsv");
    check(&["list.tsv", "--against", "bad.tsv"], 2, "there is no column");
    check(&["list.tsv", "--tool", "no-such-verifier {file}"], 1, "there is no command `no-such-verifier`");
    check(&["list.tsv", "--tool", "echo {property_file} {file}"], 1, "there is no property file");
    let misspelt = ["list.tsv", "--property", "unreach-call,no-data-rase"];
    check(&misspelt, 1, "`no-data-rase` is not a property");
    check(&[&misspelt[..], &["--tool", "echo {file}"]].concat(), 1, "`no-data-rase` is not a property");
}

/// A file that is read is not written, by whatever name: an interrupted run would leave half of it.
#[test]
fn the_run_to_compare_with_stays() {
    let folder = tasks("stays");
    let before = "set\tprogram\tproperty\texpected\tverdict\treason\tcpu\twall\tmemory\n";
    fs::write(folder.join("before.tsv"), before).unwrap();
    let list = fs::read_to_string(folder.join("list.tsv")).unwrap();
    let refused = |arguments: &[&str], name: &str| {
        let done = run(&folder, &[&["bench", "list.tsv"], arguments].concat());
        assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains(&format!("{name} is both read and written")), "{}", done.stderr);
    };
    refused(&["--against", "before.tsv", "--out", "./before.tsv"], "./before.tsv");
    refused(&["--out", "list.tsv"], "list.tsv");
    assert_eq!(fs::read_to_string(folder.join("before.tsv")).unwrap(), before);
    assert_eq!(fs::read_to_string(folder.join("list.tsv")).unwrap(), list);
}

/// Unless it is told which engine, `bench` decides what `check` decides.
#[test]
fn what_check_decides_is_not_skipped() {
    let folder = tasks("default");
    let list = "set\tprogram\tproperty\texpected\nfirst\tplain.c\tuninitialised\ttrue\n";
    fs::write(folder.join("list.tsv"), list).unwrap();
    let with = |engine: Option<&str>, more: &[&str]| {
        let mut command = threadproof(&folder);
        command.args(["bench", "list.tsv"]).args(more).env_remove("THREADPROOF_ENGINE");
        engine.map(|engine| command.env("THREADPROOF_ENGINE", engine));
        common::done(command.output().unwrap())
    };
    check(&with(None, &[]), 0, &["1 of 1 right, score 2"]);
    check(&with(Some("order"), &["--", "--engine", "explore", "-std=c11"]), 0, &["1 of 1 right, score 2"]);
    for refused in [with(Some("order"), &[]), with(None, &["--engine", "order"])] {
        assert_eq!(refused.status, 1);
        assert!(refused.stderr.contains("1 of uninitialised"), "{}", refused.stderr);
    }
}

/// Runs another verifier on two tasks that end and one that does not. While it works on the last, a shell runs the
/// script with the process id of `bench`.
fn disturbed(name: &str, script: &str) -> (PathBuf, Done) {
    let folder = tasks(name);
    let tool = other(&folder);
    let arguments = ["bench", "list.tsv", "--property", "unreach-call", "--timeout", "60", "--tool", &tool];
    let begin = Instant::now();
    let mut command = threadproof(&folder);
    command.args(arguments).args(["--out", "out.tsv"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let calls = || fs::read_to_string(folder.join("calls")).unwrap_or_default().lines().count();
    while calls() < 3 && begin.elapsed() < Duration::from_secs(100) {
        std::thread::sleep(Duration::from_millis(10));
    }
    // However long it took to get here, the verifier would take half a minute more.
    let begin = Instant::now();
    let shell = std::process::Command::new("sh").args(["-c", script, &child.id().to_string()]).status();
    assert!(shell.unwrap().success());
    let done = common::done(child.wait_with_output().unwrap());
    assert!(begin.elapsed() < Duration::from_secs(25), "`bench` waited for the verifier");
    (folder, done)
}

/// Whether this process, and so its children, ignores a signal, as under nohup.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & (1 << (signal - 1)) != 0
}

/// However it is told to end, it ends with the table of what is known, and ends the verifier.
#[test]
fn an_interrupted_run_says_what_it_knows() {
    // `timeout` sends its signal twice.
    let ways =
        ["kill -INT $0", "kill -TERM $0", "kill -HUP $0", "kill -TERM $0; sleep 0.002; kill -TERM $0 || :"];
    for (i, way) in ways.into_iter().enumerate() {
        if way.contains("-HUP") && is_ignored(1) {
            continue;
        }
        let (folder, done) = disturbed(&format!("interrupt{i}"), way);
        check(&done, 10, &["1 not run: interrupted", "1 of 2 right"]);
        assert_eq!(fs::read_to_string(folder.join("out.tsv")).unwrap().lines().count(), 3, "{way}");
        let verifier = fs::read_to_string(folder.join("pid")).unwrap();
        assert!(!Path::new("/proc").join(verifier.trim()).exists(), "{way}: the verifier still runs");
    }
}

#[test]
fn nohup_is_heeded() {
    let folder = tasks("nohup");
    let tool = other(&folder);
    let script =
        "trap '' HUP; \"$0\" bench list.tsv --only second --property unreach-call --timeout 1 --tool \"$1\" &
                  while ! test -e calls; do sleep 0.01; done; kill -HUP $!; wait $!";
    let command = threadproof(&folder).get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script]).arg(command).arg(&tool).current_dir(&folder).output().unwrap();
    check(&common::done(output), 0, &["1  timeout (1 expected true, 0 false)"]);
}

/// The programs of this repository, as far as they are quick: their list can be read, and none is answered wrongly.
#[test]
fn our_own_corpus() {
    let list = root().join("tests/corpus/tasks.tsv");
    let list = list.to_string_lossy();
    let folder = scratch("bench/own");
    let arguments = ["bench", &*list, "--only", "litmus/mp", "--property", "unreach-call", "--timeout", "20"];
    let done = run(&folder, &arguments);
    check(&done, 0, &["result: nothing wrong"]);
    assert!(done.stdout.contains(" right answers\n"), "no curve: {}", done.stdout);
}
