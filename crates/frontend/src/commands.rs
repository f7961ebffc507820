//! Compilation databases (`compile_commands.json`): which files a project has and with which flags they are compiled.

use crate::FrontendError;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// How one source file of a project is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    pub directory: PathBuf,
    pub file: PathBuf,
    /// Without the compiler, the file itself, outputs, and what only matters to optimised or instrumented builds.
    pub args: Vec<String>,
}

impl CompileCommand {
    /// The file's path, made absolute by the directory of the command.
    fn path(&self) -> PathBuf {
        self.directory.join(&self.file)
    }
}

pub fn read(path: &Path) -> Result<Vec<CompileCommand>, FrontendError> {
    let bad = |reason: String| FrontendError::BadCompileCommands { path: path.to_owned(), reason };
    let text = fs::read_to_string(path)
        .map_err(|e| FrontendError::Unreadable { path: path.to_owned(), reason: e.to_string() })?;
    let root: Value = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
    let entries = root.as_array().ok_or_else(|| bad("it is not a list".to_owned()))?;
    let base = path.parent().unwrap_or(Path::new(""));
    entries.iter().map(|entry| command(entry, base).map_err(&bad)).collect()
}

/// The commands of the given inputs, or of every C source when there are none.
pub fn select(
    commands: Vec<CompileCommand>,
    inputs: &[PathBuf],
    database: &Path,
) -> Result<Vec<CompileCommand>, FrontendError> {
    if inputs.is_empty() {
        return Ok(commands.into_iter().filter(|c| c.file.extension().is_some_and(|e| e == "c")).collect());
    }
    let same = |a: &Path, b: &Path| {
        a == b || a.canonicalize().ok().is_some_and(|a| b.canonicalize().ok() == Some(a))
    };
    let find = |input: &PathBuf| {
        let own = commands.iter().find(|c| same(&c.path(), input)).cloned();
        own.or_else(|| like_neighbour(&commands, input)).ok_or_else(|| FrontendError::NotInCompileCommands {
            path: input.clone(),
            database: database.to_owned(),
        })
    };
    inputs.iter().map(find).collect()
}

/// A file that the project does not know, such as a harness for one of its parts, is compiled like the C source that
/// lies nearest to it.
fn like_neighbour(commands: &[CompileCommand], input: &Path) -> Option<CompileCommand> {
    let file = std::path::absolute(input).ok()?;
    let shared = |command: &CompileCommand| {
        let path = command.path();
        let path = path.canonicalize().unwrap_or(path);
        path.components().zip(file.components()).take_while(|(a, b)| a == b).count()
    };
    let sources = commands.iter().filter(|c| c.file.extension().is_some_and(|e| e == "c"));
    // The first of those that are equally near.
    let nearest = sources.rev().max_by_key(|c| shared(c))?;
    Some(CompileCommand { file, ..nearest.clone() })
}

fn command(entry: &Value, base: &Path) -> Result<CompileCommand, String> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let file = text("file").ok_or("an entry has no \"file\"")?;
    let words: Vec<String> = match (entry.get("arguments").and_then(Value::as_array), text("command")) {
        (Some(list), _) => list.iter().filter_map(|w| w.as_str().map(str::to_owned)).collect(),
        (None, Some(line)) => {
            shlex::split(line).ok_or_else(|| format!("the command for {file} has unbalanced quotes"))?
        }
        (None, None) => {
            return Err(format!("the entry for {file} has neither \"arguments\" nor \"command\""));
        }
    };
    let directory = base.join(text("directory").unwrap_or("."));
    Ok(CompileCommand { directory, file: PathBuf::from(file), args: useful(&words, file) })
}

/// The arguments of a command without the compiler and the file itself, as far as they change what the program means.
fn useful(words: &[String], file: &str) -> Vec<String> {
    let words: Vec<String> = words.iter().skip(1).filter(|word| *word != file).cloned().collect();
    meaningful(&words)
}

/// Flags that are kept together with the next word, whatever that is.
const KEPT_PAIRS: &[&str] = &["-Xclang", "-Xpreprocessor", "-mllvm"];

/// Flags of which the next word is a part, and which are dropped with it.
const DROPPED_PAIRS: &[&str] =
    &["-o", "-MF", "-MT", "-MQ", "-MJ", "-dependency-file", "-l", "-L", "-Xlinker", "-T", "-z", "--param"];

const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-emit-llvm",
    "-pipe",
    "-pedantic-errors",
    "--coverage",
    "-pg",
    "-s",
    "-shared",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-nostartfiles",
    "-nostdlib",
    "-nodefaultlibs",
    // The machine that this runs on must not decide what the program is.
    "-march=native",
];

const DROPPED_STARTS: &[&str] = &[
    "-O",
    "-o",
    "-Werror",
    "-M",
    "-g",
    "-flto",
    "-fsanitize",
    "-fprofile",
    "-fstack-protector",
    "-save-temps",
    "-l",
    "-L",
    "-Wl,",
    "-Wa,",
    "-static",
    "-mtune=",
];

/// The flags that change what the program means: not those that optimise, instrument or link.
pub fn meaningful(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if KEPT_PAIRS.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.next().cloned());
        } else if DROPPED_PAIRS.contains(&word.as_str()) {
            words.next();
        } else if !DROPPED.contains(&word.as_str()) && !DROPPED_STARTS.iter().any(|s| word.starts_with(s)) {
            kept.push(word.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: &[&str]) {
        let words = shlex::split(line).unwrap_or_default();
        assert_eq!(useful(&words, "src/a.c"), expect, "{line}");
    }

    #[test]
    fn flags_that_matter_are_kept() {
        check("cc -c -O2 -DX='a b' -Iinc -o a.o src/a.c", &["-DX=a b", "-Iinc"]);
        check("gcc -MD -MF a.d -MT a.o -Werror -Wall -std=gnu99 -g3 src/a.c", &["-Wall", "-std=gnu99"]);
        check(
            "clang -include config.h -fsanitize=thread -m32 -oa.o -c src/a.c",
            &["-include", "config.h", "-m32"],
        );
        check(
            "cc -pthread -march=native -fcommon -L lib -lm -l z -Wl,-O1 -static src/a.c",
            &["-pthread", "-fcommon"],
        );
        check("cc -w -Xclang -Werror=implicit src/a.c", &["-w", "-Xclang", "-Werror=implicit"]);
    }
}
