//! `bench growth`: the same program, larger and larger, until an engine has no answer in time.

use super::measure::{CLOCKS, EngineName, Measured, MeasuredAnswer, engines, measure};
use super::programs::of_size;
use super::{binary, publish, scratch, write};
use crate::root;
use anyhow::{Result, bail};
use std::path::Path;
use tp_bench::plot::{Curve, Panel, svg};

#[derive(clap::Args)]
pub struct Args {
    /// Seconds of processor time for each size and engine
    #[arg(long, default_value_t = 20.0)]
    timeout: f64,
    /// Only series whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Put table and curves into bench/ instead of target/bench
    #[arg(long)]
    write: bool,
}

struct Series {
    /// Also the name of its file.
    name: &'static str,
    title: &'static str,
    family: &'static str,
    is_safe: bool,
    sizes: &'static [u32],
}

const SERIES: [Series; 3] = [
    Series {
        name: "fibonacci-safe",
        title: "Fibonacci race, safe: two threads, n rounds each",
        family: "fibonacci",
        is_safe: true,
        sizes: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    },
    Series {
        name: "fibonacci-unsafe",
        title: "Fibonacci race, unsafe: two threads, n rounds each",
        family: "fibonacci",
        is_safe: false,
        sizes: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    },
    Series {
        name: "readers",
        title: "n writers and n readers of one variable, safe",
        family: "readers",
        is_safe: true,
        sizes: &[1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40],
    },
];

/// What was measured at each size; `None` once the engine had no answer.
type Grown = Vec<(u32, Vec<Option<Measured>>)>;

pub fn growth(args: &Args) -> Result<()> {
    let folder = if args.write { root().join("bench") } else { scratch()? };
    let binary = binary()?;
    let mut text = String::new();
    let mut faults = Vec::new();
    for series in SERIES.iter().filter(|series| series.name.contains(&args.only)) {
        let grown = grow(&binary, series, args.timeout)?;
        faults.extend(wrong(series, &grown));
        let file = folder.join(format!("{}.svg", series.name));
        write(&file, &svg(series.title, &panels(&grown, args.timeout)))?;
        text += &section(series, &grown, args.timeout);
    }
    println!("{text}the curves are in {}", folder.display());
    if args.write {
        publish("growth", &text)?;
    }
    match faults.as_slice() {
        [] => Ok(()),
        _ => bail!("outcomes that should not be: {}", faults.join("; ")),
    }
}

fn grow(binary: &Path, series: &Series, limit: f64) -> Result<Grown> {
    let mut grown: Grown = Vec::new();
    for &n in series.sizes {
        let mut results = vec![None; engines().len()];
        for (i, engine) in engines().into_iter().enumerate() {
            let goes_on = grown.last().is_none_or(|(_, last)| last[i].as_ref().is_some_and(is_answered));
            if goes_on {
                let program = of_size(series.family, series.is_safe, n);
                let measured = measure(binary, &program, engine, limit)?;
                eprintln!("{} {}: {:.2} s", program.name, engine, measured.cpu);
                results[i] = Some(measured);
            }
        }
        if results.iter().all(Option::is_none) {
            break;
        }
        grown.push((n, results));
    }
    Ok(grown)
}

fn is_answered(measured: &Measured) -> bool {
    measured.answer.is_verdict()
}

fn wrong(series: &Series, grown: &Grown) -> Vec<String> {
    let right = if series.is_safe { MeasuredAnswer::Safe } else { MeasuredAnswer::Violated };
    let mut faults = Vec::new();
    for (n, results) in grown {
        let answers = results.iter().flatten().map(|m| &m.answer);
        for answer in answers.filter(|a| **a != right && **a != MeasuredAnswer::Stopped) {
            faults.push(format!("{} {n}: {}", series.name, answer.words()));
        }
    }
    faults
}

/// The sizes that an engine was asked for, with what it took.
fn of(grown: &Grown, engine: EngineName) -> Vec<(u32, &Measured)> {
    let place = engines().iter().position(|e| *e == engine);
    grown.iter().filter_map(|(n, results)| Some((*n, results.get(place?)?.as_ref()?))).collect()
}

