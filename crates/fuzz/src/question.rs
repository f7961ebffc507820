//! What is asked about every program.

use tp_ir::{Checks, Property};

/// Whether an execution can violate one of some properties.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Question {
    Failures,
    Races,
    Deadlocks,
    Stuck,
    Overflows,
    Memory,
    Leaks,
    Arithmetic,
}

impl Question {
    pub const ALL: [Question; 8] = [
        Question::Failures,
        Question::Races,
        Question::Deadlocks,
        Question::Stuck,
        Question::Overflows,
        Question::Memory,
        Question::Leaks,
        Question::Arithmetic,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Question::Failures => "unreach-call",
            Question::Races => "no-data-race",
            Question::Deadlocks => "no-deadlock",
            Question::Stuck => "not-stuck",
            Question::Overflows => "no-overflow",
            Question::Memory => "valid-memory",
            Question::Leaks => "no-leak",
            Question::Arithmetic => "arithmetic",
        }
    }

    pub fn properties(self) -> &'static [Property] {
        match self {
            Question::Failures => &[Property::Assert, Property::ReachError, Property::Lock],
            Question::Races => &[Property::Race],
            Question::Deadlocks => &[Property::Deadlock],
            Question::Stuck => &[Property::Stuck],
            Question::Overflows => &[Property::Overflow],
            Question::Memory => &[
                Property::InvalidDeref,
                Property::OutOfBounds,
                Property::UseAfterFree,
                Property::DoubleFree,
                Property::InvalidFree,
            ],
            Question::Leaks => &[Property::Leak],
            Question::Arithmetic => &[Property::DivisionByZero, Property::Shift, Property::FloatConversion],
        }
    }

    pub fn checks(self) -> Checks {
        self.properties().iter().copied().fold(Checks::NONE, Checks::with)
    }
}
