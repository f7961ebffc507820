//! Many measurements as a few lines of Markdown, beside the targets.
//!
//! A stopped engine counts with the limit. A program that no engine answers says nothing about ratios, and is left out
//! of them.

use super::measure::{CLOCKS, EngineName, Measured, MeasuredAnswer, ORDER, REFINE, engines as compared};
use tp_bench::at;

#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub program: String,
    /// Whether it is known to be safe.
    pub expected: Option<bool>,
    /// By engine.
    pub results: Vec<(EngineName, Measured)>,
}

impl Row {
    fn of(&self, engine: EngineName) -> &Measured {
        let of = self.results.iter().find(|result| result.0 == engine);
        &of.expect("every engine was measured").1
    }
}

/// A program is large if `clocks` takes more than this, in seconds, and small if it and `order` take less.
const LARGE: f64 = 2.0;

/// Smaller differences are noise, in seconds.
const NOISE: f64 = 0.05;

/// How far `order` may be behind `clocks` on a small program.
const BEHIND: f64 = 1.5;

/// Times that differ by less than this factor are alike.
const ALIKE: f64 = 1.25;

/// At most this many programs are named.
const NAMED: usize = 12;

/// Processor time or the time on the clock.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Time {
    Cpu,
    Wall,
}

/// The time that a measurement counts with.
fn seconds(measured: &Measured, time: Time, limit: f64) -> f64 {
    match (&measured.answer, time) {
        (MeasuredAnswer::Stopped, _) => limit,
        (_, Time::Cpu) => measured.cpu,
        (_, Time::Wall) => measured.wall,
    }
}

/// The times of one engine, sorted.
fn times(rows: &[Row], engine: EngineName, time: Time, limit: f64) -> Vec<f64> {
    let mut times: Vec<f64> = rows.iter().map(|row| seconds(row.of(engine), time, limit)).collect();
    times.sort_by(f64::total_cmp);
    times
}

pub fn markdown(rows: &[Row], limit: f64) -> String {
    let mut text = format!("{} programs; {limit} s of processor time for each engine.\n\n", rows.len());
    text += &engines(rows, limit);
    text += &targets(rows, limit);
    text += &behind(rows, limit);
    let faults = faults(rows);
    if faults.is_empty() {
        text += "\nNo two engines disagree, and no answer differs from a known verdict.\n";
    }
    faults.iter().fold(text, |text, fault| format!("{text}\n- **{fault}**\n"))
}

/// What each engine did.
fn engines(rows: &[Row], limit: f64) -> String {
    let line = |what: &str, value: &dyn Fn(EngineName) -> String| {
        let values: Vec<String> = compared().into_iter().map(value).collect();
        format!("| {what} | {} |\n", values.join(" | "))
    };
    let count = |e: EngineName, is: fn(&MeasuredAnswer) -> bool| {
        rows.iter().filter(|row| is(&row.of(e).answer)).count().to_string()
    };
    let both = |e: EngineName, of: &dyn Fn(&[f64]) -> String| {
        format!("{} ({})", of(&times(rows, e, Time::Cpu, limit)), of(&times(rows, e, Time::Wall, limit)))
    };
    let memory = |e: EngineName| rows.iter().map(|row| row.of(e).memory).max().unwrap_or(0) >> 20;
    let mut text = header("");
    text += &line("verdicts", &|e| count(e, MeasuredAnswer::is_verdict));
    text += &line("stopped by the limit", &|e| count(e, |a| *a == MeasuredAnswer::Stopped));
    text += &line("cannot tell", &|e| count(e, |a| matches!(a, MeasuredAnswer::Unknown(_))));
    text += &line("median, processor (clock)", &|e| both(e, &|t| format!("{:.3} s", at(t, 0.5))));
    text += &line("90 % within", &|e| both(e, &|t| format!("{:.2} s", at(t, 0.9))));
    text += &line("total", &|e| both(e, &|t| format!("{:.1} s", t.iter().sum::<f64>())));
    text + &line("most memory", &|e| format!("{} MB", memory(e)))
}