fn panels(grown: &Grown, limit: f64) -> [Panel; 2] {
    let panel = |title: &str, curves, limit| Panel { title: title.to_owned(), below: "n", curves, limit };
    let mut times = Vec::new();
    let mut lemmas = Vec::new();
    for engine in engines() {
        let all = of(grown, engine);
        let points = |answered: &[(u32, &Measured)], value: &dyn Fn(&Measured) -> f64| {
            answered.iter().map(|(n, m)| (f64::from(*n), value(m))).collect()
        };
        let answered: Vec<_> = all.iter().copied().filter(|(_, m)| is_answered(m)).collect();
        times.push(Curve {
            name: engine.to_owned(),
            points: points(&all, &|m| if is_answered(m) { m.cpu } else { limit }),
            ends_open: answered.len() < all.len(),
        });
        // `clocks` has no such lemmas: orders are in its formula.
        if engine != CLOCKS {
            let points = points(&answered, &|m| m.lemmas as f64);
            lemmas.push(Curve { name: engine.to_owned(), points, ends_open: false });
        }
    }
    [
        panel("processor seconds, clang included", times, Some(limit)),
        panel("lemmas about orders", lemmas, None),
    ]
}

fn section(series: &Series, grown: &Grown, limit: f64) -> String {
    let mut text = format!("### {}\n\n![{}]({}.svg)\n\n", series.title, series.title, series.name);
    for engine in engines() {
        let last = of(grown, engine).into_iter().rfind(|(_, m)| is_answered(m));
        text += &match last {
            Some((n, m)) => {
                let most = series.sizes.last() == Some(&n);
                let all = if most { ", the largest that was tried" } else { "" };
                format!("- `{}` answers up to n = {n}{all}, that one in {:.2} s\n", engine, m.cpu)
            }
            None => format!("- `{}` answers none\n", engine),
        };
    }
    let names = engines();
    let efforts: Vec<String> = names.iter().map(|e| format!("{} of {e}", effort(e).0)).collect();
    text += &format!("\n| n | {} | {} |\n", names.join(" | "), efforts.join(" | "));
    text += &format!("|---{}|\n", "|---".repeat(2 * names.len()));
    for (n, results) in grown {
        let time = |m: &Option<Measured>| match m {
            Some(m) if is_answered(m) => format!("{:.2} s", m.cpu),
            Some(_) => format!("over {limit} s"),
            None => "-".to_owned(),
        };
        let number = |m: &Option<Measured>, value: fn(&Measured) -> u64| {
            m.as_ref().filter(|m| is_answered(m)).map_or("-".to_owned(), |m| value(m).to_string())
        };
        let times = results.iter().map(time);
        let efforts = results.iter().zip(&names).map(|(m, engine)| number(m, effort(engine).1));
        text += &format!("| {n} | {} |\n", times.chain(efforts).collect::<Vec<_>>().join(" | "));
    }
    text + "\n"
}

/// What an engine learns: lemmas about orders, unless these are in its formula.
fn effort(engine: EngineName) -> (&'static str, fn(&Measured) -> u64) {
    if engine == CLOCKS { ("conflicts", |m| m.conflicts) } else { ("lemmas", |m| m.lemmas) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown() -> Grown {
        let measured =
            |answer, cpu| Some(Measured { answer, wall: cpu, cpu, memory: 1, lemmas: 5, conflicts: 6 });
        vec![
            (
                1,
                vec![
                    measured(MeasuredAnswer::Safe, 0.5),
                    measured(MeasuredAnswer::Stopped, 21.0),
                    measured(MeasuredAnswer::Safe, 2.0),
                ],
            ),
            (2, vec![measured(MeasuredAnswer::Safe, 3.0), None, measured(MeasuredAnswer::Stopped, 20.5)]),
        ]
    }

    #[test]
    fn a_series_as_text_and_curves() {
        let text = section(&SERIES[0], &grown(), 20.0);
        assert!(
            text.contains("- `order` answers up to n = 2, that one in 3.00 s\n- `refine` answers none\n")
        );
        assert!(text.contains("| 2 | 3.00 s | - | over 20 s | 5 | - | - |"));
        let [times, lemmas] = panels(&grown(), 20.0);
        assert_eq!(times.curves[2].points, [(1.0, 2.0), (2.0, 20.0)]);
        assert_eq!(times.curves.iter().map(|c| c.ends_open).collect::<Vec<_>>(), [false, true, true]);
        let points: Vec<usize> = lemmas.curves.iter().map(|c| c.points.len()).collect();
        assert_eq!(points, [2, 0], "only answered sizes, and not `clocks`");
    }

    #[test]
    fn a_wrong_answer_is_a_fault() {
        assert!(wrong(&SERIES[0], &grown()).is_empty());
        assert_eq!(wrong(&SERIES[1], &grown()).len(), 3);
    }
}
