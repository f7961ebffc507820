//! Many rows as counts, scores and quantiles.

use crate::row::{Kind, Row};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Summary {
    pub tasks: usize,
    /// Tasks that were not run, or not to their end.
    pub not_run: usize,
    /// Tasks whose property the tool does not know, by property.
    pub skipped: BTreeMap<String, usize>,
    pub all: Tally,
    pub by_property: BTreeMap<String, Tally>,
    pub by_set: BTreeMap<String, Tally>,
    pub undecided: Vec<Undecided>,
    /// Seconds.
    pub cpu: Quantiles,
    /// Seconds.
    pub wall: Quantiles,
    /// Bytes.
    pub memory: Quantiles,
}

/// The number of answers of each kind, and their score.
#[derive(Copy, Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Tally {
    pub tasks: usize,
    pub right_true: usize,
    pub right_false: usize,
    pub wrong_true: usize,
    pub wrong_false: usize,
    pub within_bounds: usize,
    pub unknown: usize,
    pub broken: usize,
    pub unrated: usize,
    pub score: i64,
    /// The score if all were right.
    pub best_score: i64,
}

impl Tally {
    pub fn add(&mut self, row: &Row) {
        let kind = row.kind();
        *match kind {
            Kind::RightTrue => &mut self.right_true,
            Kind::RightFalse => &mut self.right_false,
            Kind::WrongTrue => &mut self.wrong_true,
            Kind::WrongFalse => &mut self.wrong_false,
            Kind::WithinBounds => &mut self.within_bounds,
            Kind::Unknown => &mut self.unknown,
            Kind::Broken => &mut self.broken,
            Kind::Unrated => &mut self.unrated,
        } += 1;
        self.tasks += 1;
        self.score += kind.score();
        self.best_score += row.best_score();
    }

    pub fn right(&self) -> usize {
        self.right_true + self.right_false
    }

    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }

    /// A wrong verdict or none at all.
    pub fn is_bad(&self) -> bool {
        self.wrong() + self.broken > 0
    }
}

/// Tasks without an answer, for the same reason.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Undecided {
    pub reason: String,
    pub tasks: usize,
    pub expected_true: usize,
    pub expected_false: usize,
}

#[derive(Copy, Clone, PartialEq, Default, Serialize, Debug)]
pub struct Quantiles {
    pub median: f64,
    /// The 90th percentile.
    #[serde(rename = "p90")]
    pub most: f64,
    pub max: f64,
    pub total: f64,
}

impl Quantiles {
    pub fn of(values: impl Iterator<Item = f64>) -> Quantiles {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Quantiles {
            median: at(&values, 0.5),
            most: at(&values, 0.9),
            max: at(&values, 1.0),
            // The sum of nothing would be -0.
            total: values.iter().fold(0.0, |sum, value| sum + value),
        }
    }
}

/// The quantile of sorted values: this part of them does not exceed it.
pub fn at(sorted: &[f64], part: f64) -> f64 {
    let i = ((sorted.len() as f64 * part).ceil() as usize).saturating_sub(1);
    sorted.get(i).copied().unwrap_or(0.0)
}

impl Summary {
    pub fn of(rows: &[Row], not_run: usize, skipped: BTreeMap<String, usize>) -> Summary {
        let mut all = Tally::default();
        let mut by_property: BTreeMap<String, Tally> = BTreeMap::new();
        let mut by_set: BTreeMap<String, Tally> = BTreeMap::new();
        for row in rows {
            all.add(row);
            by_property.entry(row.id.property.clone()).or_default().add(row);
            by_set.entry(row.id.set.clone()).or_default().add(row);
        }
        Summary {
            tasks: rows.len() + not_run,
            not_run,
            skipped,
            all,
            by_property,
            by_set,
            undecided: undecided(rows),
            cpu: Quantiles::of(rows.iter().map(|row| row.took.cpu)),
            wall: Quantiles::of(rows.iter().map(|row| row.took.wall)),
            memory: Quantiles::of(rows.iter().map(|row| row.took.memory as f64)),
        }
    }
}