/// The programs that ratios are made of, and those that are left out.
struct Sets<'a> {
    large: Vec<&'a Row>,
    /// Large, and no engine has an answer.
    hopeless: Vec<&'a Row>,
    small: Vec<&'a Row>,
}

impl<'a> Sets<'a> {
    fn of(rows: &'a [Row], limit: f64) -> Sets<'a> {
        let cpu = |row: &Row, e: EngineName| seconds(row.of(e), Time::Cpu, limit);
        let (large, small): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| cpu(row, CLOCKS) > LARGE);
        let (large, hopeless) = large
            .into_iter()
            .partition(|row| row.results.iter().any(|(_, m)| m.answer != MeasuredAnswer::Stopped));
        let small = small.into_iter().filter(|row| cpu(row, ORDER) < LARGE).collect();
        Sets { large, hopeless, small }
    }

    fn in_words(&self, limit: f64) -> String {
        let stopped = |e: EngineName| {
            self.large.iter().filter(|row| row.of(e).answer == MeasuredAnswer::Stopped).count()
        };
        let (alike, different): (Vec<&Row>, Vec<&Row>) = self.large.iter().partition(|row| are_alike(row));
        let without = |e: EngineName| ahead(&different, e, Time::Cpu, limit);
        let alike = match alike.len() {
            0 => String::new(),
            n => format!(
                " On {n} of them the three take about the same time; without those the ratios of processor time \
                 would be {} and {}.",
                without(ORDER),
                without(REFINE)
            ),
        };
        format!(
            "\n{large} of them take `clocks` more than {LARGE} s and are answered by some engine; {hopeless} more are \
             answered by none, and left out below. Of the {large}, the limit stops `order` in {}, `refine` in {}, \
             `clocks` in {}; what is stopped counts as {limit} s.{alike}\n\n",
            stopped(ORDER),
            stopped(REFINE),
            stopped(CLOCKS),
            large = self.large.len(),
            hopeless = self.hopeless.len(),
        )
    }
}

/// Whether all engines answer after about the same time.
fn are_alike(row: &Row) -> bool {
    let times = row.results.iter().map(|(_, m)| m.cpu);
    let (least, most) = times.fold((f64::INFINITY, 0.0), |(a, b), t| (t.min(a), t.max(b)));
    row.results.iter().all(|(_, m)| m.answer != MeasuredAnswer::Stopped) && most < least * ALIKE
}

/// How many times longer `clocks` takes than the engine, in total.
fn ahead(rows: &[&Row], engine: EngineName, time: Time, limit: f64) -> String {
    let total = |e: EngineName| rows.iter().map(|row| seconds(row.of(e), time, limit)).sum::<f64>();
    ratio(total(CLOCKS), total(engine))
}

/// The targets, and what was measured.
fn targets(rows: &[Row], limit: f64) -> String {
    let sets = Sets::of(rows, limit);
    let mut text = sets.in_words(limit) + "| what | aimed for | processor | clock |\n|---|---|---|---|\n";
    let mut line = |what: String, wanted: &str, value: &dyn Fn(Time) -> String| {
        text += &format!("| {what} | {wanted} | {} | {} |\n", value(Time::Cpu), value(Time::Wall));
    };
    for (engine, wanted) in [(ORDER, "at least 10"), (REFINE, "at least 3")] {
        let what = format!("`clocks` / `{}`, total of the {}", engine, sets.large.len());
        line(what, wanted, &|time| ahead(&sets.large, engine, time, limit));
    }
    let what =
        format!("worst `order` / `clocks` of {} small ones, differences over {NOISE} s", sets.small.len());
    line(what, &format!("at most {BEHIND}"), &|time| match worst(&sets.small, time, limit) {
        Some((ratio, program)) => format!("{ratio:.2} ({program})"),
        None => "never behind".to_owned(),
    });
    let what = "median of `order`, clang included".to_owned();
    line(what, "under 0.15 s", &|time| format!("{:.3} s", at(&times(rows, ORDER, time, limit), 0.5)));
    text + &memory(&sets.large)
}

