//! Who is asked what. An engine joins with a line, and learns a question with a word.

use crate::ask::{self, Said, Subject};
use crate::question::Question;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_engines::Method;

pub struct Engine {
    pub name: &'static str,
    pub answers: &'static [Question],
    /// Asked only what the explorer has decided or a run has shown; the program is small then, and who is slow is named.
    pub follows: bool,
    pub ask: fn(&Subject, Question, Arc<AtomicBool>) -> Said,
}

pub const ENGINES: [Engine; 6] = [
    Engine { name: EXPLORE, answers: &Question::ALL, follows: false, ask: ask::explore },
    Engine { name: "run", answers: &Question::ALL, follows: false, ask: ask::run },
    Engine { name: "classes", answers: &Question::ALL, follows: true, ask: ask::classes },
    Engine {
        name: "order",
        answers: &Question::ALL,
        follows: true,
        ask: |s, q, stop| ask::check(s, q, stop, Method::Order),
    },
    Engine {
        name: "refine",
        answers: &Question::ALL,
        follows: true,
        ask: |s, q, stop| ask::check(s, q, stop, Method::Refine),
    },
    Engine {
        name: "clocks",
        answers: &Question::ALL,
        follows: true,
        ask: |s, q, stop| ask::check(s, q, stop, Method::Clocks),
    },
];

/// The one whose executions the others are compared with.
pub const EXPLORE: &str = "explore";
