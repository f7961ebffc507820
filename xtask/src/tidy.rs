//! What a review should not have to look for. Runs as a test too.

use crate::root;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// A longer file is more than one idea, unless it says why not.
const MOST_LINES: usize = 500;
/// Files up to this length explain themselves.
const TINY: usize = 20;
/// A file that has to be long says so: `// tidy: long because …`.
const LONG_BECAUSE: &str = concat!("// tidy: ", "long because");
/// Paths of somebody's machine; in parts, so that this file does not hold them.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/", "root/"), concat!("/", "home/"), concat!("/", "work/"), concat!("/", "Users/")];

pub fn tidy() -> Result<()> {
    let problems = problems()?;
    for problem in &problems {
        eprintln!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        n => bail!("{n} untidy places"),
    }
}

fn problems() -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files()? {
        // Not a text.
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else { continue };
        if path != "Cargo.lock" {
            problems.extend(machine_paths(&path, &text));
        }
        if path.ends_with(".rs") {
            problems.extend(header_and_length(&path, &text));
        }
        if path.ends_with(".md") {
            problems.extend(commands(&path, &text));
            problems.extend(functions(&path, &text));
        }
    }
    Ok(problems)
}

/// Functions that a text says are in a file: `` `crates/…/file.rs`, `name` and `other` ``.
fn functions(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    // Alternately the text outside and inside of backquotes.
    let quoted: Vec<&str> = text.split('`').collect();
    let mut file: Option<(&str, String)> = None;
    for pair in quoted.chunks(2) {
        let (before, Some(word)) = (pair[0], pair.get(1)) else { continue };
        if word.starts_with("crates/") && word.ends_with(".rs") {
            match std::fs::read_to_string(root().join(word)) {
                Ok(text) => file = Some((word, text)),
                Err(_) => problems.push(format!("{path}: there is no {word}")),
            }
        } else if let Some((name, source)) =
            file.as_ref().filter(|_| [", ", " and ", ",\n   "].contains(&before))
        {
            if !source.contains(&format!("fn {word}(")) && !source.contains(&format!("fn {word}<")) {
                problems.push(format!("{path}: {name} has no function `{word}`"));
            }
        } else {
            file = None;
        }
    }
    problems
}

/// Paths from the root, in order, without what is built or left behind by runs.
fn files() -> Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            let relative = path.strip_prefix(root())?.to_string_lossy().into_owned();
            if relative == "target" || relative == ".git" || relative.ends_with(".witness") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(relative);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn machine_paths(path: &str, text: &str) -> Vec<String> {
    let holds = |line: &str| MACHINE_PATHS.iter().any(|p| line.contains(p));
    let lines = text.lines().enumerate().filter(|(_, line)| holds(line));
    lines.map(|(i, _)| format!("{path}:{}: a path of one machine", i + 1)).collect()
}

fn header_and_length(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let lines = text.lines().count();
    if lines > TINY && !text.starts_with("//") {
        problems.push(format!("{path}:1: does not open with what it is for"));
    }
    // Tests are data: a list of them may be as long as it likes.
    let is_test = path.contains("/tests/");
    if lines > MOST_LINES && !is_test && !text.contains(LONG_BECAUSE) {
        problems.push(format!("{path}:{lines}: has {lines} lines; split it, or say `{LONG_BECAUSE} …`"));
    }
    problems
}

/// Commands in the documents name files that exist.
fn commands(path: &str, text: &str) -> Vec<String> {
    let folder = root().join(Path::new(path).parent().unwrap_or(Path::new("")));
    let mut problems = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some(command) = line.trim_start().strip_prefix("$ ") else { continue };
        for word in command.split_whitespace().take_while(|w| !w.starts_with('#')) {
            let is_source = word.contains('/') && (word.ends_with(".c") || word.starts_with("./"));
            if is_source && !root().join(word).exists() && !folder.join(word).exists() {
                problems.push(format!("{path}:{}: `{word}` does not exist", i + 1));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_where_a_text_says() {
        let check = |text: &str, expect: usize| assert_eq!(functions("a.md", text).len(), expect, "{text}");
        check("`crates/ir/src/step.rs`, `is_visible`: others can tell", 0);
        check("`crates/ir/src/step.rs`, `is_visible` and `in_section`", 0);
        check("`crates/ir/src/step.rs`, `is_invisible`", 1);
        check("`crates/ir/src/steps.rs`, `is_visible`", 1);
        check("`crates/ir/src/step.rs` is where `nothing` is said of a function", 0);
    }

    #[test]
    fn the_repository_is_tidy() {
        let problems = problems().unwrap();
        assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
    }

    #[test]
    fn what_is_found() {
        assert_eq!(machine_paths("a", &format!("x\n{}me/x", MACHINE_PATHS[1])).len(), 1);
        assert_eq!(header_and_length("a.rs", "fn f() {}\n").len(), 0);
        assert_eq!(header_and_length("a.rs", &"\n".repeat(21)).len(), 1);
        assert_eq!(header_and_length("a.rs", &"//! x\n".repeat(501)).len(), 1);
        assert_eq!(header_and_length("a.rs", &format!("{}{LONG_BECAUSE} x", "//!\n".repeat(501))).len(), 0);
        assert_eq!(commands("a.md", "$ ./threadproof run no/such.c").len(), 1);
        assert_eq!(commands("a.md", "$ ./threadproof run x.c\nno/such.c").len(), 0);
    }
}
