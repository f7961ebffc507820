//! A failure that `check` has found: repeated to record its events, and written as a witness.

use crate::execution;
use crate::exit::CommandError;
use crate::load::{self, path_text};
use crate::output::{self, Out};
use crate::record;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tp_driver::{Assumptions, Confirmed, Execution};
use tp_frontend::FrontendOptions;
use tp_ir::{Checks, Program, Property};
use tp_machine::{End, Identity, UNNAMED_VALUE};
use tp_report::{Diagnostic, RecordedInput, Witness};

/// Inputs that are listed under a failure; all of them are in the witness.
const INPUTS_SHOWN: usize = 10;

/// What is needed to repeat and record a failure.
pub struct Before<'a> {
    pub program: &'a Program,
    pub checks: Checks,
    pub options: FrontendOptions,
    /// Where the first witness is written; further ones go beside it.
    pub path: PathBuf,
    pub known: &'a [Identity],
    /// The number of its witness, from 1.
    pub number: usize,
    pub assumptions: &'a Assumptions,
}

pub struct Failing {
    pub property: Property,
    pub identity: Identity,
    /// It is a failure only if an assumption holds.
    pub is_assumed: bool,
    pub diagnostic: Diagnostic,
    execution: Execution,
    witness: Witness,
    /// Where the witness was written.
    path: Option<String>,
}

impl Failing {
    /// The failure of a report, executed once more. An error is a defect of ours.
    pub fn of(before: &Before<'_>, failure: &tp_driver::Failure) -> Result<Failing, CommandError> {
        let &Before { program, checks, known, .. } = before;
        let mut races = Vec::new();
        let confirmed = failure.confirm(program, checks, known, &mut races, before.assumptions)?;
        let Confirmed { execution, config, identity, assumed } = confirmed;
        let (trace, property) = (&failure.trace, failure.finding.property);
        let witness = record::witness(&before.options, program, config, trace, &execution.run.end);
        let path = numbered(&before.path, before.number);
        let path = record::write(&path, &witness).then(|| path_text(&path));
        let mut diagnostic = match &execution.run.end {
            End::Violation(finding) => Diagnostic::of_finding(program, finding),
            _ => Diagnostic::of_finding(program, &failure.finding),
        };
        let is_assumed = !assumed.is_empty();
        diagnostic.notes.extend(assumed.iter().map(ToString::to_string));
        diagnostic.hints.extend(inputs(&witness));
        diagnostic.hints.extend(path.as_ref().map(|path| record::how_to_replay(trace, path)));
        Ok(Failing { property, identity, is_assumed, diagnostic, execution, witness, path })
    }

    pub fn print(&self, program: &Program, out: &mut Out) {
        let path = self.path.as_deref().unwrap_or("FILE");
        let more = format!("threadproof replay --steps {path} shows them");
        execution::print_lanes(out, &execution::rows(&self.execution, program), Some(&more));
        execution::print_written(out, &self.execution.written, "");
        out.line(&tp_report::render(&self.diagnostic, output::style(), &load::source));
        out.line("");
    }

    pub fn json(&self, program: &Program) -> Value {
        json!({
            "diagnostic": self.diagnostic,
            "steps": execution::rows(&self.execution, program),
            "stdout": self.execution.written.stdout(),
            "stderr": self.execution.written.stderr(),
            "trace": self.path,
            "witness": self.witness.to_json(),
        })
    }
}

/// `bank.witness`, `bank.2.witness`, `bank.3.witness`, …
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// `inputs: amount = 41, rate = 3`; nothing when there are none.
fn inputs(witness: &Witness) -> Option<String> {
    let is_shown =
        |input: &&RecordedInput| input.name != UNNAMED_VALUE && (!input.rare || input.value != "0");
    let all: Vec<_> = witness.inputs.iter().filter(is_shown).collect();
    let text = |input: &&RecordedInput| match input.rare {
        true => input.name.clone(),
        false => format!("{} = {}", input.name, input.value),
    };
    let shown = telling(&all, |input| input.value != "0").into_iter().map(text);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match all.len().checked_sub(INPUTS_SHOWN) {
        _ if all.is_empty() => None,
        None | Some(0) => Some(format!("inputs: {shown}")),
        Some(more) => Some(format!("inputs: {shown} and {more} more")),
    }
}

/// Those that are shown, in their order: the first that tell something, and others if there is room for them.
fn telling<T>(all: &[T], tells: impl Fn(&T) -> bool) -> Vec<&T> {
    let (tell, others): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(|(_, one)| tells(one));
    let mut shown: Vec<_> = tell.into_iter().chain(others).take(INPUTS_SHOWN).collect();
    shown.sort_unstable_by_key(|(at, _)| *at);
    shown.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::{INPUTS_SHOWN, numbered, telling};
    use std::path::Path;

    #[test]
    fn witnesses_lie_beside_each_other() {
        let check = |path: &str, number, expect: &str| {
            assert_eq!(numbered(Path::new(path), number), Path::new(expect));
        };
        check("out/bank.witness", 1, "out/bank.witness");
        check("out/bank.witness", 2, "out/bank.2.witness");
        check("bank", 3, "bank.3");
    }

    #[test]
    fn inputs_that_tell_something_are_shown() {
        let all: Vec<usize> = (0..100).collect();
        let shown = telling(&all, |n| *n >= 98);
        assert_eq!(shown.len(), INPUTS_SHOWN);
        assert_eq!((shown[0], shown[INPUTS_SHOWN - 2]), (&0, &98));
    }
}
