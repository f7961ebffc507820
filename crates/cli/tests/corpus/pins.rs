//! `effort.tsv`: what each engine says of each task and what it takes, pinned. A verdict has to be the same; counts have a
//! margin where the search is free to choose.
//!
//! The counts are the same in every run, so a margin is not for chance but for changes elsewhere: a clause more moves the
//! number of conflicts of a small program by half, and means nothing. So each answer may take half as much again and a
//! few; but over all programs that evens out, and the sum of each count may grow by a tenth only. Two counts have no
//! margin: how far loops were followed, and the traces of a program of which all were explored. Those are not luck.

use crate::ask::{Asked, Effort, Verdict};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use tp_bench::BenchTask;
use tp_driver::{ENGINES, Engine};

const COLUMNS: &str = "set\tprogram\targuments\tproperty\tengine\tverdict\teffort";
const LEFT_OUT: &str = "left out";

/// The part of the margin that does not depend on the count, for small counts.
const FEW: u64 = 30;

/// The position of an engine in the table, and its name.
type Placed = (usize, &'static str);

/// A task, and the engine that is asked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    columns: [String; 4],
    engine: Placed,
}

impl Key {
    pub fn new(task: &BenchTask, engine: &Engine) -> Key {
        let id = task.id.clone();
        let columns = [id.set, id.program, id.arguments, id.property];
        Key { columns, engine: (place(engine.name), engine.name) }
    }
}

/// The position of an engine in the table; of an unknown one, after its end.
fn place(engine: &str) -> usize {
    ENGINES.iter().position(|e| e.name == engine).unwrap_or(ENGINES.len())
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [set, program, arguments, property] = &self.columns;
        let blank = if arguments.is_empty() { "" } else { " " };
        write!(f, "{set}/{program}{blank}{arguments}, {property}, {}", self.engine.1)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Asked {
        verdict: String,
        effort: Effort,
    },
    /// It takes too much to be asked all the time.
    LeftOut,
}

impl Said {
    fn of(answer: &Asked) -> Said {
        if answer.is_too_much() {
            return Said::LeftOut;
        }
        Said::Asked { verdict: answer.verdict.to_string(), effort: answer.effort.clone() }
    }
}

#[derive(Default)]
pub struct Pins {
    rows: BTreeMap<Key, Said>,
}

impl Pins {
    /// Nothing is pinned where there is no file yet.
    pub fn read(folder: &Path) -> Pins {
        let text = fs::read_to_string(folder.join("effort.tsv")).unwrap_or_default();
        let rows = text.lines().skip(1).map(|line| row(line).unwrap_or_else(|| panic!("effort.tsv: {line}")));
        Pins { rows: rows.collect() }
    }

    pub fn is_safe(&self, key: &Key) -> bool {
        matches!(self.said(key), Some(Said::Asked { verdict, .. }) if *verdict == Verdict::Safe.to_string())
    }

    pub fn said(&self, key: &Key) -> Option<&Said> {
        self.rows.get(key)
    }

    /// Writes what was said, and that the rest is left out. With a filter, other programs stay as they are.
    pub fn bless(&self, folder: &Path, answers: &BTreeMap<Key, Option<Asked>>, is_whole: bool) {
        let mut rows = if is_whole { BTreeMap::new() } else { self.rows.clone() };
        for (key, answer) in answers {
            rows.insert(key.clone(), answer.as_ref().map_or(Said::LeftOut, Said::of));
        }
        let lines: String = rows.iter().map(|(key, said)| line(key, said)).collect();
        fs::write(folder.join("effort.tsv"), format!("{COLUMNS}\n{lines}")).expect("the corpus is writable");
    }

