//! Every program below tests/run, with its whole expected output beside it.
//!
//! The first line of a program gives the arguments: `// run: --runs 50 --seed 1`. The line of the primary label of a
//! finding (for races and deadlocks: of any of the accesses or threads) carries `//~ error[race]`; a program without such
//! a line must be found free of errors. NAME.out is the full standard output, with the exit status as its last line.
//! `BLESS=1 cargo test --test ui` writes these files anew; the annotations are checked even then, so that no wrong output
//! is blessed by accident. `FILTER=word` picks some programs.

mod common;

use std::fmt::Write;
use std::fs;
use std::path::Path;

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

#[test]
fn programs_give_their_expected_output() {
    let programs = common::root().join("tests/run");
    let files = common::c_files(&programs);
    common::check_all(&files, |file| check(&programs, file));
}

fn check(programs: &Path, file: &Path) -> Result<(), String> {
    let source = fs::read_to_string(file).map_err(|e| e.to_string())?;
    let name = file.strip_prefix(programs).map_err(|e| e.to_string())?.display().to_string();
    let folder = folder_for(programs, &name)?;
    let mut arguments = vec!["run".to_owned(), name];
    arguments.extend(arguments_of(&source)?);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = common::run(&folder, &arguments);

    agrees_with_annotations(&annotations(&source), &findings(&done.stdout), &done)?;
    let mut output = done.stdout;
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    writeln!(output, "exit: {}", done.status).map_err(|e| e.to_string())?;
    let beside = file.with_extension("out");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(beside, output).map_err(|e| e.to_string());
    }
    let expected =
        fs::read_to_string(beside).map_err(|e| format!("no expected output ({e}); run with BLESS=1"))?;
    if expected == output { Ok(()) } else { Err(common::difference(&expected, &output)) }
}

/// A scratch folder in which the programs have their short names, so that what the command writes stays out of the tree.
fn folder_for(programs: &Path, name: &str) -> Result<std::path::PathBuf, String> {
    let folder = common::scratch(&format!("ui/{}", name.replace('/', "-")));
    for entry in fs::read_dir(programs).map_err(|e| e.to_string())?.flatten() {
        std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name()))
            .map_err(|e| e.to_string())?;
    }
    Ok(folder)
}

/// The arguments in the first line, split at blanks outside of double quotes.
fn arguments_of(source: &str) -> Result<Vec<String>, String> {
    let first = source.lines().next().unwrap_or_default();
    let text = first.strip_prefix("// run:").ok_or("the first line must be `// run: arguments`")?;
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
            Some(Finding { id: id_in(line.split_once("//~ error[")?.1)?, lines: vec![i + 1] })
        })
        .collect()
}

/// The findings of an output: `error[id]: …`, followed by labels that begin with their place, the primary one first.
fn findings(output: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for line in output.lines() {
        if let Some(id) = line.strip_prefix("error[").and_then(id_in) {
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

fn id_in(text: &str) -> Option<String> {
    Some(text.split_once(']')?.0.to_owned())
}

fn agrees_with_annotations(wanted: &[Finding], found: &[Finding], done: &common::Done) -> Result<(), String> {
    if wanted.len() == found.len() && wanted.iter().zip(found).all(|(w, f)| f.is_announced_by(w)) {
        return Ok(());
    }
    Err(format!(
        "expected {wanted:?}\nfound    {found:?}\n{}{}exit: {}",
        done.stdout, done.stderr, done.status
    ))
}
