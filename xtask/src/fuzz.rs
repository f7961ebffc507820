//! Compares `check` with running in every way, on random programs; keeps a small program for each disagreement.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tp_fuzz::judge::{Judgement, Limits, METHODS, Said, judge, with_claim};
use tp_fuzz::oracle::Truth;
use tp_fuzz::tree::{self, Node};
use tp_fuzz::{generate, shrink};

#[derive(clap::Args)]
pub struct Args {
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Programs
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Executions of a program at most
    #[arg(long, default_value_t = 20_000)]
    traces: u64,
    /// Where the programs go about which there is disagreement
    #[arg(long, default_value = "target/findings")]
    findings: PathBuf,
    /// Only print the program of the first seed
    #[arg(long)]
    print: bool,
    /// Keep the programs as they are
    #[arg(long)]
    no_shrink: bool,
}

#[derive(Default)]
struct Tally {
    programs: u64,
    fails: u64,
    holds: u64,
    traces: u64,
    disagreements: Vec<String>,
    /// What was skipped, or not decided, and how often.
    reasons: BTreeMap<String, u64>,
}

pub fn fuzz(args: &Args) -> Result<()> {
    if args.print {
        print!("{}", tree::print(&generate::program(args.seed)));
        return Ok(());
    }
    std::fs::create_dir_all(&args.findings).context("cannot make the folder of findings")?;
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(args.seed);
    let worker = |job: usize| -> Result<()> {
        let folder = std::env::temp_dir().join(format!("threadproof-fuzz-{}-{job}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= args.seed + args.count {
                // Best effort: it is a temporary folder.
                let _ = std::fs::remove_dir_all(&folder);
                return Ok(());
            }
            one(args, seed, &folder, &tally)?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|job| scope.spawn(move || worker(job))).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| bail!("a worker panicked")))
    })?;
    report(&tally.into_inner().unwrap_or_else(|e| e.into_inner()))
}

fn one(args: &Args, seed: u64, folder: &Path, tally: &Mutex<Tally>) -> Result<()> {
    let program = generate::program(seed);
    let limits = Limits { traces: args.traces, ..Limits::default() };
    let claimed = with_claim(program.clone(), seed, folder, limits);
    let judged = claimed.as_ref().map_err(Clone::clone).and_then(|p| judge(p, folder, &METHODS, limits));
    let program = claimed.unwrap_or(program);
    let wrong = judged.as_ref().map(Judgement::wrong).unwrap_or_default();
    let mut found = Vec::new();
    for (i, wrong) in wrong.iter().enumerate() {
        if wrong_in_the_same_way(&wrong.1, found.iter()) {
            continue;
        }
        let small = match args.no_shrink {
            true => program.clone(),
            false => shrink::shrink(program.clone(), wrong, folder, limits),
        };
        let name = if i == 0 { format!("fuzz-{seed}") } else { format!("fuzz-{seed}-{i}") };
        save(args, &name, &small, folder, limits)?;
        found.push(wrong.1.clone());
    }
    let mut tally = tally.lock().unwrap_or_else(|e| e.into_inner());
    tally.add(seed, &judged);
    if tally.programs.is_multiple_of(100) {
        eprintln!("{} done, {} disagreements", tally.programs, tally.disagreements.len());
    }
    Ok(())
}

fn wrong_in_the_same_way<'a>(said: &Said, mut found: impl Iterator<Item = &'a Said>) -> bool {
    found.any(|f| f.is_like(said))
}

/// The program, with what everybody says about it.
fn save(args: &Args, name: &str, program: &[Node], folder: &Path, limits: Limits) -> Result<()> {
    let judged = judge(program, folder, &METHODS, limits).map_err(anyhow::Error::msg)?;
    let answers = answers(&judged);
    let text = format!("/* {} */\n{}", answers.join("\n   "), tree::print(program));
    let path = args.findings.join(format!("{name}.c"));
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    use std::io::Write;
    let list = args.findings.join("README");
    let mut list = std::fs::OpenOptions::new().create(true).append(true).open(list)?;
    writeln!(list, "{name}.c: {}", answers.join("; "))?;
    eprintln!("{name}: {}", answers.join("; "));
    Ok(())
}

fn answers(judged: &Judgement) -> Vec<String> {
    let truth = match &judged.truth {
        Truth::Fails(how) => format!("oracle: fails ({how})"),
        Truth::Holds => format!("oracle: holds ({} traces)", judged.traces),
        Truth::Unknown(why) => format!("oracle: {why}"),
    };
    let said = judged.said.iter().map(|(method, said)| format!("{method:?}: {said}"));
    std::iter::once(truth).chain(said).collect()
}

impl Tally {
    fn add(&mut self, seed: u64, judged: &Result<Judgement, String>) {
        self.programs += 1;
        let judged = match judged {
            Ok(judged) => judged,
            Err(error) => {
                let first = error.lines().nth(1).unwrap_or("");
                return self.count(format!("skipped: not compiled: {first} (seed {seed})"));
            }
        };
        self.traces += judged.traces;
        match &judged.truth {
            Truth::Fails(_) => self.fails += 1,
            Truth::Holds => self.holds += 1,
            Truth::Unknown(why) => self.count(format!("skipped: {why}")),
        }
        for (method, said) in &judged.said {
            if let Said::Undecided(why) = said {
                let why = why.split(" (line").next().unwrap_or(why);
                self.count(format!("undecided: {method:?}: {why}"));
            }
        }
        for (method, said) in judged.wrong() {
            let truth = if judged.truth == Truth::Holds { "holds" } else { "fails" };
            self.disagreements.push(format!("seed {seed}: {method:?} says {said}; oracle: {truth}"));
        }
    }

    fn count(&mut self, reason: String) {
        *self.reasons.entry(reason).or_default() += 1;
    }
}

fn report(tally: &Tally) -> Result<()> {
    println!(
        "{} programs, {} fail, {} hold; {} executions",
        tally.programs, tally.fails, tally.holds, tally.traces
    );
    for (reason, count) in &tally.reasons {
        println!("{count:>6}  {reason}");
    }
    for disagreement in &tally.disagreements {
        println!("{disagreement}");
    }
    match tally.disagreements.len() {
        0 => Ok(()),
        n => bail!("{n} disagreements"),
    }
}
