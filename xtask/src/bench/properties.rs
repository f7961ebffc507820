//! `bench properties`: the cost of checking all properties instead of failed assertions alone.

use super::measure::{Measured, MeasuredAnswer, ORDER, measure};
use super::programs::{self, Program};
use super::{binary, publish};
use crate::root;
use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    /// Seconds of processor time for each program
    #[arg(long, default_value_t = 20.0)]
    timeout: f64,
    /// Only programs whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Put the summary into bench/README.md as well
    #[arg(long)]
    write: bool,
}

/// A program that is proved both for assertions and for everything, and the processor time of each proof.
struct Pair {
    program: String,
    assertions: f64,
    everything: f64,
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.everything / self.assertions
    }
}

/// A violation ends the search early, so only programs without violations count.
pub fn properties(args: &Args) -> Result<()> {
    let folder = root().join("tests/corpus");
    let programs = programs::of_corpus(&folder, &folder.join("tasks.tsv"))?;
    let programs: Vec<Program> =
        programs.into_iter().filter(|p| p.expected == Some(true) && p.name.contains(&args.only)).collect();
    let binary = binary()?;
    let (mut pairs, mut others) = (Vec::new(), 0);
    for (i, program) in programs.iter().enumerate() {
        let everything = Program {
            name: program.name.clone(),
            file: program.file.clone(),
            folder: program.folder.clone(),
            arguments: programs::for_all_properties(&program.arguments),
            expected: None,
        };
        let time = |program: &Program| -> Result<Option<f64>> {
            let Measured { answer, cpu, .. } = measure(&binary, program, ORDER, args.timeout)?;
            Ok((answer == MeasuredAnswer::Safe).then_some(cpu))
        };
        match (time(program)?, time(&everything)?) {
            (Some(assertions), Some(everything)) => {
                eprintln!(
                    "{}/{} {}: {assertions:.2}, {everything:.2} s",
                    i + 1,
                    programs.len(),
                    program.name
                );
                pairs.push(Pair { program: program.name.clone(), assertions, everything });
            }
            _ => others += 1,
        }
    }
    let text = markdown(pairs, others);
    println!("{text}");
    if args.write { publish("properties", &text) } else { Ok(()) }
}

fn markdown(mut pairs: Vec<Pair>, others: usize) -> String {
    pairs.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let Some(worst) = pairs.last() else { return "No program is proved both ways.".to_owned() };
    let at = |part: f64| pairs[((pairs.len() - 1) as f64 * part) as usize].ratio();
    let total = |of: fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>();
    let (assertions, everything) = (total(|p| p.assertions), total(|p| p.everything));
    let count = pairs.len();
    let within = pairs.iter().filter(|p| p.ratio() <= 3.0).count();
    format!(
        "{count} programs of tests/corpus are proved both ways; {others} are not, most of them because something \
         else than an assertion is wrong.\n\n\
         | everything / assertions | processor |\n|---|---|\n\
         | median (aimed for: at most 3) | {:.2} |\n| 90 % within | {:.2} |\n\
         | most | {:.1} ({}) |\n| at most 3 | {within} of {count} |\n\
         | total | {everything:.1} s / {assertions:.1} s |\n",
        at(0.5),
        at(0.9),
        worst.ratio(),
        worst.program,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_the_worst() {
        let pair = |everything: f64| Pair { program: format!("p{everything}"), assertions: 2.0, everything };
        let text = markdown(vec![pair(8.0), pair(2.0), pair(3.0)], 4);
        assert!(text.starts_with("3 programs") && text.contains("; 4 are not"), "{text}");
        assert!(text.contains("3) | 1.50 |") && text.contains("| 4.0 (p8) |"), "{text}");
        assert!(text.contains("| 2 of 3 |") && text.contains("| 13.0 s / 6.0 s |"), "{text}");
    }
}