    /// All differences from the pins; if everything was asked for, also pins without a task.
    pub fn compare(&self, answers: &BTreeMap<Key, Option<Asked>>, is_whole: bool) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut sums: BTreeMap<(Placed, &str), (u64, u64)> = BTreeMap::new();
        for (key, answer) in answers {
            let (verdict, effort) = match (self.rows.get(key), answer) {
                (Some(Said::Asked { verdict, effort }), _) => (verdict, effort),
                (Some(Said::LeftOut), _) => continue,
                (None, _) => {
                    complaints.push(format!("{key}: nothing is pinned"));
                    continue;
                }
            };
            let Some(answer) = answer else { continue };
            complaints.extend(
                differences(verdict, effort, answer).into_iter().map(|what| format!("{key}: {what}")),
            );
            for (name, pinned) in effort {
                let sum = sums.entry((key.engine, name)).or_default();
                sum.0 += pinned;
                sum.1 += answer.effort.get(name).copied().unwrap_or(0);
            }
        }
        if is_whole {
            complaints.extend(sums.iter().filter(|(_, (pinned, now))| *now > pinned + pinned / 10).map(
                |(((_, engine), name), (pinned, now))| {
                    format!("{}: {now} {name} for all programs together, {pinned} are pinned", engine)
                },
            ));
            let gone = self.rows.keys().filter(|key| !answers.contains_key(key));
            complaints.extend(gone.map(|key| format!("{key}: pinned, but there is no such task")));
        }
        complaints
    }
}

/// What differs in an answer, in words.
fn differences(verdict: &str, effort: &Effort, answer: &Asked) -> Vec<String> {
    if answer.is_overdue {
        return vec!["it takes so long that it was stopped".to_owned()];
    }
    // With another verdict the counts differ anyway.
    if answer.verdict.to_string() != verdict {
        return vec![format!("{}; {verdict} is pinned", answer.verdict)];
    }
    let difference = |(name, &count): (&String, &u64)| match effort.get(name) {
        None => Some(format!("{count} {name}, none are pinned")),
        Some(&pinned) if is_within(name, verdict, pinned, count) => None,
        Some(pinned) => Some(format!("{count} {name}, {pinned} are pinned")),
    };
    answer.effort.iter().filter_map(difference).collect()
}

fn is_within(name: &str, verdict: &str, pinned: u64, now: u64) -> bool {
    match (name, verdict) {
        ("unwind", _) | ("traces", "safe") => now == pinned,
        _ => now <= pinned + pinned / 2 + FEW,
    }
}

fn line(key: &Key, said: &Said) -> String {
    let (verdict, effort) = match said {
        Said::LeftOut => (LEFT_OUT, String::new()),
        Said::Asked { verdict, effort } => {
            let counts: Vec<String> = effort.iter().map(|(name, count)| format!("{name}={count}")).collect();
            (verdict.as_str(), counts.join(" "))
        }
    };
    format!("{}\t{}\t{verdict}\t{effort}\n", key.columns.join("\t"), key.engine.1)
}

