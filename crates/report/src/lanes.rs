//! The steps of a run, in the order they happened: a column for each thread while they fit, a list otherwise.

use crate::diagnostic::{SourceSpot, spot};
use serde::Serialize;
use std::collections::BTreeMap;
use tp_ir::Program;
use tp_machine::{Event, ThreadNumber, What};

/// One step as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EventRow {
    pub step: u64,
    pub thread: String,
    pub thread_number: ThreadNumber,
    #[serde(flatten)]
    pub spot: Option<SourceSpot>,
    pub text: String,
}

/// The events with their places resolved and in words.
pub fn event_rows(program: &Program, events: &[Event]) -> Vec<EventRow> {
    let row = |e: &Event| EventRow {
        step: e.step,
        thread: e.thread_name.clone(),
        thread_number: e.thread,
        spot: e.place.and_then(|p| spot(program, p)),
        text: words(&e.what),
    };
    events.iter().map(row).collect()
}

fn words(what: &What) -> String {
    match what {
        What::Read { object, value } => format!("{object} = {value} (read)"),
        What::Write { object, value } => format!("{object} = {value} (write)"),
        What::Call { function, argument: Some(argument) } => format!("{function}({argument})"),
        What::Call { function, argument: None } => format!("{function}()"),
        What::Event { name } => name.clone(),
        What::Input { name, value } => format!("{name} = {value} (input)"),
    }
}

/// A line wider than this is no longer read as columns.
const WIDEST: usize = 160;
const GAP: usize = 2;

/// The rows as text, a line each, with a heading.
pub fn lanes(rows: &[EventRow]) -> String {
    let mut threads: BTreeMap<ThreadNumber, (&str, usize)> = BTreeMap::new();
    let cells: Vec<String> = rows.iter().map(cell).collect();
    for (row, cell) in rows.iter().zip(&cells) {
        let lane = threads.entry(row.thread_number).or_insert((&row.thread, row.thread.chars().count()));
        lane.1 = lane.1.max(cell.chars().count());
    }
    let steps = rows.last().map_or(1, |r| r.step.to_string().len()).max("step".len());
    let width: usize = steps + threads.values().map(|l| l.1 + GAP).sum::<usize>();
    let mut text = String::new();
    if width > WIDEST {
        let name = threads.values().map(|l| l.0.chars().count()).max().unwrap_or(0).max("thread".len());
        text += &format!("{:>steps$}  thread\n", "step");
        for (row, cell) in rows.iter().zip(&cells) {
            text += &format!("{:>steps$}  {:name$}  {cell}\n", row.step, row.thread);
        }
        return text;
    }
    let mut line = format!("{:>steps$}", "step");
    let mut starts = BTreeMap::new();
    for (number, (name, lane)) in &threads {
        starts.insert(*number, line.chars().count() + GAP);
        line += &format!("{:GAP$}{name:lane$}", "");
    }
    text += line.trim_end();
    text += "\n";
    for (row, cell) in rows.iter().zip(&cells) {
        let indent = starts.get(&row.thread_number).map_or(GAP, |s| s - steps);
        text += &format!("{:>steps$}{:indent$}{cell}\n", row.step, "");
    }
    text
}

fn cell(row: &EventRow) -> String {
    match &row.spot {
        Some(spot) => {
            format!("{}:{}  {}", spot.file.rsplit('/').next().unwrap_or(&spot.file), spot.line, row.text)
        }
        None => row.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{EventRow, lanes};
    use crate::diagnostic::SourceSpot;

    fn row(step: u64, thread_number: u32, thread: &str, line: u32, text: &str) -> EventRow {
        let spot = Some(SourceSpot { file: "src/bank.c".to_owned(), line, column: 5 });
        EventRow { step, thread: thread.to_owned(), thread_number, spot, text: text.to_owned() }
    }

    #[test]
    fn a_column_for_each_thread() {
        let rows = [
            row(1, 0, "main", 31, "pthread_create()"),
            row(2, 1, "pay#1", 11, "balance = 5 (write)"),
            row(3, 0, "main", 32, "balance = 5 (read)"),
        ];
        let expect = "step  main                           pay#1
   1  bank.c:31  pthread_create()
   2                                 bank.c:11  balance = 5 (write)
   3  bank.c:32  balance = 5 (read)
";
        assert_eq!(lanes(&rows), expect);
    }

    #[test]
    fn a_list_when_the_columns_are_too_many() {
        let rows: Vec<EventRow> =
            (0..9).map(|i| row(i, i as u32, "pay", 11, "balance = 5 (write)")).collect();
        assert!(lanes(&rows).starts_with("step  thread\n   0  pay     bank.c:11  balance = 5 (write)\n"));
    }
}
