//! Asks all engines about random programs and runs some of them natively; keeps a small program for each disagreement.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tp_fuzz::ask::{JudgeLimits, Subject};
use tp_fuzz::generate::{self, Weights};
use tp_fuzz::judge::{Judgement, judge, with_claim};
use tp_fuzz::native::{self, Build, Native, Stressed};
use tp_fuzz::question::Question;
use tp_fuzz::shrink;
use tp_fuzz::table::engines;
use tp_fuzz::tally::Tally;
use tp_fuzz::tree::{self, SourceNode};

#[derive(clap::Args)]
pub struct Args {
    /// The first seed: each is a program
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Programs
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Executions of a program at most
    #[arg(long, default_value_t = 1_000)]
    traces: u64,
    /// Compile and run every program whose seed is a multiple of this; 0: none
    #[arg(long, default_value_t = 10)]
    native: u64,
    /// Runs of a compiled program
    #[arg(long, default_value_t = 100)]
    runs: u32,
    /// How likely each topic is, as word=number; `all=0` first for nothing else
    #[arg(long, default_value = "", long_help = weights_help())]
    weights: Weights,
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

fn weights_help() -> String {
    let words = Weights::words().join(", ");
    format!(
        "How likely each topic is, as in `locks=3,pointers=0`; the others stay as they are, unless `all=0` comes first. \
         Topics: {words}"
    )
}

/// What all workers share.
struct Campaign<'a> {
    args: &'a Args,
    tally: Mutex<Tally>,
    begin: Instant,
    /// When the last line of progress was written.
    told: Mutex<Instant>,
    next: AtomicU64,
    /// How many programs were shrunk for each sort of disagreement.
    shrunk: Mutex<BTreeMap<String, u32>>,
}

/// For programs whose seed is a multiple of this, each question is explored separately, as users do.
const ONE_BY_ONE: u64 = 6;
/// At most this many programs are shrunk for each sort of disagreement: more would teach nothing.
const SHRUNK: u32 = 3;
/// The time between lines of progress.
const TELL_AFTER: Duration = Duration::from_secs(20);

pub fn fuzz(args: &Args) -> Result<()> {
    if args.print {
        print!("{}", tree::print(&generate::program(args.seed, &args.weights).program));
        return Ok(());
    }
    std::fs::create_dir_all(&args.findings).context("cannot make the folder of findings")?;
    let campaign = Campaign {
        args,
        tally: Mutex::default(),
        begin: Instant::now(),
        told: Mutex::new(Instant::now()),
        next: AtomicU64::new(args.seed),
        shrunk: Mutex::default(),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(|| campaign.work())).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| bail!("a worker panicked")))
    })?;
    let tally = campaign.tally();
    let seconds = campaign.begin.elapsed().as_secs_f64();
    println!(
        "{} programs in {seconds:.0} s, {:.2} a second\n",
        tally.programs,
        tally.programs as f64 / seconds
    );
    print!("{tally}");
    match tally.disagreements.len() {
        0 => Ok(()),
        n => bail!("{n} disagreements"),
    }
}

impl Campaign<'_> {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn work(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let native = match self.args.native {
            0 => None,
            _ => Some(Native::new(folder.path(), self.args.runs).map_err(anyhow::Error::msg)?),
        };
        loop {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            if seed >= self.args.seed + self.args.count {
                return Ok(());
            }
            let native = native.as_ref().filter(|_| seed.is_multiple_of(self.args.native));
            let one = One { campaign: self, seed, folder: folder.path() };
            // The backtrace is on the screen; the other programs are still worth judging.
            match catch_unwind(AssertUnwindSafe(|| one.judge(native))) {
                Ok(judged) => judged?,
                Err(_) => self.tally().disagreements.push(format!("seed {seed}: a panic")),
            }
            self.tell(seed);
        }
    }

    fn is_to_shrink(&self, sort: String) -> bool {
        let mut shrunk = self.shrunk.lock().unwrap_or_else(|e| e.into_inner());
        let times = shrunk.entry(sort).or_default();
        *times += 1;
        !self.args.no_shrink && *times <= SHRUNK
    }

    fn tell(&self, seed: u64) {
        let mut told = self.told.lock().unwrap_or_else(|e| e.into_inner());
        if told.elapsed() < TELL_AFTER {
            return;
        }
        *told = Instant::now();
        let tally = self.tally();
        let speed = tally.programs as f64 / self.begin.elapsed().as_secs_f64();
        eprintln!(
            "{} programs, {} disagreements, {speed:.1} a second; to go on later: --seed {}",
            tally.programs,
            tally.disagreements.len(),
            seed + 1
        );
    }
}

/// One program.
struct One<'a> {
    campaign: &'a Campaign<'a>,
    seed: u64,
    folder: &'a Path,
}

