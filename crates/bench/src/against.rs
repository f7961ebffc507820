//! Two runs of the same tasks, compared.

use crate::row::Row;
use crate::task::Id;
use serde::Serialize;
use std::collections::BTreeMap;

/// A task is slower if it takes more than this factor and more than this many seconds longer; the rest is noise.
const FACTOR: f64 = 1.5;
const NOISE: f64 = 0.2;

/// Names of tasks, in the order of the new run.
#[derive(Clone, PartialEq, Default, Serialize, Debug)]
pub struct Comparison {
    /// Tasks in both runs.
    pub common: usize,
    pub only_now: usize,
    pub only_before: usize,
    pub newly_right: Vec<String>,
    pub newly_wrong: Vec<String>,
    pub no_longer_right: Vec<String>,
    /// Right in both, and slower now.
    pub slower: Vec<Slower>,
    /// Processor time of the tasks that are right in both.
    pub seconds_before: f64,
    pub seconds_now: f64,
}

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Slower {
    pub task: String,
    pub before: f64,
    pub now: f64,
}

impl Comparison {
    pub fn of(before: &[Row], now: &[Row]) -> Comparison {
        let old: BTreeMap<&Id, &Row> = before.iter().map(|row| (&row.id, row)).collect();
        let mut comparison = Comparison::default();
        for row in now {
            match old.get(&row.id) {
                Some(old) => comparison.add(old, row),
                None => comparison.only_now += 1,
            }
        }
        comparison.only_before = old.len().saturating_sub(comparison.common);
        comparison
    }

    /// A verdict that turns from right to wrong counts as newly wrong and as no longer right.
    fn add(&mut self, old: &Row, new: &Row) {
        self.common += 1;
        let (before, now) = (old.kind(), new.kind());
        let name = || format!("{}: {}, was {}", new.id, now.words(), before.words());
        if now.is_right() && !before.is_right() {
            self.newly_right.push(name());
        }
        if now.is_wrong() && !before.is_wrong() {
            self.newly_wrong.push(name());
        }
        if before.is_right() && !now.is_right() {
            self.no_longer_right.push(name());
        }
        if before.is_right() && now.is_right() {
            let (before, now) = (old.took.cpu, new.took.cpu);
            self.seconds_before += before;
            self.seconds_now += now;
            if now > before * FACTOR && now > before + NOISE {
                self.slower.push(Slower { task: new.id.to_string(), before, now });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Took;
    use crate::verdict::ToolAnswer;

    fn row(program: &str, verdict: &str, cpu: f64) -> Row {
        let id = Id {
            set: "s".to_owned(),
            program: program.to_owned(),
            property: "q".to_owned(),
            arguments: String::new(),
        };
        Row {
            id,
            expected: "true".parse().ok(),
            answer: ToolAnswer::new(verdict.parse().unwrap(), ""),
            took: Took { wall: 0.0, cpu, memory: 0 },
        }
    }

    #[test]
    fn what_has_changed() {
        let before = [
            row("a", "unknown", 1.0),
            row("b", "true", 1.0),
            row("c", "true", 1.0),
            row("d", "true", 1.0),
            row("e", "true", 0.1),
            row("gone", "true", 9.0),
        ];
        let now = [
            row("a", "true", 1.0),
            row("b", "false", 1.0),
            row("c", "unknown", 1.0),
            row("d", "true", 2.0),
            row("e", "true", 0.2),
            row("new", "true", 1.0),
        ];
        let comparison = Comparison::of(&before, &now);
        assert_eq!((comparison.common, comparison.only_now, comparison.only_before), (5, 1, 1));
        assert_eq!(comparison.newly_right, ["s/a q: right true, was unknown"]);
        assert_eq!(comparison.newly_wrong, ["s/b q: wrong false, was right true"]);
        assert_eq!(
            comparison.no_longer_right,
            ["s/b q: wrong false, was right true", "s/c q: unknown, was right true"]
        );
        assert_eq!(comparison.slower, [Slower { task: "s/d q".to_owned(), before: 1.0, now: 2.0 }]);
        assert!(
            (comparison.seconds_before - 1.1).abs() < 1e-9 && (comparison.seconds_now - 2.2).abs() < 1e-9
        );
    }
}
