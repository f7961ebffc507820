//! `threadproof check`: proves that nothing fails, or shows how it does.

use crate::args::{CheckArgs, EngineArg};
use crate::campaign::Limits;
use crate::execution::{self, Execution};
use crate::exit::{Exit, Failure};
use crate::load::{self, path_text};
use crate::output::{self, Out};
use crate::search::{Found, Search};
use crate::stop::{self, Stop};
use crate::{certify, explore, ledger, memory, property, record, statistics};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tp_engines::{Outcome, Reason, Statistics};
use tp_explore::Exploration;
use tp_ir::{Checks, Program, Property};
use tp_machine::{End, Run, Trace};
use tp_report::{Diagnostic, Ledger, Verdict, Witness};

/// What the failing run may use when it is replayed: as much as the engine allows it.
const MAX_STEPS: u64 = 100_000_000;
const MAX_MEMORY: u64 = 1 << 30;

/// What the smallest program takes, and a little more.
pub const LEAST_MEMORY: u64 = 100 << 20;

/// Inputs that are listed under a failure; all of them are in the witness.
const INPUTS_SHOWN: usize = 10;

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let stop = Stop::new(Some(args.timeout)).with_memory(max_resident(args)?);
    let checks = property::decided(args.engine, &args.property)?;
    let loaded = load::load_unless_interrupted(&args.source.frontend_options(), &stop)?;
    let (program, assumed_pure) = (Arc::new(loaded.program), &loaded.assumed_pure);
    let search = Search::new(args, checks, program.clone());
    if args.certify.is_some() && search.method.is_none() {
        let message = "--certify: what was explored leaves no proof; another engine does";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.certify.is_some() && checks.has(Property::Race) {
        let message = "--certify: that nothing races leaves no proof yet; choose other properties";
        return Err(Failure::Usage(message.to_owned()));
    }
    let question = Question { args, checks, program: &program, assumed_pure, begin };
    let (found, stopped) = search.run(&stop);
    let answer = question.answer(found, stopped)?;
    answer.print(&question);
    Ok(Exit::of(&answer.verdict))
}

fn max_resident(args: &CheckArgs) -> Result<Option<u64>, Failure> {
    match args.memory {
        Some(size) if size.0 < LEAST_MEMORY => {
            let least = LEAST_MEMORY >> 20;
            let message =
                format!("--memory: less than {least}M is not enough; it is bytes, or with K, M or G");
            Err(Failure::Usage(message))
        }
        Some(size) => Ok(Some(size.0)),
        None => Ok(memory::available().map(|free| free / 4 * 3)),
    }
}

/// What is asked, and since when.
struct Question<'a> {
    args: &'a CheckArgs,
    checks: Checks,
    program: &'a Program,
    assumed_pure: &'a [Box<str>],
    begin: Instant,
}

struct Answer {
    verdict: Verdict,
    diagnostic: Option<Diagnostic>,
    ledger: Ledger,
    statistics: Numbers,
    failing: Option<Failing>,
}

/// What the engine has counted.
enum Numbers {
    Solved(Statistics),
    Explored(Exploration, Duration),
}

impl Numbers {
    fn lines(&self) -> Vec<String> {
        match self {
            Numbers::Solved(statistics) => statistics::lines(statistics),
            Numbers::Explored(explored, _) => explore::lines(explored),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Numbers::Solved(statistics) => statistics::json(statistics),
            Numbers::Explored(explored, _) => explore::json(explored),
        }
    }
}

/// A failure, executed.
struct Failing {
    execution: Execution,
    witness: Witness,
    /// Where the witness was written.
    path: Option<String>,
}

