//! A finding with its places resolved: everything a reader, human or program, is told about it.

use crate::words::{self, Wording};
use serde::Serialize;
use std::fmt;
use tp_ir::{MissingFunction, PlaceId, Program};
use tp_machine::{End, Finding, HeldLock, Moment, StackEntry};

/// A place in a source file. Lines and columns count from 1; column 0: not known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct SourceSpot {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for SourceSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

/// The place, when the compiler recorded one.
pub fn spot(program: &Program, place: PlaceId) -> Option<SourceSpot> {
    let place = program.places.get(place)?;
    let file = program.files.get(place.file)?;
    (place.line > 0).then(|| SourceSpot { file: file.to_string(), line: place.line, column: place.column })
}

/// An active call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StackFrame {
    pub function: String,
    #[serde(flatten)]
    pub spot: Option<SourceSpot>,
}

/// A place to show, with what happened there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownLabel {
    pub text: String,
    #[serde(flatten)]
    pub spot: Option<SourceSpot>,
    pub function: Option<String>,
    /// The thread that was there; `None` when the label is about the code, not about a run.
    #[serde(flatten)]
    pub thread: Option<ShownThread>,
}

/// A thread at the moment of a label.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownThread {
    #[serde(rename = "thread")]
    pub name: String,
    #[serde(rename = "thread_number")]
    pub number: u32,
    pub locks: Vec<String>,
    /// Calls of the user's code, innermost first.
    pub stack: Vec<StackFrame>,
    /// Where the thread was started, innermost call first; empty for the first thread.
    pub started: Vec<StackFrame>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program is wrong, or cannot be run.
    Error,
    /// The run ended early because of something that is not checked.
    Warning,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    pub severity: Severity,
    /// As in `error[race]`.
    pub id: &'static str,
    /// The violated property, as it is named on the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwe: Option<u32>,
    pub message: String,
    /// The place of the error first.
    pub labels: Vec<ShownLabel>,
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Vec<String>,
    /// What the reader can do next.
    pub hints: Vec<String>,
    /// Where a function has neither body nor model: all such functions that the program uses, the most used first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<ShownMissing>,
}

/// A function without body and model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownMissing {
    pub function: String,
    pub uses: usize,
    /// The first use.
    #[serde(flatten)]
    pub spot: Option<SourceSpot>,
}

