//! Rows in a file: tab separated, one line for each task. The file is a list of tasks too (`list`).

use crate::error::Error;
use crate::list::Table;
use crate::row::{Row, Took};
use crate::task::{Expected, Id};
use crate::verdict::ToolAnswer;
use std::path::Path;

/// The first line. `result` is for people and their tools: it follows from the others.
pub const HEADER: &str =
    "set\tprogram\tproperty\texpected\targuments\tverdict\treason\tresult\tcpu\twall\tmemory\n";

pub fn line(row: &Row) -> String {
    let Row { id: Id { set, program, property, arguments }, answer, took, .. } = row;
    let expected = row.expected.as_ref().map_or(String::new(), Expected::to_string);
    let (verdict, reason, result) = (&answer.verdict, on_one_line(&answer.reason), row.kind().words());
    let Took { wall, cpu, memory } = took;
    format!(
        "{set}\t{program}\t{property}\t{expected}\t{arguments}\t{verdict}\t{reason}\t{result}\t{cpu:.3}\t{wall:.3}\t\
         {memory}\n"
    )
}

/// In the order of the rows.
pub fn file(rows: &[Row]) -> String {
    rows.iter().fold(HEADER.to_owned(), |text, row| text + &line(row))
}

pub fn read(path: &Path) -> Result<Vec<Row>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, &error))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<Vec<Row>, Error> {
    let names = ["set", "program", "property", "expected", "verdict", "reason", "cpu", "wall", "memory"];
    let table = Table::new(path, text, names)?;
    let mut rows = Vec::new();
    for (number, line) in table.lines() {
        let bad = |what: String| Error::malformed(path, format!("line {number}: {what}"));
        let [set, program, property, expected, verdict, reason, cpu, wall, memory] =
            table.required(&line).map_err(bad)?;
        let id = Id {
            set: set.to_owned(),
            program: program.to_owned(),
            property: property.to_owned(),
            arguments: table.optional(&line, "arguments").to_owned(),
        };
        let verdict = verdict.parse().map_err(|()| bad(format!("`{verdict}` is not a verdict")))?;
        let seconds =
            |text: &str| text.parse().map_err(|_| bad(format!("`{text}` is not a number of seconds")));
        let took = Took {
            wall: seconds(wall)?,
            cpu: seconds(cpu)?,
            memory: memory.parse().map_err(|_| bad(format!("`{memory}` is not a number of bytes")))?,
        };
        rows.push(Row {
            id,
            expected: expected.parse().ok(),
            answer: ToolAnswer::new(verdict, reason),
            took,
        });
    }
    Ok(rows)
}

fn on_one_line(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::ScoredVerdict;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let id = |arguments: &str| Id {
            set: "a/b".to_owned(),
            program: "p q.c".to_owned(),
            property: "unreach-call".to_owned(),
            arguments: arguments.to_owned(),
        };
        let took = Took { wall: 1.5, cpu: 1.25, memory: 7 };
        let rows = [
            Row {
                id: id(""),
                expected: Some(Expected::True),
                answer: ToolAnswer::new(ScoredVerdict::Unknown, "no model for `f`"),
                took,
            },
            Row {
                id: id("-DN=3"),
                expected: None,
                answer: ToolAnswer::new(ScoredVerdict::False(Some("valid-free".to_owned())), ""),
                took,
            },
        ];
        let text = file(&rows);
        assert_eq!(parse(Path::new("x"), &text), Ok(rows.to_vec()));
        assert!(text.contains("\tunknown\tno model for `f`\tunknown\t1.250\t1.500\t7\n"), "{text}");
    }

    #[test]
    fn what_is_no_saved_run_is_named() {
        let check = |text: &str, expect: &str| {
            assert_eq!(parse(Path::new("x"), text).unwrap_err().to_string(), expect);
        };
        check("set\tprogram\n", "x: there is no column `property` in its first line (set, program)");
        check(&format!("{HEADER}a\tb\tc\ttrue\t\tsure\t\t\t1\t1\t1\n"), "x: line 2: `sure` is not a verdict");
        check(
            &format!("{HEADER}a\tb\tc\ttrue\t\ttrue\t\t\tx\t1\t1\n"),
            "x: line 2: `x` is not a number of seconds",
        );
    }

    #[test]
    fn a_reason_stays_on_its_line() {
        let answer = ToolAnswer::new(ScoredVerdict::Broken, "one\ntwo\tthree");
        let row = Row {
            id: Id { set: "s".into(), program: "p".into(), property: "q".into(), arguments: "".into() },
            expected: None,
            answer,
            took: Took::default(),
        };
        assert!(line(&row).contains("\tone two three\t"));
    }
}