/// The most frequent reason first.
fn undecided(rows: &[Row]) -> Vec<Undecided> {
    let mut groups: BTreeMap<String, Undecided> = BTreeMap::new();
    for row in rows {
        let reason = match row.kind() {
            Kind::WithinBounds => "within bounds".to_owned(),
            Kind::Unknown => group(&row.answer.reason).to_owned(),
            Kind::Broken => format!("broken: {}", group(&row.answer.reason)),
            _ => continue,
        };
        let empty = Undecided { reason: reason.clone(), tasks: 0, expected_true: 0, expected_false: 0 };
        let group = groups.entry(reason).or_insert(empty);
        group.tasks += 1;
        match &row.expected {
            Some(expected) if expected.is_true() => group.expected_true += 1,
            Some(_) => group.expected_false += 1,
            None => {}
        }
    }
    let mut groups: Vec<Undecided> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.tasks));
    groups
}

/// Reasons that differ only in a name are grouped.
fn group(reason: &str) -> &str {
    // The name may come first.
    let after_name =
        reason.strip_prefix('`').and_then(|rest| rest.split_once('`')).map(|(_, after)| after.trim());
    if let Some(after) = after_name.filter(|after| !after.is_empty()) {
        return after;
    }
    let end = reason.find([':', '`', '(']).unwrap_or(reason.len());
    match reason[..end].trim() {
        "" => "no reason given",
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Took;
    use crate::task::Id;
    use crate::verdict::ToolAnswer;

    fn row(set: &str, expected: &str, verdict: &str, reason: &str, cpu: f64) -> Row {
        let id = Id {
            set: set.to_owned(),
            program: "p.c".to_owned(),
            property: "unreach-call".to_owned(),
            arguments: String::new(),
        };
        Row {
            id,
            expected: expected.parse().ok(),
            answer: ToolAnswer::new(verdict.parse().unwrap(), reason),
            took: Took { wall: cpu * 2.0, cpu, memory: 10 },
        }
    }

    #[test]
    fn everything_is_counted_once() {
        let rows = [
            row("a", "true", "true", "", 1.0),
            row("a", "false", "false", "assertion failed", 2.0),
            row("b", "true", "unknown", "no model for `f`", 3.0),
            row("b", "false", "unknown", "no model for `g`", 4.0),
            row("b", "false", "within bounds", "unwind 3", 5.0),
            row("b", "false", "true", "", 6.0),
            row("b", "", "true", "", 7.0),
        ];
        let summary = Summary::of(&rows, 3, BTreeMap::new());
        assert_eq!((summary.tasks, summary.all.tasks, summary.not_run), (10, 7, 3));
        assert_eq!((summary.all.score, summary.all.best_score), (2 + 1 - 32, 2 + 1 + 2 + 1 + 1 + 1));
        assert_eq!((summary.all.right(), summary.all.wrong(), summary.all.unrated), (2, 1, 1));
        assert_eq!((summary.by_set["a"].tasks, summary.by_set["b"].unknown), (2, 2));
        assert_eq!(summary.by_property["unreach-call"], summary.all);
        let reasons: Vec<_> = summary
            .undecided
            .iter()
            .map(|u| (u.reason.as_str(), u.expected_true, u.expected_false))
            .collect();
        assert_eq!(reasons, [("no model for", 1, 1), ("within bounds", 0, 1)]);
        assert_eq!(summary.cpu, Quantiles { median: 4.0, most: 7.0, max: 7.0, total: 28.0 });
    }

    #[test]
    fn parts_of_sorted_values() {
        assert_eq!(at(&[1.0, 2.0, 3.0], 0.5), 2.0);
        assert_eq!(at(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.0);
        assert_eq!(at(&[1.0, 2.0, 3.0], 0.9), 3.0);
        assert_eq!(at(&[], 0.5), 0.0);
    }

    #[test]
    fn reasons_are_grouped() {
        assert_eq!(group("not supported: a float"), "not supported");
        assert_eq!(group("no model for `f`"), "no model for");
        assert_eq!(group("`--frob` is no option"), "is no option");
        assert_eq!(group("timeout"), "timeout");
        assert_eq!(group(""), "no reason given");
    }
}
