//! `bench workers`: programs with many threads alike, or that poll, as `check` answers them by default.

use super::measure::{Measured, measure};
use super::programs::Program;
use super::{binary, publish, source};
use crate::root;
use anyhow::Result;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Seconds of processor time for each program
    #[arg(long, default_value_t = 120.0)]
    timeout: f64,
    /// Another build of `threadproof`, which is measured in turn with this one
    #[arg(long)]
    against: Option<PathBuf>,
    /// Put the table into bench/README.md as well
    #[arg(long)]
    write: bool,
}

struct Row {
    title: &'static str,
    /// In xtask/bench, or else from the root.
    file: &'static str,
    arguments: &'static [&'static str],
    /// Seconds.
    aim: Option<u32>,
}

const ROWS: [Row; 8] = [
    Row {
        title: "a pool, 3 workers, 4 tasks",
        file: "pool.c",
        arguments: &["-DWORKERS=3", "-DTASKS=4"],
        aim: Some(10),
    },
    Row {
        title: "a pool, 4 workers, 6 tasks",
        file: "pool.c",
        arguments: &["-DWORKERS=4", "-DTASKS=6"],
        aim: Some(60),
    },
    Row { title: "8 threads add under a lock", file: "addition.c", arguments: &["-DN=8"], aim: Some(2) },
    Row { title: "16 threads add under a lock", file: "addition.c", arguments: &["-DN=16"], aim: Some(2) },
    Row { title: "polling under a lock", file: "polling.c", arguments: &["-DREST="], aim: None },
    Row { title: "the same, with `usleep`", file: "polling.c", arguments: &["-DREST=usleep(10)"], aim: None },
    Row {
        title: "the same, with `sched_yield`",
        file: "polling.c",
        arguments: &["-DREST=sched_yield()"],
        aim: None,
    },
    Row { title: "`queue_fixed.c`", file: "examples/queue/queue_fixed.c", arguments: &[], aim: Some(3) },
];

impl Row {
    fn program(&self) -> Program {
        let file = if self.file.contains('/') { root().join(self.file) } else { source(self.file) };
        Program {
            name: self.title.to_owned(),
            file,
            folder: root(),
            arguments: self.arguments.iter().map(|word| (*word).to_owned()).collect(),
            expected: Some(true),
        }
    }
}

pub fn workers(args: &Args) -> Result<()> {
    let binaries: Vec<PathBuf> = args.against.iter().cloned().chain([binary()?]).collect();
    let mut rows = Vec::new();
    for row in &ROWS {
        let program = row.program();
        let measured: Result<Vec<Measured>> =
            binaries.iter().map(|binary| measure(binary, &program, "auto", args.timeout)).collect();
        rows.push((row, measured?));
        eprintln!("{}", row.title);
    }
    let text = markdown(&rows);
    println!("{text}");
    if args.write { publish("workers", &text) } else { Ok(()) }
}

fn markdown(rows: &[(&Row, Vec<Measured>)]) -> String {
    let has_old = rows.iter().any(|row| row.1.len() > 1);
    let mut text = "| what | aimed for |".to_owned();
    text += if has_old { " before | now |\n|---|---|---|---|\n" } else { " now |\n|---|---|---|\n" };
    for (row, measured) in rows {
        let aim = row.aim.map_or(String::new(), |seconds| format!("{seconds} s"));
        text += &format!("| {} | {aim} |", row.title);
        for one in measured {
            text += &format!(" {}, {:.1} s ({:.1} s) |", one.answer.words(), one.cpu, one.wall);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::measure::MeasuredAnswer;
    use super::*;

    #[test]
    fn a_line_for_each_program() {
        let one = |answer, cpu| Measured { answer, wall: 2.0, cpu, memory: 0, lemmas: 0, conflicts: 0 };
        let measured = vec![one(MeasuredAnswer::Stopped, 120.0), one(MeasuredAnswer::Safe, 1.5)];
        let text = markdown(&[(&ROWS[0], measured)]);
        assert!(
            text.ends_with(
                "| a pool, 3 workers, 4 tasks | 10 s | stopped, 120.0 s (2.0 s) | safe, 1.5 s (2.0 s) |\n"
            ),
            "{text}"
        );
        assert!(ROWS.iter().all(|row| row.program().file.exists()));
    }
}