impl Question<'_> {
    fn answer(&self, found: Found, stopped: Option<stop::Reason>) -> Result<Answer, Failure> {
        match found {
            Found::Solved(outcome, at) => self.solved(*outcome, stopped, at),
            Found::Explored(explored, took) => self.explored(explored, took, stopped),
        }
    }

    /// A defect of ours is not an answer.
    fn solved(&self, outcome: Outcome, stopped: Option<stop::Reason>, at: u32) -> Result<Answer, Failure> {
        let mut ledger = ledger::of(self.args, self.checks, self.program, &outcome, stopped, at);
        ledger.assumed_pure = self.assumed_pure.to_vec();
        let mut answer = Answer {
            ledger,
            verdict: Verdict::Safe,
            diagnostic: None,
            statistics: Numbers::Solved(outcome.statistics),
            failing: None,
        };
        match outcome.verdict {
            tp_engines::Verdict::Violated { run, trace } => self.show(&run, &trace, &mut answer)?,
            tp_engines::Verdict::Safe => {}
            tp_engines::Verdict::WithinBounds { bound, .. } => answer.verdict = Verdict::WithinBounds(bound),
            tp_engines::Verdict::Unknown(reason) => {
                answer.diagnostic = self.in_the_way(&reason);
                answer.verdict = Verdict::Unknown(why_unknown(reason, stopped)?);
            }
        }
        if let Some(path) = &self.args.certify {
            let about = self.about(&answer.ledger);
            answer.ledger.certificate =
                certify::leave(path, outcome.certificate, about, &answer.verdict, stopped)?;
        }
        Ok(answer)
    }

    fn explored(
        &self,
        explored: Exploration,
        took: Duration,
        stopped: Option<stop::Reason>,
    ) -> Result<Answer, Failure> {
        let mut ledger = ledger::of_exploration(self.args, self.checks, self.program);
        ledger.assumed_pure = self.assumed_pure.to_vec();
        let verdict = explore::verdict(&explored, stopped);
        let outcome = explored.outcome.clone();
        let statistics = Numbers::Explored(explored, took);
        let mut answer = Answer { ledger, verdict, diagnostic: None, statistics, failing: None };
        if let tp_explore::Outcome::Violation(trace, _) = outcome {
            let run = explore::failing(self.program, self.checks, &trace)?;
            self.show(&run, &trace, &mut answer)?;
        }
        Ok(answer)
    }

    /// For people who look at a certificate.
    fn about(&self, ledger: &Ledger) -> Vec<(String, String)> {
        let options = self.args.source.frontend_options();
        let mut about = vec![("tool".to_owned(), record::TOOL.to_owned())];
        about.extend(options.inputs.iter().map(|path| ("program".to_owned(), path_text(path))));
        about.push(("program-hash".to_owned(), record::program_hash(self.program)));
        about.extend(ledger.lines().into_iter().map(|line| ("ledger".to_owned(), line)));
        about
    }

    /// Runs the failure once more, to see what happens in it, and writes it down.
    fn show(&self, run: &Run, trace: &Trace, answer: &mut Answer) -> Result<(), Failure> {
        let limits = Limits { checks: self.checks, max_steps: MAX_STEPS, max_memory: MAX_MEMORY };
        let execution = Execution::of(self.program, limits, trace, true);
        let execution = execution.confirm(self.program, &run.end, "the failing run")?;
        let End::Violation(finding) = &execution.run.end else {
            return Err(Failure::Internal(format!("a violation that is none: {:?}", execution.run.end)));
        };
        let options = self.args.source.frontend_options();
        let witness = record::witness(&options, self.program, limits, trace, &execution.run.end);
        let path = self.args.witness.clone().unwrap_or_else(|| record::default_path(&options));
        let path = record::write(&path, &witness).then(|| path_text(&path));
        let mut diagnostic = Diagnostic::of_finding(self.program, finding);
        diagnostic.hints.extend(inputs(&witness));
        diagnostic.hints.extend(path.as_ref().map(|path| record::how_to_replay(trace, path)));
        answer.verdict = Verdict::Violated(finding.property);
        answer.diagnostic = Some(diagnostic);
        answer.failing = Some(Failing { execution, witness, path });
        Ok(())
    }

    /// What the program does that the proof cannot follow.
    fn in_the_way(&self, reason: &Reason) -> Option<Diagnostic> {
        match reason {
            Reason::Gap { what, place } => Some(Diagnostic::undecided(self.program, what, *place)),
            Reason::Unmodelled { function, place } => {
                Some(Diagnostic::unmodelled(self.program, function, *place))
            }
            Reason::Undefined { message, place } => {
                Some(Diagnostic::undefined(self.program, message, *place))
            }
            _ => None,
        }
    }
}

