//! Every program below tests/run, tests/check and tests/events, with its whole expected output beside it.
//!
//! The first line of a program gives the arguments: `// run: --runs 50 --seed 1` or `// check: --unwind 3`. The line of
//! the primary label of a finding (for races and deadlocks: of any of the accesses or threads) carries `//~
//! error[race]`; `//~ warning[undefined]` marks undefined behaviour that is not looked for and comes first, so that the
//! verdict is unknown; a program without such a line must be found free of errors, and by `check` safe. NAME.out is the
//! full standard output, with the exit status as its last line. `BLESS=1 cargo test --test ui` writes these files anew;
//! the annotations are checked even then, so that no wrong output is blessed by accident. `FILTER=word` picks some
//! programs.
//!
//! What `check` finds is replayed from the file that it wrote, and the other engines must come to the same verdict.
//! Where it finds nothing, `certify` must accept the proof. A program that is checked by executing it (`--engine explore`) is
//! asked of no other engine, and leaves no proof.

mod common;

use common::Done;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A finding as the source announces it or the output reports it: the id in brackets and the lines of its labels.
#[derive(Debug)]
struct Finding {
    id: String,
    lines: Vec<usize>,
}

impl Finding {
    /// The accesses of a race and the threads of a deadlock are equals: the schedule decides which comes first.
    fn is_announced_by(&self, announced: &Finding) -> bool {
        let labels = if ["race", "deadlock"].contains(&self.id.as_str()) { self.lines.len() } else { 1 };
        self.id == announced.id
            && announced.lines.iter().all(|l| self.lines.iter().take(labels).any(|m| l == m))
    }
}

/// The programs of one command.
struct Suite {
    command: &'static str,
    programs: PathBuf,
    /// The scratch folder, in which each program has its own; tests that run at the same time have different ones.
    scratch: &'static str,
}

impl Suite {
    fn of(command: &'static str, scratch: &'static str) -> Suite {
        Suite { command, programs: common::root().join("tests").join(command), scratch }
    }

    fn each(&self, check: impl Fn(&Program) -> Result<(), String> + Sync) {
        let files = common::c_files(&self.programs);
        common::check_all(&files, |file| check(&Program::read(self, file)?));
    }
}

/// A program, and a scratch folder in which it has its short name, so that what the command writes stays out of the tree.
struct Program {
    file: PathBuf,
    source: String,
    folder: PathBuf,
    command: &'static str,
    name: String,
    /// What the first line asks for.
    arguments: Vec<String>,
}

impl Program {
    fn read(suite: &Suite, file: &Path) -> Result<Program, String> {
        let source = fs::read_to_string(file).map_err(|e| e.to_string())?;
        let name = file.strip_prefix(&suite.programs).map_err(|e| e.to_string())?.display().to_string();
        let folder = folder_for(suite, &name)?;
        let arguments = arguments_of(suite, &source)?;
        Ok(Program { file: file.to_owned(), source, folder, command: suite.command, name, arguments })
    }

    fn is_explored(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "--engine")
    }

    fn run(&self, more: &[&str]) -> Done {
        let mut arguments = vec![self.command, &self.name];
        arguments.extend(more);
        arguments.extend(self.arguments.iter().map(String::as_str));
        common::run(&self.folder, &arguments)
    }
}

#[test]
fn runs_give_their_expected_output() {
    Suite::of("run", "ui/run").each(|program| agrees(program, &program.run(&[])));
}

/// Each of these programs is about one rule of `unfold`.
#[test]
fn programs_have_their_expected_events() {
    Suite::of("events", "ui/events").each(|program| {
        let done = program.run(&[]);
        agrees(program, &Done { stdout: without_lines_of_models(&done.stdout), ..done })
    });
}

#[test]
fn checks_give_their_expected_output() {
    Suite::of("check", "ui/check").each(|program| {
        let done = program.run(&[]);
        if annotations(&program.source).is_empty() {
            is_safe(program, &done)?;
        }
        agrees(program, &done)?;
        if [10, 11].contains(&done.status) {
            replays(program, annotations(&program.source).len())
        } else {
            Ok(())
        }
    });
}

/// `check` finds what random schedules find, and the other programs are safe.
#[test]
fn checks_find_what_runs_find() {
    let undecided = Mutex::new(Vec::new());
    let suite = Suite::of("run", "ui/both");
    suite.each(|program| {
        let kind = program.name.split('/').next().unwrap_or_default();
        let Some((_, properties)) = DECIDED_KINDS.iter().find(|(name, _)| *name == kind) else {
            return Ok(());
        };
        if program.name == "deadlock/trylock_back_off.c" {
            // It may back off any number of times, so that `check` proves it within bounds only and does not end.
            return Ok(());
        }
        let done = common::run(&program.folder, &["check", &program.name, "--property", properties]);
        let found = fs::read_to_string(program.file.with_extension("out")).map_err(|e| e.to_string())?;
        let is_undecided = UNDECIDED.iter().any(|title| found.contains(title));
        let wanted = if annotations(&program.source).is_empty() || is_undecided { 0 } else { 10 };
        if done.status == 5 && is_undecided {
            return Ok(());
        } else if done.status == 5 {
            undecided.lock().expect("no check panics").push(program.name.clone());
        } else if done.status != wanted {
            return Err(format!("status {} and not {wanted}\n{}{}", done.status, done.stdout, done.stderr));
        }
        Ok(())
    });
    // They convert text to floating-point numbers.
    let known = ["race/parsed_while_written.c", "memory/number_without_end.c"];
    let undecided = undecided.into_inner().expect("no check panics");
    assert!(undecided.iter().all(|name| known.contains(&name.as_str())), "{undecided:?}");
}

