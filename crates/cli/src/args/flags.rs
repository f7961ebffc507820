//! Flags as compilers take them, so that CFLAGS and LDFLAGS can be pasted: each becomes an option of ours before the command
//! line is read. What they mean to the program is decided where clang is called (`tp_frontend`).

use std::ffi::{OsStr, OsString};

/// Commands that take sources.
const WITH_SOURCES: &[&str] = &["check", "run", "ir", "events"];

/// Options of ours whose value may begin with a dash.
const WITH_ANY_VALUE: &[&str] = &["--clang-arg", "--property"];

/// Flags of which the next word is a part.
const PAIRS: &[&str] = &[
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-x",
    "-U",
    "-Xclang",
    "-Xpreprocessor",
    "-Xlinker",
    "-L",
    "-l",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-T",
    "-z",
    "--param",
];

const WORDS: &[&str] = &[
    "-pthread",
    "-ansi",
    "-w",
    "-c",
    "-s",
    "-pipe",
    "-pg",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-shared",
    "--coverage",
];

/// Families of flags.
const STARTS: &[&str] = &[
    "-f",
    "-m",
    "-W",
    "-U",
    "-O",
    "-g",
    "-l",
    "-L",
    "-M",
    "-o",
    "-pedantic",
    "-nostd",
    "-nostart",
    "-nodefault",
    "-static",
    "-save-temps",
    "-isystem",
    "-iquote",
];

/// The command line with the flags of compilers as options of ours. Those of the program, after `--`, stay as they are.
pub fn with_flags_of_compilers(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args = args.peekable();
    let mut all: Vec<OsString> = args.next().into_iter().collect();
    let takes_sources = args.peek().and_then(|a| a.to_str()).is_some_and(|a| WITH_SOURCES.contains(&a));
    while takes_sources && let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--") => {
                all.push(arg);
                break;
            }
            Some(text) if WITH_ANY_VALUE.contains(&text) => {
                all.push(arg);
                all.extend(args.next());
            }
            Some("-m32") => all.push("--data-model=ILP32".into()),
            Some("-m64") => all.push("--data-model=LP64".into()),
            // Compilers write `-std=c11` with one dash, and so do people.
            Some(text) if text.starts_with("-std=") => all.push(format!("-{text}").into()),
            Some(text) if PAIRS.contains(&text) => {
                all.push(for_clang(&arg));
                all.extend(args.next().map(|value| for_clang(&value)));
            }
            Some(text) if WORDS.contains(&text) || STARTS.iter().any(|start| text.starts_with(start)) => {
                all.push(for_clang(&arg));
            }
            _ => all.push(arg),
        }
    }
    all.extend(args);
    all
}

fn for_clang(word: &OsStr) -> OsString {
    let mut option = OsString::from("--clang-arg=");
    option.push(word);
    option
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags() {
        let check = |line: &str, expect: &str| {
            let args = line.split(' ').map(OsString::from);
            let words: Vec<String> = with_flags_of_compilers(args)
                .iter()
                .map(|a| a.to_string_lossy().replace("--clang-arg=", "="))
                .collect();
            assert_eq!(words.join(" "), expect, "{line}");
        };
        check("tp check a.c -pthread -O2 -Wall", "tp check a.c =-pthread =-O2 =-Wall");
        check("tp run a.c -std=c11 -I inc -DX=1 -UY -lm", "tp run a.c --std=c11 -I inc -DX=1 =-UY =-lm");
        check("tp check a.c -include c.h -o app", "tp check a.c =-include =c.h =-o =app");
        check("tp check -m32 a.c", "tp check --data-model=ILP32 a.c");
        check("tp check a.c -- -O2 -std=c11", "tp check a.c -- -O2 -std=c11");
        check(
            "tp check a.c --clang-arg -O2 --property -leak -g",
            "tp check a.c --clang-arg -O2 --property -leak =-g",
        );
        // Mistakes are still noticed.
        check("tp check a.c -json", "tp check a.c -json");
        check("tp bench tasks.tsv -O2", "tp bench tasks.tsv -O2");
    }
}
