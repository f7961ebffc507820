//! Agreement with reality: every program below tests/native is compiled by the system compiler and run, and run by the
//! machine; standard output and exit status must be the same, in both data models. `FILTER=word` picks some.

mod common;

use common::Done;
use std::path::Path;
use std::process::Command;

/// The x87 unit would compute in more precision than `double` has, so the 32-bit build is told to use SSE.
const MODELS: [(&str, &[&str]); 2] = [("LP64", &["-m64"]), ("ILP32", &["-m32", "-msse2", "-mfpmath=sse"])];

#[test]
fn programs_do_what_they_do_natively() {
    let files = common::c_files(&common::root().join("tests/native"));
    common::check_all(&files, |file| MODELS.iter().try_for_each(|(model, flags)| check(file, model, flags)));
}

/// What the C library gives for edge cases, call by call: a line of output that starts with `call` is one.
#[test]
fn calls_give_what_they_give_natively() {
    let files = common::c_files(&common::root().join("tests/glibc"));
    common::check_all(&files, |file| MODELS.iter().try_for_each(|(model, flags)| check(file, model, flags)));
    if std::env::var_os("FILTER").is_none() {
        let folder = common::scratch("glibc");
        let calls = files.iter().map(|file| {
            let native = natively(&folder, file, MODELS[0].1).expect("it was compiled before");
            native.stdout.lines().filter(|line| line.starts_with("call ")).count()
        });
        let calls: usize = calls.sum();
        assert!(calls >= 300, "only {calls} calls");
    }
}

fn check(file: &Path, model: &str, flags: &[&str]) -> Result<(), String> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let folder = common::scratch(&format!("native/{name}-{model}"));
    let native = natively(&folder, file, flags)?;
    let ours = in_machine(&folder, file, model)?;
    if native.status != ours.status {
        return Err(format!("{model}: exit status {} natively, {} here", native.status, ours.status));
    }
    if native.stdout != ours.stdout {
        return Err(format!("{model}: {}", common::difference(&native.stdout, &ours.stdout)));
    }
    Ok(())
}

fn natively(folder: &Path, file: &Path, flags: &[&str]) -> Result<Done, String> {
    let is_cxx = file.extension().is_some_and(|e| e == "cpp");
    let (compiler, standard) = if is_cxx { ("c++", "-std=gnu++17") } else { ("cc", "-std=gnu17") };
    let mut compiler = Command::new(compiler);
    compiler.current_dir(folder).args([standard, "-O0", "-w", "-pthread", "-o", "program"]);
    let compiled = common::done(
        compiler.args(flags).arg(file).args(["-lm", "-latomic"]).output().map_err(|e| format!("cc: {e}"))?,
    );
    if compiled.status != 0 {
        return Err(format!("cc {flags:?} fails:\n{}", compiled.stderr));
    }
    // In a folder of its own: it may make files, and finds none but itself.
    let mut program = Command::new(folder.join("program"));
    program.current_dir(folder).output().map(common::done).map_err(|e| e.to_string())
}

fn in_machine(folder: &Path, file: &Path, model: &str) -> Result<Done, String> {
    let file = file.to_string_lossy();
    let arguments = ["run", &file, "--runs", "1", "--scheduler", "rr", "--data-model", model, "--json"];
    // What the C library may do but need not, it does not do in such programs.
    let arguments = [&arguments[..], &["--no-spurious-wakeups", "--no-reuse"]].concat();
    let done = common::run(folder, &arguments);
    let broken = |what: &str| format!("{model}: {what}\n{}{}", done.stdout, done.stderr);
    let document: serde_json::Value =
        serde_json::from_str(&done.stdout).map_err(|e| broken(&e.to_string()))?;
    if document["verdict"] != "unknown" || document["runs"]["ended"] != 1 {
        return Err(broken("the run did not come to its end"));
    }
    Ok(Done {
        stdout: document["stdout"].as_str().unwrap_or_default().to_owned(),
        stderr: document["stderr"].as_str().unwrap_or_default().to_owned(),
        status: document["exit_status"].as_i64().map_or(-1, |s| (s & 0xff) as i32),
    })
}
