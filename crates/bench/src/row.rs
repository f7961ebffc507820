//! The result of a task: right or wrong, its score, and what it took.

use crate::task::{Expected, Id};
use crate::verdict::{ScoredVerdict, ToolAnswer};

#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub id: Id,
    pub expected: Option<Expected>,
    pub answer: ToolAnswer,
    pub took: Took,
}

/// Seconds on the clock and of processor time; bytes.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub struct Took {
    pub wall: f64,
    pub cpu: f64,
    pub memory: u64,
}

/// An answer compared with the expected verdict.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    RightTrue,
    RightFalse,
    WrongTrue,
    WrongFalse,
    WithinBounds,
    Unknown,
    Broken,
    /// An answer where no verdict is known.
    Unrated,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::RightTrue,
        Kind::RightFalse,
        Kind::WrongTrue,
        Kind::WrongFalse,
        Kind::WithinBounds,
        Kind::Unknown,
        Kind::Broken,
        Kind::Unrated,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Kind::RightTrue => "right true",
            Kind::RightFalse => "right false",
            Kind::WrongTrue => "wrong true",
            Kind::WrongFalse => "wrong false",
            Kind::WithinBounds => "within bounds",
            Kind::Unknown => "unknown",
            Kind::Broken => "broken",
            Kind::Unrated => "unrated",
        }
    }

    pub fn is_right(self) -> bool {
        matches!(self, Kind::RightTrue | Kind::RightFalse)
    }

    pub fn is_wrong(self) -> bool {
        matches!(self, Kind::WrongTrue | Kind::WrongFalse)
    }

    /// As in SV-COMP. An answer within bounds scores like *unknown*.
    pub fn score(self) -> i64 {
        match self {
            Kind::RightTrue => 2,
            Kind::RightFalse => 1,
            Kind::WrongTrue => -32,
            Kind::WrongFalse => -16,
            Kind::WithinBounds | Kind::Unknown | Kind::Broken | Kind::Unrated => 0,
        }
    }
}

impl Row {
    pub fn kind(&self) -> Kind {
        match (&self.answer.verdict, &self.expected) {
            (ScoredVerdict::WithinBounds, _) => Kind::WithinBounds,
            (ScoredVerdict::Unknown, _) => Kind::Unknown,
            (ScoredVerdict::Broken, _) => Kind::Broken,
            (ScoredVerdict::True | ScoredVerdict::False(_), None) => Kind::Unrated,
            (ScoredVerdict::True, Some(Expected::True)) => Kind::RightTrue,
            (ScoredVerdict::True, Some(Expected::False { .. })) => Kind::WrongTrue,
            (ScoredVerdict::False(_), Some(Expected::True)) => Kind::WrongFalse,
            (ScoredVerdict::False(Some(found)), Some(Expected::False { subproperty: Some(expected) }))
                if is_part(found) && is_part(expected) && found != expected =>
            {
                Kind::WrongFalse
            }
            (ScoredVerdict::False(_), Some(Expected::False { .. })) => Kind::RightFalse,
        }
    }

    /// The score of the right answer.
    pub fn best_score(&self) -> i64 {
        match &self.expected {
            Some(Expected::True) => Kind::RightTrue.score(),
            Some(Expected::False { .. }) => Kind::RightFalse.score(),
            None => 0,
        }
    }
}

/// Whether this is a part of memory safety: only there does it count which part is violated.
fn is_part(word: &str) -> bool {
    ["valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_rated() {
        let check = |expected: &str, verdict: &str, kind: Kind, score: i64| {
            let id = Id {
                set: String::new(),
                program: String::new(),
                property: String::new(),
                arguments: String::new(),
            };
            let answer = ToolAnswer::new(verdict.parse().unwrap(), "");
            let row = Row { id, expected: expected.parse().ok(), answer, took: Took::default() };
            assert_eq!((row.kind(), row.kind().score()), (kind, score), "{expected} {verdict}");
        };
        check("true", "true", Kind::RightTrue, 2);
        check("false", "false", Kind::RightFalse, 1);
        check("false", "true", Kind::WrongTrue, -32);
        check("true", "false", Kind::WrongFalse, -16);
        check("false(valid-deref)", "false(valid-deref)", Kind::RightFalse, 1);
        check("false(valid-deref)", "false(valid-free)", Kind::WrongFalse, -16);
        check("false(valid-deref)", "false", Kind::RightFalse, 1);
        check("false(valid-deref)", "false(data race)", Kind::RightFalse, 1);
        check("false", "within bounds", Kind::WithinBounds, 0);
        check("true", "unknown", Kind::Unknown, 0);
        check("true", "broken", Kind::Broken, 0);
        check("", "true", Kind::Unrated, 0);
        check("", "unknown", Kind::Unknown, 0);
    }
}
