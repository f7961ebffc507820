//! Which code of a C++ source comes from the headers of the library (`Origin::Library`): clang says which files are the
//! program's own, and marks the others in what it preprocesses.

use crate::clang::is_line_marker;
use crate::llvm::Value;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// The code of one module that is the library's.
#[derive(Default)]
pub enum Headers {
    #[default]
    None,
    /// What is not in these files.
    AllBut(HashSet<PathBuf>),
    /// These lines of the only file, in order.
    Lines(Vec<(u32, u32)>),
}

impl Headers {
    /// From the rule for `make` that clang writes with `-MMD`; `directory`: where clang ran.
    pub fn all_but_listed(rule: &str, directory: Option<&Path>) -> Headers {
        let here = std::env::current_dir().unwrap_or_default();
        let directory = directory.map_or_else(|| here.clone(), |d| here.join(d));
        Headers::AllBut(prerequisites(rule).iter().map(|name| clean(&directory.join(name))).collect())
    }

    /// From the line markers of a preprocessed file: `3` is the flag of system headers.
    pub fn marked(text: &[u8]) -> Headers {
        let mut lines = Vec::new();
        let mut begin = None;
        let mut number = 0;
        for line in text.split_inclusive(|&b| b == b'\n') {
            number += 1;
            if !is_line_marker(line) {
                continue;
            }
            lines.extend(begin.take().map(|first| (first, number)));
            let flags = line.rsplit(|&b| b == b'"').next().unwrap_or_default();
            let mut flags = flags.split(|b| b.is_ascii_whitespace());
            begin = flags.any(|flag| flag == b"3").then_some(number);
        }
        lines.extend(begin.map(|first| (first, u32::MAX)));
        Headers::Lines(lines)
    }

    /// Whether a function is the library's. What the compiler makes and has no place is.
    pub fn define(&self, function: Value<'_>) -> bool {
        let place = || {
            let subprogram = function.subprogram()?;
            Some((subprogram.scope_file()?, subprogram.subprogram_line()))
        };
        match self {
            Headers::None => false,
            Headers::AllBut(own) => place().is_none_or(|(file, _)| {
                let (directory, name) = file.file_path();
                !own.contains(&clean(&Path::new(&directory).join(name)))
            }),
            Headers::Lines(lines) => place().is_none_or(|(_, line)| {
                let after = lines.partition_point(|(first, _)| *first <= line);
                after.checked_sub(1).and_then(|i| lines.get(i)).is_some_and(|(_, last)| line < *last)
            }),
        }
    }
}

/// Without `.`, and without `..` after a name.
fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// What a rule's target depends on. A backslash before a blank, a `#` or the end of a line is not part of a name, and `$`
/// is written twice.
fn prerequisites(rule: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut chars = rule.split_once(": ").map_or("", |(_, list)| list).chars().peekable();
    while let Some(c) = chars.next() {
        let name = names.pop().unwrap_or_default();
        match (c, chars.peek().copied()) {
            ('\\', Some('\n')) | (' ' | '\n', _) => names.extend([name, String::new()]),
            ('\\', Some(next @ (' ' | '#'))) | ('$', Some(next @ '$')) => {
                chars.next();
                names.push(name + &next.to_string());
            }
            _ => names.push(name + &c.to_string()),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_rule() {
        let check = |rule: &str, expect: &[&str]| assert_eq!(prerequisites(rule), expect, "{rule}");
        check("a.o: a.cpp b.h\n", &["a.cpp", "b.h"]);
        check("a.o: a.cpp \\\n  dir/b.h \\\n  c.h\n", &["a.cpp", "dir/b.h", "c.h"]);
        check("-: two\\ words.cpp price$$.h\n", &["two words.cpp", "price$.h"]);
    }

    #[test]
    fn lines_of_system_headers() {
        let text = "# 1 \"a.cpp\"\n# 1 \"/usr/thread\" 1 3\nint t;\n# 2 \"a.cpp\" 2\nint main() {}\n";
        let Headers::Lines(lines) = Headers::marked(text.as_bytes()) else { panic!("not lines") };
        assert_eq!(lines, [(2, 4)]);
    }

    #[test]
    fn paths_are_compared_without_dots() {
        assert_eq!(clean(Path::new("/project/src/../include/./a.h")), Path::new("/project/include/a.h"));
        assert_eq!(clean(Path::new("../a.h")), Path::new("../a.h"));
    }
}