fn row(line: &str) -> Option<(Key, Said)> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [set, program, arguments, property, engine, verdict, effort] = columns.try_into().ok()?;
    let engine = ENGINES.iter().find(|e| e.name == engine)?.name;
    let columns = [set, program, arguments, property].map(str::to_owned);
    let key = Key { columns, engine: (place(engine), engine) };
    if verdict == LEFT_OUT {
        return Some((key, Said::LeftOut));
    }
    let count = |text: &str| {
        let (name, count) = text.split_once('=')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    let effort = effort.split_whitespace().map(count).collect::<Option<Effort>>()?;
    Some((key, Said::Asked { verdict: verdict.to_owned(), effort }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::Verdict;

    const LINES: &str = "a\tp.c\t-DN=3\tunreach-call\torder\tsafe\tconflicts=100 lemmas=7 unwind=2\n\
                         a\tp.c\t-DN=3\tunreach-call\texplore\tsafe\ttraces=10\n\
                         a\tq.c\t\tunreach-call\texplore\tviolated\ttraces=10\n\
                         a\tq.c\t\tunreach-call\tclocks\tleft out\t\n";

    fn pins(text: &str) -> Pins {
        Pins { rows: text.lines().map(|line| row(line).expect("it is a row")).collect() }
    }

    /// Compares one answer, written as the line that would pin it.
    fn check(text: &str, expect: &[&str]) {
        let (key, said) = row(text).expect("it is a row");
        let Said::Asked { verdict, effort } = said else { panic!("{text} is not an answer") };
        let verdict = match verdict.as_str() {
            "safe" => Verdict::Safe,
            "violated" => Verdict::Violated,
            _ => Verdict::Unknown(verdict),
        };
        let answers = BTreeMap::from([(key, Some(Asked { verdict, effort, is_overdue: false }))]);
        let said = pins(LINES).compare(&answers, false);
        let after_key: Vec<&str> = said.iter().map(|s| s.split_once(": ").map_or("", |s| s.1)).collect();
        assert_eq!(after_key, expect, "{text}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let written: String = pins(LINES).rows.iter().map(|(key, said)| line(key, said)).collect();
        assert_eq!(pins(&written).rows, pins(LINES).rows);
        assert_eq!(row("a\tp.c\t\tunreach-call\tguess\tsafe\t"), None);
        assert_eq!(row("a\tp.c\t\tunreach-call\torder\tsafe\tlemmas=many"), None);
    }

    #[test]
    fn counts_have_their_margins() {
        let order = |rest: &str| format!("a\tp.c\t-DN=3\tunreach-call\torder\t{rest}");
        check(&order("safe\tconflicts=180 lemmas=7 unwind=2"), &[]);
        check(&order("safe\tconflicts=0 lemmas=0 unwind=2"), &[]);
        check(&order("safe\tconflicts=181 lemmas=7 unwind=2"), &["181 conflicts, 100 are pinned"]);
        check(&order("safe\tconflicts=100 lemmas=7 unwind=3"), &["3 unwind, 2 are pinned"]);
        check(&order("safe\tmiracles=1"), &["1 miracles, none are pinned"]);
        check(&order("violated\tconflicts=999"), &["violated; safe is pinned"]);
        check("a\tp.c\t-DN=3\tunreach-call\texplore\tsafe\ttraces=11", &["11 traces, 10 are pinned"]);
        check("a\tq.c\t\tunreach-call\texplore\tviolated\ttraces=11", &[]);
        check("a\tq.c\t\tunreach-call\torder\tviolated\tconflicts=0", &["nothing is pinned"]);
    }

    #[test]
    fn sums_have_less_of_a_margin() {
        let text = "a\tp.c\t\tunreach-call\tclocks\tsafe\tconflicts=1000\n";
        let compare = |now: u64| {
            let (key, _) = row(text.trim_end()).expect("it is a row");
            let effort = Effort::from([("conflicts".to_owned(), now)]);
            let answer = Asked { verdict: Verdict::Safe, effort, is_overdue: false };
            pins(text).compare(&BTreeMap::from([(key, Some(answer))]), true)
        };
        assert_eq!(compare(1100), [""; 0]);
        assert_eq!(compare(1101), ["clocks: 1101 conflicts for all programs together, 1000 are pinned"]);
        let nothing = pins(text).compare(&BTreeMap::new(), true);
        assert_eq!(nothing, ["a/p.c, unreach-call, clocks: pinned, but there is no such task"]);
    }

    #[test]
    fn what_takes_too_long_is_not_right_whatever_it_says() {
        let answer = |is_overdue| Asked { verdict: Verdict::Safe, effort: Effort::new(), is_overdue };
        assert_eq!(differences("safe", &Effort::new(), &answer(false)), [""; 0]);
        assert_eq!(
            differences("safe", &Effort::new(), &answer(true)),
            ["it takes so long that it was stopped"]
        );
        assert_eq!(Said::of(&answer(true)), Said::LeftOut);
    }
}