fn why_unknown(reason: Reason, stopped: Option<stop::Reason>) -> Result<String, Failure> {
    Ok(match reason {
        Reason::Stopped => stopped.unwrap_or(stop::Reason::Interrupted).words().to_owned(),
        Reason::TooLarge => "too large".to_owned(),
        Reason::Gap { what, .. } => format!("not supported: {what}"),
        Reason::Unmodelled { function, .. } => format!("no model for `{function}`"),
        Reason::Undefined { message, .. } => format!("cannot go on: {message}"),
        Reason::NotReplayed { expected, happened } => {
            return Err(Failure::Internal(format!(
                "a counterexample does not replay: expected {expected}; when it was executed: {happened}"
            )));
        }
        Reason::Fault(fault) => return Err(Failure::Internal(fault)),
    })
}

/// `inputs: amount = 41, rate = 3`; nothing when there are none.
fn inputs(witness: &Witness) -> Option<String> {
    let all = &witness.inputs;
    let shown = all.iter().take(INPUTS_SHOWN).map(|i| format!("{} = {}", i.name, i.value));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match all.len().checked_sub(INPUTS_SHOWN) {
        _ if all.is_empty() => None,
        None | Some(0) => Some(format!("inputs: {shown}")),
        Some(more) => Some(format!("inputs: {shown} and {more} more")),
    }
}

impl Answer {
    fn print(&self, question: &Question<'_>) {
        if question.args.json {
            self.print_json(question);
        } else {
            self.print_text(question);
        }
    }

    fn print_text(&self, question: &Question<'_>) {
        let mut out = Out::stdout();
        if let Some(failing) = &self.failing {
            let path = failing.path.as_deref().unwrap_or("FILE");
            let more = format!("threadproof replay --steps {path} shows them");
            execution::print_lanes(&mut out, &failing.execution.rows(question.program), Some(&more));
            failing.execution.written.print(&mut out, "");
        }
        if let Some(diagnostic) = &self.diagnostic {
            out.line(&tp_report::render(diagnostic, output::style(), &load::source));
            out.line("");
        }
        if self.failing.is_none() {
            self.ledger.lines().iter().for_each(|line| out.line(line));
        }
        if question.args.stats {
            if question.args.engine == EngineArg::Auto {
                out.line(&format!("engine: {}", self.engine(question.args)));
            }
            self.statistics.lines().iter().for_each(|line| out.line(line));
            let megabytes = memory::peak().unwrap_or(0) >> 20;
            let seconds = question.begin.elapsed().as_secs_f64();
            eprintln!("time: {seconds:.2} s, {megabytes} MB{}", self.rate());
        }
        out.line(&self.verdict.to_string());
    }

    /// How many traces were explored in a second; the way to the program does not count.
    fn rate(&self) -> String {
        match &self.statistics {
            Numbers::Explored(explored, took) => {
                format!(", {:.0} traces/s", explored.traces as f64 / took.as_secs_f64())
            }
            Numbers::Solved(_) => String::new(),
        }
    }

    /// The engine that answers.
    fn engine(&self, args: &CheckArgs) -> String {
        let engine = match (args.engine, &self.statistics) {
            (EngineArg::Auto, Numbers::Solved(_)) => EngineArg::Order,
            (EngineArg::Auto, Numbers::Explored(..)) => EngineArg::Explore,
            (engine, _) => engine,
        };
        engine.name()
    }

    fn print_json(&self, question: &Question<'_>) {
        let failing = self.failing.as_ref();
        Out::stdout().document(&json!({
            "tool": record::TOOL,
            "command": "check",
            "engine": self.engine(question.args),
            "verdict": self.verdict.word(),
            "reason": self.verdict.reason(),
            "diagnostic": self.diagnostic,
            "ledger": self.ledger,
            "statistics": self.statistics.json(),
            "resources": {
                "seconds": question.begin.elapsed().as_secs_f64(),
                "peak_memory": memory::peak(),
            },
            "steps": failing.map(|f| f.execution.rows(question.program)),
            "stdout": failing.map(|f| f.execution.written.stdout()),
            "stderr": failing.map(|f| f.execution.written.stderr()),
            "trace": failing.map(|f| &f.path),
            "witness": failing.map(|f| f.witness.to_json()),
        }));
    }
}
