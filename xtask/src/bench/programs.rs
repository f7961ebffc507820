//! Which programs are measured, and with which arguments.

use super::source;
use crate::root;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use tp_bench::find::{self, Places, Wanted};
use tp_bench::{BenchTask, Expected};

pub struct Program {
    pub name: String,
    pub file: PathBuf,
    /// Where `check` runs: arguments may name files.
    pub folder: PathBuf,
    pub arguments: Vec<String>,
    /// Whether it is known to be safe.
    pub expected: Option<bool>,
}

/// Programs in xtask/bench that have a size, and the sizes to compare engines on.
const FAMILIES: [(&str, bool, &[u32]); 12] = [
    ("fibonacci", true, &[2, 3, 4, 5, 6]),
    ("fibonacci", false, &[2, 3, 4, 5, 6, 7]),
    ("readers", true, &[5, 10, 15, 20]),
    ("circle", true, &[3, 5, 7, 9]),
    ("counter", true, &[2, 3, 4, 5, 6, 7]),
    ("counter", false, &[2, 4, 6, 8]),
    ("reorder", true, &[5, 10, 20]),
    ("reorder", false, &[5, 10, 20]),
    ("stages", true, &[2, 4, 8]),
    ("stages", false, &[2, 4, 8]),
    ("ring", true, &[3, 6, 9]),
    ("ring", false, &[3, 6, 9]),
];

/// The property that engines are compared on in a corpus, and the arguments for its programs.
const PROPERTY: &str = "unreach-call";
const ARGUMENTS: [&str; 6] = ["--property", PROPERTY, "--data-model", "ILP32", "--unmodelled", "pure"];

/// A program of xtask/bench in some size.
pub fn of_size(family: &str, is_safe: bool, n: u32) -> Program {
    let mut arguments = vec!["-D".to_owned(), format!("N={n}")];
    if !is_safe {
        arguments.extend(["-D", "UNSAFE"].map(str::to_owned));
    }
    Program {
        name: format!("{family} {} {n}", if is_safe { "safe" } else { "unsafe" }),
        file: source(&format!("{family}.c")),
        folder: root(),
        arguments,
        expected: Some(is_safe),
    }
}

/// The programs of the repository: the tests of `check`, the examples, and some sizes of each family.
pub fn own() -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    let tests = root().join("tests/check");
    for file in c_files(&tests)? {
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        // A file without such a line is a part of another program.
        let Some(arguments) = text.lines().next().and_then(|line| line.strip_prefix("// check:")) else {
            continue;
        };
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        programs.push(Program { name: name(&file), file, folder: tests.clone(), arguments, expected: None });
    }
    for file in c_files(&root().join("examples"))? {
        let (folder, arguments) = (root(), Vec::new());
        programs.push(Program { name: name(&file), file, folder, arguments, expected: None });
    }
    for (family, is_safe, sizes) in FAMILIES {
        programs.extend(sizes.iter().map(|n| of_size(family, is_safe, *n)));
    }
    Ok(programs)
}

/// The programs of a corpus that have a verdict for `PROPERTY`.
pub fn of_corpus(folder: &Path, tasks: &Path) -> Result<Vec<Program>> {
    let folder =
        folder.canonicalize().with_context(|| format!("there is no directory {}", folder.display()))?;
    let places = Places { folder: Some(folder.clone()), data_model: None };
    let wanted = Wanted { only: "", properties: &[PROPERTY.to_owned()], known: &|_| true };
    let tasks = find::select(find::tasks(&[tasks.to_owned()], &places)?, &wanted)?.tasks;
    let program = |task: BenchTask| Program {
        file: task.files.first().cloned().unwrap_or_default(),
        name: task.id.path(),
        folder: folder.clone(),
        arguments: ARGUMENTS.map(str::to_owned).into_iter().chain(task.arguments).collect(),
        expected: task.expected.as_ref().map(Expected::is_true),
    };
    Ok(tasks.into_iter().map(program).collect())
}

/// The arguments of a program of a corpus, changed to check all properties.
pub fn for_all_properties(arguments: &[String]) -> Vec<String> {
    let of_property = arguments.iter().position(|a| a == "--property");
    let is_kept = |i: usize| of_property.is_none_or(|at| i != at && i != at + 1);
    arguments.iter().enumerate().filter(|(i, _)| is_kept(*i)).map(|(_, a)| a.clone()).collect()
}

/// From the root of the repository.
fn name(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn c_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_programs() {
        let programs = own().unwrap();
        let with = |word: &str| programs.iter().filter(|p| p.name.contains(word)).count();
        assert!(with("tests/check/") > 100 && with("examples/") > 10);
        assert_eq!(with(" safe ") + with(" unsafe "), FAMILIES.iter().map(|f| f.2.len()).sum::<usize>());
        assert!(programs.iter().all(|p| p.file.exists()), "every program is there");
    }

    #[test]
    fn a_corpus_has_programs_with_arguments_and_verdicts() {
        let folder = root().join("tests/corpus");
        let programs = of_corpus(&folder, &folder.join("tasks.tsv")).unwrap();
        assert!(programs.len() > 40 && programs.iter().all(|p| p.file.exists() && p.expected.is_some()));
        let sized = programs.iter().find(|p| p.arguments.iter().any(|a| a == "-DN=3")).unwrap();
        assert_eq!(sized.arguments[..2], ["--property", PROPERTY]);
        assert_eq!(for_all_properties(&sized.arguments), sized.arguments[2..]);
    }
}
