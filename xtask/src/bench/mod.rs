//! Speed and memory.
//!
//! | module | what is in it |
//! |---|---|
//! | `machine` | `bench machine`: the machine, alone |
//! | `engines` | `bench engines`: many programs, each with every engine of `check` |
//! | `growth` | `bench growth`: the same program, larger and larger |
//! | `properties` | `bench properties`: all properties, compared with assertions alone |
//! | `workers` | `bench workers`: many threads alike, and polling, by default |
//! | `contexts` | `bench contexts`: the engines that count context switches, beside the paper's figures |
//! | `programs` | which programs, with which arguments |
//! | `measure` | one program, one engine, one process: verdict, time, memory |
//! | `summary` | many measurements as a few lines, beside what was aimed for |

mod contexts;
mod engines;
mod growth;
pub mod machine;
mod measure;
mod programs;
mod properties;
mod summary;
mod workers;

use crate::root;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Measure speed and memory
#[derive(clap::Subcommand)]
pub enum Bench {
    /// The machine: instructions, steps and threads in a second
    Machine,
    /// The engines of `check`, program by program, and their ratios
    Engines(engines::Args),
    /// How the engines grow with the program, as a table and as curves
    Growth(growth::Args),
    /// What it costs to look for everything instead of failed assertions alone
    Properties(properties::Args),
    /// Programs with many threads alike, or that poll, as `check` answers them by default
    Workers(workers::Args),
    /// The engines that count context switches, beside the figures of the paper that they come from
    Contexts(contexts::Args),
}

pub fn bench(what: &Bench) -> Result<()> {
    match what {
        Bench::Machine => machine::machine(),
        Bench::Engines(args) => engines::engines(args),
        Bench::Growth(args) => growth::growth(args),
        Bench::Properties(args) => properties::properties(args),
        Bench::Workers(args) => workers::workers(args),
        Bench::Contexts(args) => contexts::contexts(args),
    }
}

/// A program of xtask/bench.
fn source(name: &str) -> PathBuf {
    root().join("xtask/bench").join(name)
}

/// The folder for results that do not belong into the repository.
fn scratch() -> Result<PathBuf> {
    let folder = root().join("target/bench");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A copy of the binary, so that a build in the meantime does not change what is measured.
fn binary() -> Result<PathBuf> {
    let copy = scratch()?.join("threadproof");
    std::fs::copy(crate::threadproof()?, &copy).context("cannot copy the binary")?;
    Ok(copy)
}

/// Puts a text into bench/README.md, between the two lines that bear its name.
fn publish(name: &str, text: &str) -> Result<()> {
    let path = root().join("bench/README.md");
    let readme = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let readme = with_section(&readme, name, text)
        .with_context(|| format!("{} has no place for `{name}`", path.display()))?;
    write(&path, &readme)
}

fn with_section(document: &str, name: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = document.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{}\n\n{end}{after}", text.trim()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::with_section;

    #[test]
    fn sections_are_replaced() {
        let document = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n";
        let new = "a\n<!-- x -->\n\nnew\n\n<!-- end of x -->\nb\n";
        assert_eq!(with_section(document, "x", "new\n").as_deref(), Some(new));
        assert_eq!(with_section(new, "x", "new").as_deref(), Some(new));
        assert_eq!(with_section(document, "y", "new"), None);
    }
}
