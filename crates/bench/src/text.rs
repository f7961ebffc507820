//! A summary for people.

use crate::against::Comparison;
use crate::summary::{Quantiles, Summary, Tally};
use std::collections::BTreeMap;

/// At most this many tasks of a list are named.
const NAMED: usize = 20;

/// Counts and scores by property and set, reasons, times and memory.
pub fn summary(summary: &Summary) -> String {
    let mut text = tallies("property", &summary.by_property, &summary.all);
    if summary.by_set.len() > 1 {
        text += "\n";
        text += &tallies("set", &summary.by_set, &summary.all);
    }
    if !summary.undecided.is_empty() {
        text += "\nnot decided, and why\n";
    }
    for group in &summary.undecided {
        let (yes, no) = (group.expected_true, group.expected_false);
        text += &format!("{:>6}  {} ({yes} expected true, {no} false)\n", group.tasks, group.reason);
    }
    text + "\n" + &taken(summary)
}

fn tallies(what: &str, groups: &BTreeMap<String, Tally>, all: &Tally) -> String {
    let mut head: Vec<&str> = vec![what, "tasks", "true", "false", "wrong true", "wrong false"];
    head.extend(["within bounds", "unknown", "broken"]);
    if all.unrated > 0 {
        head.push("unrated");
    }
    head.extend(["score", "of"]);
    let line = |name: &str, tally: &Tally| {
        let counts = [
            tally.tasks,
            tally.right_true,
            tally.right_false,
            tally.wrong_true,
            tally.wrong_false,
            tally.within_bounds,
            tally.unknown,
            tally.broken,
        ];
        let mut cells = vec![name.to_owned()];
        cells.extend(counts.map(|n| n.to_string()));
        if all.unrated > 0 {
            cells.push(tally.unrated.to_string());
        }
        cells.extend([tally.score, tally.best_score].map(|n| n.to_string()));
        cells
    };
    let mut lines = vec![head.into_iter().map(str::to_owned).collect()];
    lines.extend(groups.iter().map(|(name, tally)| line(name, tally)));
    if groups.len() > 1 {
        lines.push(line("all", all));
    }
    columns(&lines)
}

fn taken(summary: &Summary) -> String {
    let line = |name: &str, q: &Quantiles, show: &dyn Fn(f64) -> String, total: bool| {
        let total = if total { show(q.total) } else { String::new() };
        vec![name.to_owned(), show(q.median), show(q.most), show(q.max), total]
    };
    let seconds = |value: f64| format!("{value:.2} s");
    let megabytes = |value: f64| format!("{:.0} MB", value / f64::from(1 << 20));
    columns(&[
        ["", "median", "90 %", "max", "total"].map(str::to_owned).to_vec(),
        line("processor", &summary.cpu, &seconds, true),
        line("clock", &summary.wall, &seconds, true),
        line("memory", &summary.memory, &megabytes, false),
    ])
}

/// The first column aligned left, the others right, two spaces in between.
fn columns(lines: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for line in lines {
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(i, (cell, &width))| match i {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        text += cells.collect::<String>().trim_end();
        text += "\n";
    }
    text
}

/// What is different from an earlier run.
pub fn comparison(comparison: &Comparison, before: &str) -> String {
    let Comparison { common, only_now, only_before, seconds_before, seconds_now, .. } = comparison;
    let tasks = if *common == 1 { "task" } else { "tasks" };
    let mut text = format!(
        "against {before}: {common} {tasks} in both, {only_now} only now, {only_before} only before; right in both: \
         {seconds_before:.1} s before, {seconds_now:.1} s now\n"
    );
    let slower: Vec<String> = comparison
        .slower
        .iter()
        .map(|s| format!("{}: {:.2} s, was {:.2} s", s.task, s.now, s.before))
        .collect();
    let groups = [
        ("newly right", &comparison.newly_right),
        ("newly wrong", &comparison.newly_wrong),
        ("no longer right", &comparison.no_longer_right),
        ("slower", &slower),
    ];
    for (what, names) in groups {
        text += &format!("{:>6}  {what}\n", names.len());
    }
    for (what, names) in groups {
        text += &named(what, names);
    }
    text
}

/// The first of them; all are in the files.
fn named(what: &str, names: &[String]) -> String {
    let mut text: String = names.iter().take(NAMED).map(|name| format!("{what}: {name}\n")).collect();
    if let Some(more) = names.len().checked_sub(NAMED + 1) {
        text += &format!("{what}: and {} more\n", more + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_below_each_other() {
        let tally =
            Tally { tasks: 12, right_true: 10, unknown: 2, score: 20, best_score: 24, ..Tally::default() };
        let groups = BTreeMap::from([("a".to_owned(), tally), ("long".to_owned(), Tally::default())]);
        let text = tallies("set", &groups, &tally);
        assert_eq!(
            text,
            "set   tasks  true  false  wrong true  wrong false  within bounds  unknown  broken  score  of\n\
             a        12    10      0           0            0              0        2       0     20  24\n\
             long      0     0      0           0            0              0        0       0      0   0\n\
             all      12    10      0           0            0              0        2       0     20  24\n"
        );
    }

    #[test]
    fn a_summary_of_nothing_is_short() {
        let text = summary(&Summary::of(&[], 0, BTreeMap::new()));
        assert!(text.contains("processor  0.00 s  0.00 s  0.00 s  0.00 s\n"), "{text}");
        assert!(!text.contains("not decided"), "{text}");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..NAMED + 2).map(|i| i.to_string()).collect();
        assert!(named("slower", &names).ends_with("slower: 19\nslower: and 2 more\n"));
        assert_eq!(named("slower", &names[..NAMED]).lines().count(), NAMED);
        let changed = Comparison {
            common: 1,
            newly_wrong: vec!["s/p q: wrong true, was unknown".to_owned()],
            ..Comparison::default()
        };
        let text = comparison(&changed, "old.tsv");
        assert!(text.starts_with("against old.tsv: 1 task in both, 0 only now"), "{text}");
        assert!(
            text.contains("     1  newly wrong\n") && text.contains("newly wrong: s/p q: wrong true"),
            "{text}"
        );
    }
}
