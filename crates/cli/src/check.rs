//! `threadproof check`: proves that nothing fails, or shows how it does.

use crate::args::{CheckArgs, EngineArg};
use crate::assumption::Assumptions;
use crate::exit::{Exit, Failure};
use crate::failing::{Before, Failing};
use crate::load::{self, path_text};
use crate::output::{self, Out};
use crate::search::{Found, Search, Searched};
use crate::statistics::Numbers;
use crate::stop::{self, Stop};
use crate::{certify, explore, ledger, memory, property, record, verdict};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tp_engines::{Outcome, Reason};
use tp_explore::Exploration;
use tp_ir::{Checks, Program, Property};
use tp_machine::{End, Identity};
use tp_report::{Diagnostic, Ledger, Verdict};

/// What the smallest program takes, and a little more.
pub const LEAST_MEMORY: u64 = 100 << 20;

/// Findings that rest on an assumption, beside which one is looked for that does not.
const MOST_POSSIBLE: usize = 4;

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let stop = Stop::new(Some(args.timeout)).with_memory(max_resident(args)?);
    let checks = property::decided(args.engine, &args.property)?;
    let loaded = load::load_unless_interrupted(&args.source.frontend_options(), &stop)?;
    let assumptions = Assumptions::of(&loaded);
    let program = Arc::new(loaded.program);
    let search = Search::new(args, checks, program.clone(), Vec::new());
    if args.certify.is_some() && search.method.is_none() {
        let message = "--certify: what was explored leaves no proof; another engine does";
        return Err(Failure::Usage(message.to_owned()));
    }
    let question = Question { args, checks, program: &program, assumptions: &assumptions, begin };
    let mut answer = question.answer(search.run(&stop), &[])?;
    if args.all && !answer.failing.is_empty() {
        answer = question.all(answer, &stop, &program);
    } else if matches!(answer.verdict, Verdict::Possible(_)) {
        answer = question.certain(answer, &stop, &program);
    }
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
    assumptions: &'a Assumptions,
    begin: Instant,
}

struct Answer {
    verdict: Verdict,
    diagnostic: Option<Diagnostic>,
    ledger: Ledger,
    statistics: Numbers,
    /// Of the engine that does not answer, when time was up.
    beside: Option<Numbers>,
    /// In the order in which they were found.
    failing: Vec<Failing>,
    /// If all were looked for: what is known of the program apart from these.
    rest: Option<Verdict>,
}

