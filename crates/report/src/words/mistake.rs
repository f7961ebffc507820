//! What a thread did wrong by itself, and misuse of locks.

use super::{Naming, Wording};
use tp_ir::{BinOp, Property, eval};
use tp_machine::{Finding, Mistake, Misuse, Moment};

impl<'f> Wording<'f> {
    pub(super) fn mistake(&mut self, names: Naming<'_>, finding: &'f Finding, mistake: &Mistake) {
        let (message, label) = sentence(names, finding.property, mistake);
        self.message = message;
        self.label(label, &finding.at);
        self.note_locks(names, &finding.at);
    }

    pub(super) fn misuse(&mut self, names: Naming<'_>, at: &'f Moment, misuse: &Misuse) {
        self.message = match misuse.uninitialised {
            true => never_initialised(&misuse.rule),
            false => misuse.rule.clone(),
        };
        let locks: Vec<String> = misuse.locks.iter().map(|lock| format!("`{}`", names.name(lock))).collect();
        match locks.is_empty() {
            true => self.label("here", at),
            false => self.label(format!("called with {}", locks.join(" and ")), at),
        }
        let holders = misuse.holders.iter().filter_map(|h| names.holds(&h.thread_name, &h.locks));
        self.notes.extend(holders);
        if self.message.contains("destroyed") {
            self.notes.extend(misuse.destroyed.iter().map(|(lock, by)| {
                let (name, at) = (names.name(lock), names.at(by));
                format!("`{name}` was destroyed by thread `{}`{at}", by.thread_name)
            }));
        }
    }
}

/// The rule names a wrong state of the lock, but this lock was never initialised and has no state.
fn never_initialised(rule: &str) -> String {
    let what = rule.split_once(" that ").map_or(rule, |parts| parts.0);
    format!("{what} that is not initialised")
}

/// The sentence, and what to write beside the place.
fn sentence(names: Naming<'_>, property: Property, mistake: &Mistake) -> (String, &'static str) {
    match mistake {
        Mistake::Uninitialised { variable } => {
            let what = variable.as_ref().map_or("a value".to_owned(), |name| format!("`{name}`"));
            (format!("{what} is used but was never written"), "used here")
        }
        Mistake::Unreachable => {
            ("control reaches code that the program declares unreachable".to_owned(), "reached here")
        }
        Mistake::Arithmetic { a, .. } if property == Property::DivisionByZero => {
            (format!("{a} is divided by zero"), "division by zero")
        }
        Mistake::Arithmetic { width, b, .. } if property == Property::Shift => {
            (format!("a value of {} bits is shifted by {b}", width.bits()), "shift out of range")
        }
        Mistake::Arithmetic { op, width, a, b } => {
            let sign = match op {
                BinOp::Add => "+",
                BinOp::Sub => "-",
                BinOp::Mul => "*",
                BinOp::SRem => "%",
                _ => "/",
            };
            (format!("{a} {sign} {b} does not fit into {} bits", width.bits()), "signed overflow")
        }
        Mistake::Conversion { from, bits, to } => {
            let value = eval::to_f64(*from, *bits);
            (format!("{value} does not fit into an integer of {} bits", to.bits()), "converted here")
        }
        Mistake::OverlappingCopy => {
            ("memory is copied onto a part of itself, which only memmove allows".to_owned(), "copied here")
        }
        Mistake::NotFunction { called: None } => ("a null pointer is called".to_owned(), "called here"),
        Mistake::NotFunction { called: Some(object) } => {
            (format!("`{}` is called but is not a function", names.name(object)), "called here")
        }
        Mistake::Assertion { expression } => {
            (format!("assertion `{expression}` fails"), "this does not hold")
        }
        Mistake::Reported { text } => {
            (text.clone(), if property == Property::ReachError { "called here" } else { "here" })
        }
    }
}