fn memory(large: &[&Row]) -> String {
    let of = |row: &Row, e: EngineName| row.of(e).memory as f64;
    let mut ratios: Vec<f64> = large.iter().map(|row| of(row, ORDER) / of(row, CLOCKS).max(1.0)).collect();
    ratios.sort_by(f64::total_cmp);
    let most = |e: EngineName| large.iter().map(|row| of(row, e)).fold(0.0, f64::max);
    format!(
        "| peak memory, `order` / `clocks`: median of the {} | at most 0.5 | {:.2} | |\n\
         | peak memory, `order` / `clocks`: the largest of each | at most 0.5 | {} | |\n",
        large.len(),
        at(&ratios, 0.5),
        ratio(most(ORDER), most(CLOCKS)),
    )
}

/// The largest ratio of `order` to `clocks`, and its program.
fn worst<'a>(rows: &[&'a Row], time: Time, limit: f64) -> Option<(f64, &'a str)> {
    let pairs = rows.iter().filter_map(|row| {
        let [order, clocks] = [ORDER, CLOCKS].map(|e| seconds(row.of(e), time, limit));
        (order > clocks + NOISE).then_some((order / clocks.max(1e-3), row.program.as_str()))
    });
    pairs.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The programs, of any size, on which `order` is clearly slower than another engine.
fn behind(rows: &[Row], limit: f64) -> String {
    let mut named: Vec<(f64, String)> = Vec::new();
    for row in rows {
        let cpu = |e: EngineName| seconds(row.of(e), Time::Cpu, limit);
        let order = cpu(ORDER);
        let best = compared().into_iter().filter(|e| *e != ORDER).map(cpu).fold(f64::INFINITY, f64::min);
        if order > best * BEHIND && order > best + NOISE {
            let times: Vec<String> = compared().into_iter().map(|e| format!("{:.2}", cpu(e))).collect();
            let line = format!("| {} | {} |\n", row.program, times.join(" | "));
            named.push((order / best.max(1e-3), line));
        }
    }
    if named.is_empty() {
        return format!("\n`order` is nowhere {BEHIND} times slower than another engine.\n");
    }
    named.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut text = format!(
        "\nPrograms on which `order` is more than {BEHIND} times and {NOISE} s slower than another engine: {}{}.\n\n",
        named.len(),
        if named.len() > NAMED { format!("; the worst {NAMED}") } else { String::new() }
    ) + &header("program");
    named.truncate(NAMED);
    named.iter().for_each(|(_, line)| text += line);
    text
}

/// What must not happen: engines that disagree, verdicts that are known to be wrong, no verdict at all.
pub fn faults(rows: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    for row in rows {
        let all: Vec<String> = row.results.iter().map(|(e, m)| format!("{e} {}", m.answer.words())).collect();
        let all = all.join(", ");
        let answers = row.results.iter().map(|(_, m)| &m.answer);
        let wrong = match row.expected {
            Some(true) => Some(MeasuredAnswer::Violated),
            Some(false) => Some(MeasuredAnswer::Safe),
            None => None,
        };
        let is_wrong = answers.clone().any(|answer| Some(answer) == wrong.as_ref());
        let is_broken = answers.clone().any(|answer| matches!(answer, MeasuredAnswer::Broken(_)));
        let mut ended = answers.filter(|answer| **answer != MeasuredAnswer::Stopped);
        let first = ended.next();
        let disagrees = ended.any(|answer| Some(answer) != first);
        if is_wrong {
            faults.push(format!("wrong: {}: {all}", row.program));
        } else if is_broken {
            faults.push(format!("broken: {}: {all}", row.program));
        } else if disagrees {
            faults.push(format!("disagree: {}: {all}", row.program));
        }
    }
    faults
}

/// The beginning of a table with a column for each engine.
fn header(first: &str) -> String {
    let names = compared();
    format!("| {first} | {} |\n|---{}|\n", names.join(" | "), "|---".repeat(names.len()))
}

fn ratio(a: f64, b: f64) -> String {
    if b > 0.0 { format!("{:.1}", a / b) } else { "-".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers and processor times of the three engines; the clock shows twice as much.
    fn row(program: &str, expected: Option<bool>, results: [(MeasuredAnswer, f64); 3]) -> Row {
        let results = results.map(|(answer, cpu)| Measured {
            answer,
            wall: cpu * 2.0,
            cpu,
            memory: (cpu * 100.0) as u64 + 1,
            lemmas: 0,
            conflicts: 0,
        });
        let results = [ORDER, REFINE, CLOCKS].into_iter().zip(results).collect();
        Row { program: program.to_owned(), expected, results }
    }

    fn safe(program: &str, times: [f64; 3]) -> Row {
        row(program, None, times.map(|time| (MeasuredAnswer::Safe, time)))
    }

    #[test]
    fn ratios() {
        let stopped = row(
            "c",
            None,
            [(MeasuredAnswer::Safe, 1.0), (MeasuredAnswer::Stopped, 10.3), (MeasuredAnswer::Stopped, 10.2)],
        );
        let hopeless = row("d", None, [(); 3].map(|()| (MeasuredAnswer::Stopped, 10.1)));
        let rows = [safe("a", [0.2, 0.1, 0.1]), safe("b", [1.0, 1.5, 6.0]), stopped, hopeless];
        let text = targets(&rows, 10.0);
        let has = |line: &str| assert!(text.contains(line), "{line} is not in {text}");
        has("total of the 2 | at least 10 | 8.0 | 5.5 |");
        has("total of the 2 | at least 3 | 1.4 | 1.7 |");
        has("of 1 small ones, differences over 0.05 s | at most 1.5 | 2.00 (a) | 2.00 (a) |");
        has("median of `order`, clang included | under 0.15 s | 1.000 s | 2.000 s |");
        has("the limit stops `order` in 0, `refine` in 1, `clocks` in 1");
        assert!(behind(&rows, 10.0).contains("| a | 0.20 | 0.10 | 0.10 |"));
        assert!(!behind(&rows, 10.0).contains("| b |"));
    }

    #[test]
    fn where_the_engines_are_alike() {
        let rows = [safe("a", [3.0, 3.1, 3.2]), safe("b", [1.0, 2.0, 10.0])];
        let text = targets(&rows, 20.0);
        assert!(text.contains("On 1 of them the three take about the same time"), "{text}");
        assert!(text.contains("would be 10.0 and 5.0."), "{text}");
        assert!(text.contains("total of the 2 | at least 10 | 3.3 |"), "{text}");
    }

    #[test]
    fn small_differences_are_noise() {
        let rows = [safe("a", [0.14, 0.1, 0.1])];
        assert_eq!(worst(&rows.iter().collect::<Vec<_>>(), Time::Cpu, 10.0), None);
        assert!(behind(&rows, 10.0).contains("nowhere"));
    }

    #[test]
    fn what_must_not_be() {
        use MeasuredAnswer::{Broken, Safe, Stopped, Unknown, Violated, WithinBounds};
        let check = |expected, answers: [MeasuredAnswer; 3], expect: &str| {
            let faults = faults(&[row("p", expected, answers.map(|answer| (answer, 1.0)))]);
            assert_eq!(faults.first().map_or("", |f| f.split(':').next().unwrap_or("")), expect);
        };
        check(Some(true), [Safe, Safe, Stopped], "");
        check(Some(false), [Violated, Stopped, Stopped], "");
        check(Some(false), [WithinBounds, WithinBounds, WithinBounds], "");
        check(Some(false), [Safe, Stopped, Stopped], "wrong");
        check(Some(true), [Stopped, Stopped, Violated], "wrong");
        check(None, [Safe, Violated, Safe], "disagree");
        check(None, [Safe, Safe, Unknown("x".to_owned())], "disagree");
        check(None, [Safe, Safe, Broken("x".to_owned())], "broken");
    }
}
