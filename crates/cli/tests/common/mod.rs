//! What the tests of the command share: where things are, running the command, scratch folders, and many cases at once.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate is at crates/cli").to_path_buf()
}

/// The command, without terminal, colours or the developer's settings, and with the same engine each time.
pub fn threadproof(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threadproof"));
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("RUST_BACKTRACE");
    command.env("THREADPROOF_ENGINE", "order");
    command
}

/// What a finished command left.
pub struct Done {
    pub stdout: String,
    pub stderr: String,
    /// The exit status; a signal counts as -1.
    pub status: i32,
}

pub fn done(output: Output) -> Done {
    Done {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code().unwrap_or(-1),
    }
}

pub fn run(folder: &Path, arguments: &[&str]) -> Done {
    done(threadproof(folder).args(arguments).output().expect("the command starts"))
}

/// An empty folder of its own, below the build folder.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the build folder is writable");
    folder
}

/// A scratch folder with one file in it.
pub fn scratch_with(name: &str, file: &str, text: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join(file), text).expect("the build folder is writable");
    folder
}

/// All C and C++ files below a folder, in order; folders named `models` hold models for them.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder of test programs can be read").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("models") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Checks every case, two at a time, and fails with all the complaints together. The environment variable `FILTER` picks
/// the cases whose path contains it.
pub fn check_all(cases: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let filter = std::env::var("FILTER").unwrap_or_default();
    let chosen: Vec<_> = cases.iter().filter(|c| c.to_string_lossy().contains(&filter)).collect();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(complaint) = check(case) {
                        complaints.lock().expect("no check panics").push((case, complaint));
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().expect("no check panics");
    complaints.sort();
    for (case, complaint) in &complaints {
        eprintln!("── {}\n{complaint}\n", case.display());
    }
    assert!(
        complaints.is_empty(),
        "{} of {} programs did not do what is expected",
        complaints.len(),
        chosen.len()
    );
    assert!(!chosen.is_empty(), "no program was found");
}

/// The lines in which two texts differ, for people.
pub fn difference(expected: &str, got: &str) -> String {
    let (expected, got): (Vec<_>, Vec<_>) = (expected.lines().collect(), got.lines().collect());
    let same = expected.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let tail = expected.iter().rev().zip(got.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = tail.min(expected.len() - same).min(got.len() - same);
    let part = |sign: char, lines: &[&str]| -> String {
        lines[same..lines.len() - tail].iter().take(30).map(|l| format!("{sign} {l}\n")).collect()
    };
    format!("after line {same}:\n{}{}", part('-', &expected), part('+', &got))
}