impl Question<'_> {
    fn answer(&self, searched: Searched, known: &[Identity]) -> Result<Answer, Failure> {
        let Searched { found, stopped, beside } = searched;
        let mut answer = match found {
            Found::Solved(outcome, at) => self.solved(*outcome, stopped, at, known),
            Found::Explored(explored, took) => self.explored(explored, took, stopped, known),
        }?;
        if let Some(beside) = beside {
            answer.knows_as_well(self.checks, beside, known);
        }
        Ok(answer)
    }

    /// Looks for one finding after the other, each past those that are known, until there is no further one.
    fn all(&self, mut so_far: Answer, stop: &Stop, program: &Arc<Program>) -> Answer {
        loop {
            let known: Vec<Identity> = so_far.failing.iter().map(|f| f.identity.clone()).collect();
            let search = Search::new(self.args, self.checks, program.clone(), known.clone());
            match self.answer(search.run(stop), &known) {
                Ok(mut next) if !next.failing.is_empty() => so_far.failing.append(&mut next.failing),
                Ok(next) => {
                    let rest = next.verdict.clone();
                    return Answer { failing: so_far.failing, ..next }.apart_from_all(rest);
                }
                // It must not hide what was found.
                Err(error) => return so_far.apart_from_all(Verdict::Unknown(error.to_string())),
            }
        }
    }

    /// What rests on an assumption must not hide what does not: other findings are looked for, past those that do.
    fn certain(&self, mut possible: Answer, stop: &Stop, program: &Arc<Program>) -> Answer {
        let mut known: Vec<Identity> = possible.failing.iter().map(|f| f.identity.clone()).collect();
        while known.len() < MOST_POSSIBLE {
            let search = Search::new(self.args, self.checks, program.clone(), known.clone());
            match self.answer(search.run(stop), &known) {
                Ok(next) if matches!(next.verdict, Verdict::Violated(_)) => return next,
                Ok(next) if !next.failing.is_empty() => {
                    known.extend(next.failing.iter().map(|f| f.identity.clone()));
                    possible = next;
                }
                _ => break,
            }
        }
        possible
    }

    /// A defect of ours is not an answer.
    fn solved(
        &self,
        outcome: Outcome,
        stopped: Option<stop::Reason>,
        at: u32,
        known: &[Identity],
    ) -> Result<Answer, Failure> {
        let mut ledger = ledger::of(self.args, self.checks, self.program, &outcome, stopped, at);
        ledger.assumed_pure = self.assumptions.pure.clone();
        ledger.optimised = self.assumptions.optimised.clone();
        let mut answer = Answer {
            ledger,
            verdict: Verdict::Safe,
            diagnostic: None,
            statistics: Numbers::Solved(outcome.statistics),
            beside: None,
            failing: Vec::new(),
            rest: None,
        };
        match outcome.verdict {
            tp_engines::Verdict::Violated { run, trace } => {
                answer.fails(Failing::of(&self.before(known), &run.end, &trace)?);
            }
            tp_engines::Verdict::Safe => {}
            tp_engines::Verdict::WithinBounds { bound, .. } => answer.verdict = Verdict::WithinBounds(bound),
            tp_engines::Verdict::Unknown(reason) => {
                answer.diagnostic = self.in_the_way(&reason);
                answer.verdict = Verdict::Unknown(why_unknown(self.program, reason, stopped)?);
            }
        }
        if let Some(path) = self.args.certify.as_ref().filter(|_| known.is_empty()) {
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
        known: &[Identity],
    ) -> Result<Answer, Failure> {
        let mut ledger = ledger::of_exploration(self.args, self.checks, self.program);
        ledger.assumed_pure = self.assumptions.pure.clone();
        ledger.optimised = self.assumptions.optimised.clone();
        ledger.no_threads = explored.outcome == tp_explore::Outcome::Holds
            && explored.threads <= 1
            && self.program.starts_threads();
        let is_open = matches!(explored.outcome, tp_explore::Outcome::Unknown(_)) && stopped.is_some();
        ledger.explored = Some(explored.traces).filter(|n| is_open && *n > 0 && known.is_empty());
        let verdict = explore::verdict(&explored, stopped);
        let outcome = explored.outcome.clone();
        let is_unknown = matches!(outcome, tp_explore::Outcome::Unknown(_));
        let undefined = explored.undefined.clone().filter(|_| is_unknown).map(End::Undefined);
        let diagnostic = undefined.and_then(|end| Diagnostic::of_end(self.program, &end));
        let statistics = Numbers::Explored(explored, took);
        let failing = Vec::new();
        let mut answer =
            Answer { ledger, verdict, diagnostic, statistics, beside: None, failing, rest: None };
        if let tp_explore::Outcome::Violation(trace, _) = outcome {
            answer.fails(Failing::of_exploration(&self.before(known), &trace)?);
        }
        Ok(answer)
    }

    fn before<'k>(&'k self, known: &'k [Identity]) -> Before<'k> {
        let options = self.args.source.frontend_options();
        let path = self.args.witness.clone().unwrap_or_else(|| record::default_path(&options));
        let number = if self.args.all { known.len() + 1 } else { 1 };
        let &Question { program, checks, assumptions, .. } = self;
        Before { program, checks, options, path, known, number, assumptions }
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

fn why_unknown(program: &Program, reason: Reason, stopped: Option<stop::Reason>) -> Result<String, Failure> {
    Ok(match reason {
        Reason::Stopped => stopped.unwrap_or(stop::Reason::Interrupted).words().to_owned(),
        Reason::TooLarge => "too large".to_owned(),
        Reason::Gap { what, .. } => format!("not supported: {what}"),
        Reason::Unmodelled { function, .. } => format!("no model for `{function}`"),
        Reason::NothingReached { place } => {
            let place =
                program.line_text(place).map_or(String::new(), |place| format!(": the loop at {place}"));
            format!("nothing was reached{place}")
        }
        Reason::Undefined { place, .. } => {
            let place = program.line_text(place).map_or(String::new(), |place| format!(": {place}"));
            format!("undefined behaviour comes first{place}")
        }
        Reason::NotReplayed { expected, happened } => {
            return Err(Failure::Internal(format!(
                "a counterexample does not replay: expected {expected}; when it was executed: {happened}"
            )));
        }
        Reason::Fault(fault) => return Err(Failure::Internal(fault)),
    })
}

impl Answer {
    fn fails(&mut self, failing: Failing) {
        self.failing.push(failing);
        self.verdict = self.failure();
    }

    /// What the engine had come to that does not answer.
    fn knows_as_well(&mut self, checks: Checks, beside: Found, known: &[Identity]) {
        self.beside = Some(match beside {
            Found::Solved(outcome, _) => {
                self.ledger.already.extend(ledger::known_parts(checks, &outcome));
                Numbers::Solved(outcome.statistics)
            }
            Found::Explored(explored, _) if explored.traces == 0 => return,
            Found::Explored(explored, took) => {
                self.ledger.explored = known.is_empty().then_some(explored.traces);
                Numbers::Explored(explored, took)
            }
        });
    }

    /// The verdict on what fails; what rests on assumptions is not named beside what does not.
    fn failure(&self) -> Verdict {
        let properties = |is_assumed: bool| {
            let chosen = self.failing.iter().filter(|f| f.is_assumed == is_assumed);
            let properties: BTreeSet<Property> = chosen.map(|f| f.property).collect();
            properties.into_iter().collect::<Vec<_>>()
        };
        match &properties(false)[..] {
            [] => Verdict::Possible(properties(true)),
            certain => Verdict::Violated(certain.to_vec()),
        }
    }

    /// All that fails has been found; this is known of the rest.
    fn apart_from_all(mut self, rest: Verdict) -> Answer {
        self.verdict = self.failure();
        self.rest = Some(rest);
        self
    }

    fn print(&self, question: &Question<'_>) {
        if question.args.json {
            self.print_json(question);
        } else {
            self.print_text(question);
        }
    }

    fn print_text(&self, question: &Question<'_>) {
        let mut out = Out::stdout();
        self.failing.iter().for_each(|failing| failing.print(question.program, &mut out));
        if let Some(diagnostic) = &self.diagnostic {
            out.line(&tp_report::render(diagnostic, output::style(), &load::source));
            out.line("");
        }
        if let Some(rest) = &self.rest {
            let findings = verdict::count(self.failing.len() as u64, "finding");
            let from = ["that"].into_iter().chain(self.left_open()).collect::<Vec<_>>().join(" and ");
            out.line(&format!("{findings}; apart from {from}: {}", rest.words()));
        }
        if self.failing.is_empty() || self.rest.is_some() {
            self.ledger.lines().iter().for_each(|line| out.line(line));
        }
        if question.args.stats {
            if question.args.engine == EngineArg::Auto {
                out.line(&format!("engine: {}", self.engine(question.args)));
            }
            let numbers = [&self.statistics].into_iter().chain(&self.beside);
            numbers.flat_map(Numbers::lines).for_each(|line| out.line(&line));
            let megabytes = memory::peak().unwrap_or(0) >> 20;
            let seconds = question.begin.elapsed().as_secs_f64();
            eprintln!("time: {seconds:.2} s, {megabytes} MB{}", self.rate());
        }
        out.line(&self.verdict.to_string());
    }

    /// What the findings may hide.
    fn left_open(&self) -> Vec<&'static str> {
        let any = |wanted: fn(Property) -> bool| self.failing.iter().any(|f| wanted(f.property));
        let hidden = [
            // A race may be followed by others that are there only because of it.
            (any(|p| p == Property::Race), "what follows from races"),
            // Who is left in a loop keeps others there.
            (any(|p| p == Property::Stuck), "other loops that wait for ever"),
            (any(|p| !matches!(p, Property::Race | Property::Stuck)), "what would come after"),
        ];
        hidden.into_iter().filter(|h| h.0).map(|h| h.1).collect()
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
        let findings: Vec<_> = self.failing.iter().map(|f| f.json(question.program)).collect();
        let mut document = json!({
            "tool": record::TOOL,
            "command": "check",
            "engine": self.engine(question.args),
            "verdict": self.verdict.word(),
            "reason": self.verdict.reason(),
            "diagnostic": self.diagnostic,
            "ledger": self.ledger,
            "statistics": self.statistics.json(),
            "statistics_beside": self.beside.as_ref().map(Numbers::json),
            "resources": {
                "seconds": question.begin.elapsed().as_secs_f64(),
                "peak_memory": memory::peak(),
            },
        });
        // What is said of the first one is beside the verdict; whoever asks for all finds them in a list.
        let none = json!({ "steps": null, "stdout": null, "stderr": null, "trace": null, "witness": null });
        let first = findings.first().unwrap_or(&none).as_object();
        if let (Some(document), Some(first)) = (document.as_object_mut(), first) {
            document.extend(first.clone());
        }
        if question.args.all {
            document["findings"] = findings.into();
            let rest = self.rest.as_ref();
            document["rest"] = json!(rest.map(
                |r| json!({ "verdict": r.word(), "reason": r.reason(), "apart_from": self.left_open() })
            ));
        }
        Out::stdout().document(&document);
    }
}
