//! Lists of tasks: tab separated, with the columns set, program, property and expected, in any order, and optionally
//! arguments. A saved run has these columns as well, so it can be run again.

use crate::error::Error;
use crate::task::{BenchTask, Expected, Id};
use std::path::Path;

/// The tasks of a list whose programs are below `folder`.
pub fn tasks(path: &Path, folder: &Path, text: &str) -> Result<Vec<BenchTask>, Error> {
    let table = Table::new(path, text, ["set", "program", "property", "expected"])?;
    let mut tasks = Vec::new();
    for (number, line) in table.lines() {
        let bad = |what: String| Error::malformed(path, format!("line {number}: {what}"));
        let [set, program, property, expected] = table.required(&line).map_err(&bad)?;
        let arguments = table.optional(&line, "arguments");
        let words = shlex::split(arguments)
            .ok_or_else(|| bad(format!("`{arguments}` has a quotation mark without its end")))?;
        let verdict = match expected {
            "" => None,
            _ => Some(expected.parse::<Expected>().map_err(|()| {
                bad(format!("`{expected}` is not an expected verdict: true, false, or nothing"))
            })?),
        };
        let id = Id {
            set: set.to_owned(),
            program: program.to_owned(),
            property: property.to_owned(),
            arguments: arguments.to_owned(),
        };
        tasks.push(BenchTask {
            files: vec![folder.join(set).join(program)],
            id,
            property_file: None,
            expected: verdict,
            data_model: None,
            arguments: words,
        });
    }
    Ok(tasks)
}

/// Tab-separated lines, the first of which names the columns.
pub struct Table<'a, const N: usize> {
    columns: Vec<&'a str>,
    required: [usize; N],
    lines: Vec<(usize, Vec<&'a str>)>,
}

impl<'a, const N: usize> Table<'a, N> {
    pub fn new(path: &Path, text: &'a str, names: [&str; N]) -> Result<Table<'a, N>, Error> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let columns: Vec<&str> = lines.next().map_or("", |(_, line)| line).split('\t').collect();
        let mut required = [0; N];
        for (place, name) in required.iter_mut().zip(names) {
            *place = columns.iter().position(|column| *column == name).ok_or_else(|| {
                let found = columns.join(", ");
                Error::malformed(path, format!("there is no column `{name}` in its first line ({found})"))
            })?;
        }
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        let lines = lines.map(|(number, line)| (number, line.split('\t').collect())).collect();
        Ok(Table { columns, required, lines })
    }

    /// The lines after the first, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, Vec<&'a str>)> + '_ {
        self.lines.iter().cloned()
    }

    pub fn required(&self, line: &[&'a str]) -> Result<[&'a str; N], String> {
        let mut values = [""; N];
        for (value, place) in values.iter_mut().zip(self.required) {
            let missing = || format!("it has no `{}`", self.columns.get(place).copied().unwrap_or_default());
            *value = line.get(place).copied().ok_or_else(missing)?;
        }
        Ok(values)
    }

    /// Empty where there is no such column, or a line ends before it.
    pub fn optional(&self, line: &[&'a str], name: &str) -> &'a str {
        let place = self.columns.iter().position(|column| *column == name);
        place.and_then(|place| line.get(place)).copied().unwrap_or_default().trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<BenchTask>, String> {
        tasks(Path::new("l.tsv"), Path::new("dir"), text).map_err(|e| e.to_string())
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "expected\tlines\tset\tprogram\tproperty\targuments\n\
                    true\t10\ta\tp.c\tunreach-call\t-DN=3 -D'X Y'\n\
                    false\t11\tb\tq.c\tno-data-race\n\n\t12\tb\tr.c\tno-data-race\t\n";
        let tasks = read(text).unwrap();
        assert_eq!(tasks.len(), 3);
        assert_eq!(tasks[0].files, [Path::new("dir/a/p.c")]);
        assert_eq!(tasks[0].arguments, ["-DN=3", "-DX Y"]);
        assert_eq!(tasks[0].id.to_string(), "a/p.c unreach-call -DN=3 -D'X Y'");
        assert_eq!(tasks[1].expected, Some(Expected::False { subproperty: None }));
        assert_eq!((tasks[1].arguments.len(), tasks[2].expected.clone()), (0, None));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let check =
            |text: &str, expect: &str| assert_eq!(read(text).unwrap_err(), format!("l.tsv: {expect}"));
        check("set\tprogram\n", "there is no column `property` in its first line (set, program)");
        check("", "there is no column `set` in its first line ()");
        let head = "set\tprogram\tproperty\texpected\targuments\n";
        check(&format!("{head}a\tb\n"), "line 2: it has no `property`");
        let maybe = format!("{head}a\tb\tc\ttrue\na\tb\tc\tmaybe\n");
        check(&maybe, "line 3: `maybe` is not an expected verdict: true, false, or nothing");
        check(&format!("{head}a\tb\tc\ttrue\t-D'x\n"), "line 2: `-D'x` has a quotation mark without its end");
    }
}
