//! `bench contexts`: the engines that count context switches, on programs after the families of Cordeiro and Fischer (ICSE
//! 2011, Tables 1 and 2), beside the figures of the paper.
//!
//! Each row of bench/contexts.tsv is a row of one of the two tables: the paper's figures, and our program with the arguments
//! that give it the paper's size. The bound is the paper's, though the paper counts something else (tests/corpus/contexts).

use super::measure::{Measured, measure};
use super::programs::Program;
use super::{binary, publish};
use crate::root;
use anyhow::{Context, Result, bail};

#[derive(clap::Args)]
pub struct Args {
    /// Seconds of processor time for each program and engine
    #[arg(long, default_value_t = 60.0)]
    timeout: f64,
    /// Only programs whose name or arguments contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Put the table into bench/README.md as well
    #[arg(long)]
    write: bool,
}

const ENGINES: [&str; 3] = ["lazy", "record", "widen"];

/// A row of the paper's tables, and our program for it.
#[derive(Debug)]
struct Row {
    name: String,
    file: String,
    arguments: Vec<String>,
    property: String,
    /// The bound of context switches; `None`: none.
    contexts: Option<u32>,
    /// Seconds of `lazy`, failed and all interleavings, seconds of `record` and of `widen`, iterations of `widen`.
    paper: [String; 5],
    holds: bool,
}

impl Row {
    fn read(line: &str) -> Result<Row> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [
            name,
            file,
            arguments,
            property,
            _,
            _,
            _,
            contexts,
            time,
            ways,
            record,
            widen,
            iterations,
            _,
            holds,
        ] = columns[..]
        else {
            bail!("15 columns are expected: {line}");
        };
        let contexts = match contexts {
            "∞" => None,
            bound => Some(bound.parse().with_context(|| format!("not a bound: {bound}"))?),
        };
        Ok(Row {
            name: name.to_owned(),
            file: file.to_owned(),
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            property: property.to_owned(),
            contexts,
            paper: [time, ways, record, widen, iterations].map(str::to_owned),
            holds: holds == "true",
        })
    }

    fn program(&self) -> Program {
        let mut arguments = vec!["--property".to_owned(), self.property.clone()];
        arguments.extend(self.contexts.iter().flat_map(|bound| ["--contexts".to_owned(), bound.to_string()]));
        arguments.extend(self.arguments.iter().cloned());
        Program {
            name: self.name.clone(),
            file: root().join(&self.file),
            folder: root(),
            arguments,
            expected: Some(self.holds),
        }
    }
}

fn rows() -> Result<Vec<Row>> {
    let path = root().join("bench/contexts.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    text.lines().skip(1).map(Row::read).collect()
}

pub fn contexts(args: &Args) -> Result<()> {
    let binary = binary()?;
    let is_asked = |row: &Row| format!("{} {}", row.name, row.arguments.join(" ")).contains(&args.only);
    let mut measured = Vec::new();
    for row in rows()?.into_iter().filter(is_asked) {
        let one = |engine: &'static str| measure(&binary, &row.program(), engine, args.timeout);
        let all = ENGINES.iter().map(|engine| one(engine)).collect::<Result<Vec<Measured>>>()?;
        eprintln!("{}", row.name);
        measured.push((row, all));
    }
    let text = markdown(&measured);
    println!("{text}");
    if args.write { publish("contexts", &text) } else { Ok(()) }
}

fn markdown(rows: &[(Row, Vec<Measured>)]) -> String {
    let mut text =
        "| program | arguments | switches | paper: lazy | failed/all | schedule | UW, iterations |"
            .to_owned();
    ENGINES.iter().for_each(|engine| text += &format!(" `{engine}` |"));
    text += "\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (row, measured) in rows {
        let bound = row.contexts.map_or("∞".to_owned(), |bound| bound.to_string());
        let [time, ways, record, widen, iterations] = &row.paper;
        let arguments = row.arguments.join(" ");
        text += &format!(
            "| {} | `{arguments}` | {bound} | {time} | {ways} | {record} | {widen}, {iterations} |",
            row.name
        );
        for one in measured {
            let memory = one.memory / 1_000_000;
            text += &format!(" {}, {:.1} s, {memory} MB |", one.answer.words(), one.cpu);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_a_program() {
        let rows = rows().expect("the table can be read");
        assert!(rows.len() > 30, "{}", rows.len());
        for row in &rows {
            assert!(row.program().file.exists(), "{row:?}");
        }
        assert!(rows.iter().any(|row| row.contexts.is_none()) && rows.iter().any(|row| !row.holds));
    }

    #[test]
    fn a_row_that_is_cut_off_is_named() {
        let error = Row::read("reorder\tfile.c").expect_err("it has two columns");
        assert!(error.to_string().contains("reorder"), "{error}");
    }
}
