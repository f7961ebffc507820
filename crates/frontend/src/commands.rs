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
        commands.iter().find(|c| same(&c.path(), input)).cloned().ok_or_else(|| {
            FrontendError::NotInCompileCommands { path: input.clone(), database: database.to_owned() }
        })
    };
    inputs.iter().map(find).collect()
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

/// The flags that change what the program means.
fn useful(words: &[String], file: &str) -> Vec<String> {
    let with_value = ["-o", "-MF", "-MT", "-MQ", "-MJ", "-dependency-file"];
    let dropped = ["-c", "-S", "-E", "-emit-llvm", "-pipe", "-pedantic-errors", "--coverage", "-pg", "-s"];
    let dropped_starts = [
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
    ];
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        if with_value.contains(&word) {
            words.next();
        } else if word != file
            && !dropped.contains(&word)
            && !dropped_starts.iter().any(|s| word.starts_with(s))
        {
            kept.push(word.to_owned());
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
    }
}