/// Folders of tests/run that `check` decides, and what is to be looked for in them.
const DECIDED_KINDS: [(&str, &str); 5] = [
    ("race", "race"),
    ("deadlock", "deadlock"),
    ("lock", "lock"),
    ("arithmetic", "overflow,arithmetic"),
    ("memory", "invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free"),
];

/// Verdicts of `run` on what `check` does not look for in these folders.
const UNDECIDED: [&str; 2] = ["verdict: violated (memory leak)", "verdict: violated (uninitialised read)"];

#[test]
fn engines_agree() {
    Suite::of("check", "ui/engines").each(|program| {
        if program.is_explored() {
            return Ok(());
        }
        let first = program.run(&[]);
        for engine in ["refine", "clocks"] {
            let other = program.run(&["--engine", engine]);
            let say = |done: &Done| format!("{}, exit: {}", last_line(done), done.status);
            if say(&first) != say(&other) {
                return Err(format!("order: {}\n{engine}: {}", say(&first), say(&other)));
            }
        }
        Ok(())
    });
}

/// Where nothing fails, the proof that is left is accepted, but not without its last step.
#[test]
fn proofs_are_certified() {
    let (certified, without) = (AtomicUsize::new(0), AtomicUsize::new(0));
    Suite::of("check", "ui/certify").each(|program| {
        let done = program.run(&["--certify", "proof"]);
        if program.is_explored() {
            // An exploration leaves no proof, and the command says so.
            return if done.status == 1 { Ok(()) } else { Err(done.stdout + &done.stderr) };
        }
        let accepts = |name: &str| common::run(&program.folder, &["certify", name]);
        if !program.folder.join("proof").exists() {
            let is_safe = last_line(&done).starts_with("verdict: safe");
            without.fetch_add(usize::from(is_safe), Ordering::Relaxed);
            let says_so = done.stderr.contains("note: no certificate was written");
            return if says_so { Ok(()) } else { Err(done.stdout + &done.stderr) };
        }
        let checked = accepts("proof");
        if checked.status != 0 || last_line(&checked) != "certificate: accepted" {
            return Err(format!("{}{}{}", done.stderr, checked.stdout, checked.stderr));
        }
        certified.fetch_add(1, Ordering::Relaxed);
        let text = fs::read_to_string(program.folder.join("proof")).map_err(|e| e.to_string())?;
        // Without its last step, a part does not show what it should.
        let Some((before, last)) = text.rsplit_once("\nstep ") else { return Ok(()) };
        let after = last.split_once('\n').map_or("", |(_, after)| after);
        fs::write(program.folder.join("wrong"), format!("{before}\n{after}")).map_err(|e| e.to_string())?;
        let checked = accepts("wrong");
        let refused = checked.status == 10 && last_line(&checked) == "certificate: rejected";
        if refused { Ok(()) } else { Err(format!("accepted without its last step: {}", checked.stdout)) }
    });
    let (certified, without) = (certified.into_inner(), without.into_inner());
    if std::env::var_os("FILTER").is_none() {
        println!("{certified} proofs were accepted, {without} safe programs have none");
        assert!(certified > 150 && without <= 10, "{certified} with a proof, {without} without");
    }
}

fn last_line(done: &Done) -> &str {
    done.stdout.lines().last().unwrap_or(&done.stderr)
}

/// A program without annotations has to be safe, or safe within the bound that its first line gives.
fn is_safe(program: &Program, done: &Done) -> Result<(), String> {
    let bounded = program.arguments.iter().any(|argument| argument == "--unwind");
    match last_line(done) {
        "verdict: safe" => Ok(()),
        line if bounded && line.starts_with("verdict: safe within bounds") => Ok(()),
        _ => Err(format!("it should be safe\n{}{}", done.stdout, done.stderr)),
    }
}

/// The witnesses that `check` wrote, one for each finding, can be replayed.
fn replays(program: &Program, findings: usize) -> Result<(), String> {
    for number in 1..=findings {
        let extension = if number == 1 { "witness".to_owned() } else { format!("{number}.witness") };
        let witness = program.file.with_extension(extension);
        let witness = witness.file_name().and_then(|name| name.to_str()).ok_or("a name that is no text")?;
        replays_from(program, witness)?;
    }
    Ok(())
}