impl One<'_> {
    fn limits(&self) -> JudgeLimits {
        let one_by_one = self.seed.is_multiple_of(ONE_BY_ONE);
        let contexts = (self.seed / ONE_BY_ONE % 5) as u32;
        JudgeLimits { traces: self.campaign.args.traces, one_by_one, contexts, ..JudgeLimits::default() }
    }

    fn judge(&self, native: Option<&Native>) -> Result<()> {
        let made = generate::program(self.seed, &self.campaign.args.weights);
        let begin = Instant::now();
        let (program, subject) = match with_claim(made.program, self.seed, self.folder, self.limits()) {
            Ok(claimed) => claimed,
            Err(why) => {
                self.campaign.tally().not_ready(self.seed, &why);
                return Ok(());
            }
        };
        self.campaign.tally().took("compile and claim", begin.elapsed());
        let judgement = judge(&subject, &Question::ALL, &engines());
        self.campaign.tally().judged(self.seed, &made.topics, &judgement);
        self.campaign.tally().executions += subject.executions.load(Ordering::Relaxed);
        self.answers(&program, &judgement)?;
        match native {
            Some(native) if !made.is_ours_only => {
                self.stress(native, &native::with_state(&program, &made.state))
            }
            _ => Ok(()),
        }
    }

    /// Counts every wrong answer; saves a program for each sort of them.
    fn answers(&self, program: &[SourceNode], judgement: &Judgement) -> Result<()> {
        let wrong = judgement.wrong();
        for (i, w) in wrong.iter().enumerate() {
            let question = w.answer.question;
            let said = format!("{} says {} to {}", w.answer.engine, w.answer.said, question.word());
            let by = w.shown_by.map_or(String::new(), |e| format!("; {e} has an execution"));
            self.campaign.tally().disagreements.push(format!("seed {}: {said}{by}", self.seed));
            let is_like = |o: &tp_fuzz::judge::Wrong| {
                o.answer.question == question && o.answer.said.is_like(&w.answer.said)
            };
            if wrong[..i].iter().any(is_like) {
                continue;
            }
            let sort = format!("{} {} {}", question.word(), w.answer.engine, w.answer.said.sort());
            let small = match self.campaign.is_to_shrink(sort) {
                false => program.to_vec(),
                true => shrink::answer(program.to_vec(), w, &engines(), self.folder, self.limits()),
            };
            self.save(&format!("fuzz-{}-{}", self.seed, question.word()), &self.everybody(&small), &small)?;
        }
        Ok(())
    }

    fn stress(&self, native: &Native, program: &[SourceNode]) -> Result<()> {
        let begin = Instant::now();
        let build = Build::of(self.seed / self.campaign.args.native);
        let states = native::explored;
        let stressed = native
            .stress(program, self.folder, build, self.limits(), states)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("seed {}", self.seed))?;
        self.campaign.tally().stressed(&stressed);
        if stressed == Stressed::Slow {
            self.campaign.tally().slow_stage(self.seed, "native");
        }
        self.campaign.tally().took("native", begin.elapsed());
        if let Stressed::Impossible(sort, _) = stressed {
            self.campaign
                .tally()
                .disagreements
                .push(format!("seed {}: native ({build:?}): {stressed}", self.seed));
            let small = match self.campaign.is_to_shrink(format!("native {sort:?}")) {
                false => program.to_vec(),
                true => shrink::native(
                    program.to_vec(),
                    sort,
                    native,
                    (build, self.limits(), states),
                    self.folder,
                ),
            };
            let now = native.stress(&small, self.folder, build, self.limits(), states);
            let what = now.map_or_else(|e| e, |s| format!("native ({build:?}): {s}"));
            self.save(&format!("fuzz-{}-native", self.seed), &[what], &small)?;
        }
        Ok(())
    }

    /// What every engine says about a program.
    fn everybody(&self, program: &[SourceNode]) -> Vec<String> {
        let compiled = match tp_fuzz::judge::compile(program, self.folder) {
            Ok(compiled) => compiled,
            Err(error) => return vec![error],
        };
        let subject = Subject::new(compiled, self.limits());
        let answers = judge(&subject, &Question::ALL, &engines()).answers;
        answers.iter().map(|a| format!("{}: {}: {}", a.question.word(), a.engine, a.said)).collect()
    }

    fn save(&self, name: &str, said: &[String], program: &[SourceNode]) -> Result<()> {
        let findings = &self.campaign.args.findings;
        let path = findings.join(format!("{name}.c"));
        let text = format!("/* {} */\n{}", said.join("\n   "), tree::print(program));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        let list = findings.join("README");
        let mut list = std::fs::OpenOptions::new().create(true).append(true).open(list)?;
        writeln!(list, "{name}.c: {}", said.join("; "))?;
        eprintln!("{name}: {}", said.join("; "));
        Ok(())
    }
}