impl Diagnostic {
    pub fn of_finding(program: &Program, finding: &Finding) -> Diagnostic {
        let Wording { cwe, message, labels, notes, help } = Wording::of(program, finding);
        Diagnostic {
            severity: Severity::Error,
            id: finding.property.id(),
            property: Some(finding.property.word()),
            cwe: Some(cwe),
            message,
            labels: labels.into_iter().map(|(text, at)| shown(program, text, at)).collect(),
            notes,
            help,
            hints: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Something that is not a violation, but that the run or the proof cannot go past.
    fn stopped(id: &'static str, message: String, label: Option<ShownLabel>, hint: &str) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            id,
            property: None,
            cwe: None,
            message,
            labels: label.into_iter().collect(),
            notes: Vec::new(),
            help: Vec::new(),
            hints: if hint.is_empty() { Vec::new() } else { vec![hint.to_owned()] },
            missing: Vec::new(),
        }
    }

    fn no_model(program: &Program, function: &str, called: ShownLabel) -> Diagnostic {
        let message = format!("`{function}` has no body and no model");
        let mut diagnostic = Diagnostic::stopped("unmodelled", message, Some(called), "");
        let missing = tp_ir::missing_functions(program);
        let (here, others): (Vec<_>, Vec<_>) =
            missing.iter().partition(|m| *program.functions[m.function].name == *function);
        diagnostic.notes.extend(words::further_missing(program, &others));
        diagnostic.missing = missing.iter().map(|m| shown_missing(program, m)).collect();
        diagnostic.hints = words::ways_past_missing(!here.is_empty(), others.len());
        diagnostic
    }

    /// A function without body and model that a proof has reached.
    pub fn unmodelled(program: &Program, function: &str, place: PlaceId) -> Diagnostic {
        Diagnostic::no_model(program, function, label_at(program, "called here", place))
    }

    /// Something that a proof has reached and cannot go past; whether a run can.
    pub fn undecided(program: &Program, what: &str, place: PlaceId, can_run: bool) -> Diagnostic {
        let hint = match can_run {
            true => "`threadproof run` tests the program all the same, without a proof",
            false => "no run can go past it either",
        };
        let label = label_at(program, "reached here", place);
        Diagnostic::stopped("unsupported", format!("this cannot be decided: {what}"), Some(label), hint)
    }

    /// Undefined behaviour that is not looked for and happens before anything that is.
    pub fn undefined(program: &Program, message: &str, place: PlaceId) -> Diagnostic {
        let label = label_at(program, "happens here", place);
        let hint = "this is not looked for, but what comes after it cannot be decided";
        let severity = Severity::Warning;
        Diagnostic { severity, ..Diagnostic::stopped("undefined", message.to_owned(), Some(label), hint) }
    }

    /// Why a run did not come to its end; `None` if it did, was cut by an assumption, or was stopped.
    pub fn of_end(program: &Program, end: &End) -> Option<Diagnostic> {
        let label = |text: &str, at: &Moment| shown(program, text.to_owned(), at);
        let stopped = |id, message: String, at: Option<&Moment>, text: &str, hint: &str| {
            Diagnostic::stopped(id, message, at.map(|at| label(text, at)), hint)
        };
        match end {
            End::Exited { .. } | End::Assumption | End::Stopped => None,
            End::Violation(finding) => Some(Diagnostic::of_finding(program, finding)),
            End::Undefined(finding) => {
                let mut diagnostic = Diagnostic::of_finding(program, finding);
                diagnostic.severity = Severity::Warning;
                diagnostic
                    .notes
                    .push("this was not to be checked, but the run cannot go on after it".to_owned());
                Some(diagnostic)
            }
            End::Unmodelled { function, at } => {
                Some(Diagnostic::no_model(program, function, label("called here", at)))
            }
            End::Unsupported { what, at } => Some(stopped(
                "unsupported",
                format!("this cannot be run: {what}"),
                Some(at),
                "reached here",
                "",
            )),
            End::TooManySteps => Some(stopped(
                "limit",
                "the run takes more steps than allowed".to_owned(),
                None,
                "",
                "`--max-steps N` sets the limit",
            )),
            End::OutOfMemory { at } => Some(stopped(
                "limit",
                "the program wants more memory than allowed".to_owned(),
                Some(at),
                "asked for here",
                "`--memory SIZE` sets the limit",
            )),
            End::TooDeep { at } => Some(stopped(
                "limit",
                "calls are nested too deeply".to_owned(),
                Some(at),
                "one call too many here",
                "a recursion without an end?",
            )),
            End::TooManyThreads { at } => Some(stopped(
                "limit",
                "the program has too many threads".to_owned(),
                Some(at),
                "one thread too many here",
                "",
            )),
            End::Diverged { step } => Some(stopped(
                "diverged",
                format!("the recorded schedule has no answer after step {step}"),
                None,
                "",
                "",
            )),
        }
    }
}

fn shown(program: &Program, text: String, moment: &Moment) -> ShownLabel {
    let stack = frames(program, &moment.stack);
    let lock = |held: &HeldLock| held.lock.name(program);
    ShownLabel {
        text,
        spot: stack.first().and_then(|f| f.spot.clone()),
        function: stack.first().map(|f| f.function.clone()).filter(|f| !f.is_empty()),
        thread: Some(ShownThread {
            name: moment.thread_name.clone(),
            number: moment.thread,
            locks: moment.locks.iter().map(lock).collect(),
            stack,
            started: frames(program, &moment.started),
        }),
    }
}

fn shown_missing(program: &Program, missing: &MissingFunction) -> ShownMissing {
    let function = program.functions[missing.function].name.to_string();
    ShownMissing { function, uses: missing.uses, spot: spot(program, missing.first) }
}

fn label_at(program: &Program, text: &str, place: PlaceId) -> ShownLabel {
    ShownLabel { text: text.to_owned(), spot: spot(program, place), function: None, thread: None }
}

fn frames(program: &Program, stack: &[StackEntry]) -> Vec<StackFrame> {
    let frame = |e: &StackEntry| StackFrame { function: e.function.clone(), spot: spot(program, e.place) };
    stack.iter().map(frame).collect()
}