/// `replay` writes the same witness again, byte for byte.
fn replays_from(program: &Program, witness: &str) -> Result<(), String> {
    let again = common::run(&program.folder, &["replay", witness, "--trace", "again"]);
    let read = |name: &str| fs::read(program.folder.join(name)).map_err(|e| format!("{name}: {e}"));
    if ![10, 11].contains(&again.status) || read(witness)? != read("again")? {
        return Err(format!("it does not replay\n{}{}", again.stdout, again.stderr));
    }
    Ok(())
}

/// Leaves out the line numbers of models, so that editing one does not change the expected graphs.
fn without_lines_of_models(text: &str) -> String {
    let models = common::root().join("models");
    let is_of_model = |word: &str| word.ends_with(".c") && models.join(word).is_file();
    let parts = text.split_inclusive([' ', '\n']).map(|word| match word.split_once(':') {
        Some((file, rest)) if is_of_model(file) => {
            format!("{file}:_{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        _ => word.to_owned(),
    });
    parts.collect()
}

fn agrees(program: &Program, done: &Done) -> Result<(), String> {
    agrees_with_annotations(&annotations(&program.source), &findings(&done.stdout), done)?;
    if let Some(line) = done.stdout.lines().find(|line| line.contains("__tp")) {
        return Err(format!("a name of the models is shown: {line}"));
    }
    let mut output = done.stdout.clone();
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    writeln!(output, "exit: {}", done.status).map_err(|e| e.to_string())?;
    let beside = program.file.with_extension("out");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(beside, output).map_err(|e| e.to_string());
    }
    let expected =
        fs::read_to_string(beside).map_err(|e| format!("no expected output ({e}); run with BLESS=1"))?;
    if expected == output { Ok(()) } else { Err(common::difference(&expected, &output)) }
}

fn folder_for(suite: &Suite, name: &str) -> Result<PathBuf, String> {
    let folder = common::scratch(&format!("{}/{}", suite.scratch, name.replace('/', "-")));
    for entry in fs::read_dir(&suite.programs).map_err(|e| e.to_string())?.flatten() {
        std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name()))
            .map_err(|e| e.to_string())?;
    }
    Ok(folder)
}

/// The arguments in the first line, split at blanks outside of double quotes.
fn arguments_of(suite: &Suite, source: &str) -> Result<Vec<String>, String> {
    let first = source.lines().next().unwrap_or_default();
    let sign = format!("// {}:", suite.command);
    let text = first.strip_prefix(&sign).ok_or(format!("the first line must be `{sign} arguments`"))?;
    let pieces = text.split('"').enumerate();
    Ok(pieces
        .flat_map(|(i, piece)| match i % 2 {
            0 => piece.split_whitespace().map(str::to_owned).collect(),
            _ => vec![piece.to_owned()],
        })
        .collect())
}

fn annotations(source: &str) -> Vec<Finding> {
    let lines = source.lines().enumerate();
    lines
        .filter_map(|(i, line)| {
            Some(Finding { id: reported(line.split_once("//~ ")?.1)?, lines: vec![i + 1] })
        })
        .collect()
}

/// The findings of an output: `error[id]: …`, followed by labels that begin with their place, the primary one first.
fn findings(output: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for line in output.lines() {
        if let Some(id) = reported(line) {
            findings.push(Finding { id, lines: Vec::new() });
        } else if let (Some(finding), Some(line)) = (findings.last_mut(), line_of_label(line)) {
            finding.lines.push(line);
        }
    }
    findings
}

/// The line number in `╭▸ file:line:column` or `⸬ file:line`.
fn line_of_label(text: &str) -> Option<usize> {
    let place = text.trim_start().strip_prefix("╭▸").or(text.trim_start().strip_prefix('⸬'))?;
    place.split(':').nth(1)?.trim().parse().ok()
}

/// The id in `error[race]`, or in `warning[undefined]` where something undefined comes before what is looked for.
fn reported(text: &str) -> Option<String> {
    let rest = text.strip_prefix("error[").or_else(|| text.strip_prefix("warning["))?;
    Some(rest.split_once(']')?.0.to_owned())
}

fn agrees_with_annotations(wanted: &[Finding], found: &[Finding], done: &Done) -> Result<(), String> {
    // With `--all`, findings come in the order in which the solver finds them.
    let mut left: Vec<&Finding> = found.iter().collect();
    let is_there = |wanted: &Finding| {
        let at = left.iter().position(|f| f.is_announced_by(wanted));
        at.map(|at| left.remove(at)).is_some()
    };
    if wanted.len() == found.len() && wanted.iter().all(is_there) {
        return Ok(());
    }
    Err(format!(
        "expected {wanted:?}\nfound    {found:?}\n{}{}exit: {}",
        done.stdout, done.stderr, done.status
    ))
}
