//! `bench engines`: every program with every engine, one process at a time.
//!
//! The engines take turns program by program, so that other load on the machine affects all of them alike.

use super::measure::{EngineName, Measured, MeasuredAnswer, engines as compared, measure};
use super::programs::{self, Program};
use super::summary::{self, Row};
use super::{binary, publish, scratch};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Measure the programs of this directory instead of our own
    #[arg(long, requires = "tasks", value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// The table of expected verdicts of the corpus
    #[arg(long, requires = "corpus", value_name = "TSV")]
    tasks: Option<PathBuf>,
    /// Seconds of processor time for each program and engine
    #[arg(long, default_value_t = 20.0)]
    timeout: f64,
    /// Only programs whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Summarise these measurements of an earlier time instead of measuring
    #[arg(long, value_name = "TSV")]
    from: Option<PathBuf>,
    /// Put the summary into bench/README.md as well
    #[arg(long)]
    write: bool,
}

/// Programs that no engine takes longer for, in seconds of processor time, are measured this often.
const QUICK: f64 = 0.5;
const TRIES: usize = 3;

const HEADER: &str = "program\texpected\tengine\tanswer\twall\tcpu\tbytes\tlemmas\tconflicts";

pub fn engines(args: &Args) -> Result<()> {
    let set = if args.corpus.is_some() { "corpus" } else { "own" };
    let rows = match &args.from {
        Some(path) => read(path)?,
        None => measure_all(args, &scratch()?.join(format!("{set}.tsv")))?,
    };
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.program.contains(&args.only)).collect();
    let text = summary::markdown(&rows, args.timeout);
    println!("{text}");
    if args.write {
        publish(set, &text)?;
    }
    match summary::faults(&rows).len() {
        0 => Ok(()),
        n => bail!("{n} outcomes that should not be"),
    }
}

/// The results of each program are written to the file as soon as it is measured.
fn measure_all(args: &Args, path: &Path) -> Result<Vec<Row>> {
    let programs = match (&args.corpus, &args.tasks) {
        (Some(folder), Some(tasks)) => programs::of_corpus(folder, tasks)?,
        _ => programs::own()?,
    };
    let programs: Vec<Program> = programs.into_iter().filter(|p| p.name.contains(&args.only)).collect();
    let binary = binary()?;
    let mut file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(file, "{HEADER}")?;
    eprintln!("{} programs; measurements go to {}", programs.len(), path.display());
    let mut rows = Vec::new();
    for (i, program) in programs.iter().enumerate() {
        let row = measure_row(&binary, program, i, args.timeout)?;
        file.write_all(lines(&row).as_bytes())?;
        let times: Vec<String> = row.results.iter().map(|(_, m)| format!("{:.2}", m.cpu)).collect();
        eprintln!("{}/{} {}: {} s", i + 1, programs.len(), program.name, times.join(", "));
        rows.push(row);
    }
    Ok(rows)
}

/// A program that all engines answer quickly is measured several times, and the minimum counts: the noise is as large
/// as the times there.
fn measure_row(binary: &Path, program: &Program, turn: usize, limit: f64) -> Result<Row> {
    let mut results = measure_once(binary, program, turn, limit)?;
    for again in 1..TRIES {
        if results.iter().any(|(_, m)| m.cpu > QUICK) {
            break;
        }
        let others = measure_once(binary, program, turn + again, limit)?;
        for ((_, best), (_, other)) in results.iter_mut().zip(others) {
            best.cpu = best.cpu.min(other.cpu);
            best.wall = best.wall.min(other.wall);
            best.memory = best.memory.min(other.memory);
            if best.answer != other.answer {
                best.answer =
                    MeasuredAnswer::Broken(format!("{}, then {}", best.answer.words(), other.answer.words()));
            }
        }
    }
    Ok(Row { program: program.name.clone(), expected: program.expected, results })
}

/// Every turn begins with another engine: the first one finds cold caches.
fn measure_once(
    binary: &Path,
    program: &Program,
    turn: usize,
    limit: f64,
) -> Result<Vec<(EngineName, Measured)>> {
    let engines = compared();
    let mut results: Vec<(usize, EngineName, Measured)> = Vec::new();
    for i in 0..engines.len() {
        let i = (i + turn) % engines.len();
        results.push((i, engines[i], measure(binary, program, engines[i], limit)?));
    }
    results.sort_by_key(|result| result.0);
    Ok(results.into_iter().map(|(_, engine, measured)| (engine, measured)).collect())
}

/// A line for each engine.
fn lines(row: &Row) -> String {
    let expected = row.expected.map_or("-".to_owned(), |e| e.to_string());
    let line = |(engine, m): &(EngineName, Measured)| {
        let answer = m.answer.words().replace(['\t', '\n'], " ");
        let Measured { wall, cpu, memory, lemmas, conflicts, .. } = m;
        format!(
            "{}\t{expected}\t{engine}\t{answer}\t{wall:.4}\t{cpu:.4}\t{memory}\t{lemmas}\t{conflicts}\n",
            row.program
        )
    };
    row.results.iter().map(line).collect()
}

fn read(path: &Path) -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| format!("{} is not a file of measurements", path.display()))
}

fn parse(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return None;
    }
    let engines = compared();
    let mut rows = Vec::new();
    let lines: Vec<&str> = lines.collect();
    // The last program may be half written.
    for lines in lines.chunks_exact(engines.len()) {
        let mut fields = lines[0].split('\t');
        let program = fields.next()?.to_owned();
        let expected = fields.next()?.parse().ok();
        let results =
            engines.iter().zip(lines).map(|(engine, line)| Some((*engine, measured(line, engine)?)));
        rows.push(Row { program, expected, results: results.collect::<Option<_>>()? });
    }
    Some(rows)
}

fn measured(line: &str, engine: EngineName) -> Option<Measured> {
    let [_, _, name, answer, wall, cpu, memory, lemmas, conflicts] = line.split('\t').collect::<Vec<_>>()[..]
    else {
        return None;
    };
    (name == engine).then_some(())?;
    Some(Measured {
        answer: MeasuredAnswer::from_words(answer),
        wall: wall.parse().ok()?,
        cpu: cpu.parse().ok()?,
        memory: memory.parse().ok()?,
        lemmas: lemmas.parse().ok()?,
        conflicts: conflicts.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_read_as_they_were_written() {
        let measured = |answer| Measured { answer, wall: 1.5, cpu: 1.25, memory: 7, lemmas: 8, conflicts: 9 };
        let results = [
            MeasuredAnswer::Safe,
            MeasuredAnswer::Stopped,
            MeasuredAnswer::Unknown("no model for `f`".to_owned()),
        ]
        .map(measured);
        let results = compared().into_iter().zip(results).collect();
        let row = Row { program: "a b".to_owned(), expected: Some(true), results };
        let unknown = Row { expected: None, ..row.clone() };
        let text = format!("{HEADER}\n{}{}a b\thalf", lines(&row), lines(&unknown));
        assert_eq!(parse(&text), Some(vec![row, unknown]));
        assert_eq!(parse("something else\n"), None);
    }
}
