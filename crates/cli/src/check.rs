//! `threadproof check`: proves that nothing fails, or shows how it does.

use crate::args::CheckArgs;
use crate::exit::{CommandError, Exit};
use crate::failing::{Before, Failing};
use crate::load::{self, path_text};
use crate::output::{self, Out};
use crate::progress::ProgressLine;
use crate::{certify, property, record, statistics, stop, tree};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tp_driver::{
    Answers, Assumptions, Choice, Counters, ENGINES, Engine, Limits, ProgramShape, Reason, Status, Stop,
    StopReason, Task, memory,
};
use tp_ir::{Checks, Program, Property};
use tp_machine::{ContextBound, End, Identity};
use tp_report::{Diagnostic, Ledger, Verdict, count};

/// What the smallest program takes, and a little more.
pub const LEAST_MEMORY: u64 = 100 << 20;

/// After this many findings that rest on an assumption, no further one is looked for.
const MOST_POSSIBLE: usize = 4;

pub fn check(args: &CheckArgs) -> Result<Exit, CommandError> {
    let begin = Instant::now();
    let stop = stop::after(Some(args.timeout)).with_memory(max_resident(args)?);
    let checks = property::decided(args.engine, &args.property)?;
    let options = args.source.frontend_options();
    let loaded = load::load_unless_interrupted(&args.source, &stop)?;
    let assumptions = Assumptions::of(&options, &loaded);
    let program = Arc::new(loaded.program);
    let checks = tp_driver::meaningful(&program, checks);
    let contexts = args.contexts.unwrap_or_default();
    let chosen = args.engine.engines(ProgramShape::of(&program), checks, args.certify.is_some(), contexts);
    let engines: Vec<&'static Engine> = chosen.iter().map(|choice| choice.engine).collect();
    if contexts != ContextBound::None && !engines.iter().all(|engine| engine.bounds_contexts) {
        let able = ENGINES.iter().filter(|e| e.bounds_contexts).map(|e| format!("`{}`", e.name));
        let message = format!(
            "--contexts: this engine keeps to no such bound; use {}",
            able.collect::<Vec<_>>().join(" or ")
        );
        return Err(CommandError::Usage(message));
    }
    if args.certify.is_some() && !engines.iter().any(|engine| engine.certifies) {
        let message = "--certify: this engine leaves no proof; use another";
        return Err(CommandError::Usage(message.to_owned()));
    }
    for (option, is_given) in [("--tree", args.tree.is_some()), ("--no-reduction", args.no_reduction)] {
        if is_given && !engines.iter().all(|engine| engine.has_tree) {
            let able = ENGINES.iter().find(|e| e.has_tree).map_or("", |e| e.name);
            return Err(CommandError::Usage(format!("{option}: only with `--engine {able}`")));
        }
    }
    if args.verbose {
        let why = |choice: &Choice| format!("engine {}: {}", choice.engine.name, choice.because);
        chosen.iter().for_each(|choice| eprintln!("{}", why(choice)));
    }
    let question = Question { args, checks, program, assumptions, engines, stop, begin };
    let mut answer = question.answer(Vec::new())?;
    if args.all && !answer.failing.is_empty() {
        answer = question.all(answer);
    } else if matches!(answer.verdict, Verdict::Possible(_)) {
        answer = question.certain(answer);
    }
    answer.print(&question);
    Ok(Exit::of(&answer.verdict))
}

fn max_resident(args: &CheckArgs) -> Result<Option<u64>, CommandError> {
    match args.memory {
        Some(size) if size.0 < LEAST_MEMORY => {
            let least = LEAST_MEMORY >> 20;
            let message =
                format!("--memory: less than {least}M is not enough; it is bytes, or with K, M or G");
            Err(CommandError::Usage(message))
        }
        Some(size) => Ok(Some(size.0)),
        None => Ok(memory::available().map(|free| free / 4 * 3)),
    }
}

/// The question: the program, the properties, the engines, and when to stop.
struct Question<'a> {
    args: &'a CheckArgs,
    checks: Checks,
    program: Arc<Program>,
    assumptions: Assumptions,
    engines: Vec<&'static Engine>,
    stop: Stop,
    begin: Instant,
}

struct CheckAnswer {
    engine: &'static Engine,
    verdict: Verdict,
    diagnostic: Option<Diagnostic>,
    ledger: Ledger,
    counters: Counters,
    /// How long the engine took.
    took: Duration,
    /// The counters of an engine whose answer was not chosen, if the work was stopped.
    beside: Option<Counters>,
    /// In the order in which they were found.
    failing: Vec<Failing>,
    /// With `--all`: what is known of the program apart from these.
    rest: Option<Verdict>,
}

impl Question<'_> {
    /// Looks for findings that are not known already.
    fn answer(&self, known: Vec<Identity>) -> Result<CheckAnswer, CommandError> {
        let leaks = Checks::NONE.with(Property::Leak);
        let task = Arc::new(Task {
            may_stay_open: if property::is_usual(&self.args.property) { leaks } else { Checks::NONE },
            known,
            certify: self.args.certify.is_some(),
            limits: Limits {
                max_unwind: self.args.unwind,
                contexts: self.args.contexts.unwrap_or_default(),
                reduces: !self.args.no_reduction,
                draws: self.args.tree.is_some(),
                ..Limits::default()
            },
            ..Task::new(self.program.clone(), self.checks)
        });
        let mut line = ProgressLine::of_search();
        let answers = tp_driver::ask(&self.engines, &task, &self.stop, &mut |words| line.show_search(words));
        drop(line);
        self.answered(&task, answers)
    }

    /// A defect of ours is not an answer.
    fn answered(&self, task: &Task, answers: Answers) -> Result<CheckAnswer, CommandError> {
        let Answers { best, stopped, beside } = answers;
        let (engine, report) = (best.engine, best.report);
        let mut ledger = tp_driver::ledger_of(task, &self.assumptions, &report, &self.stop, stopped);
        let beside = beside.map(|beside| beside.report).filter(|report| report.basis.executions != Some(0));
        if let Some(beside) = &beside {
            tp_driver::add_beside(&mut ledger, task, beside);
        }
        let status = report.overall().clone();
        let mut answer = CheckAnswer {
            engine,
            ledger,
            verdict: verdict(&self.program, &status, stopped)?,
            diagnostic: self.in_the_way(&status),
            counters: report.counters,
            took: best.took,
            beside: beside.map(|beside| beside.counters),
            failing: Vec::new(),
            rest: None,
        };
        if let (Some(path), Some(tree)) = (&self.args.tree, &report.tree) {
            tree::write(path, &self.program, tree);
        }
        if let Some(failure) = &report.failure {
            let mut failing = Failing::of(&self.before(&task.known), failure)?;
            if let (Some(ContextBound::Auto), Some(bound)) = (self.args.contexts, report.basis.next_contexts)
            {
                failing.diagnostic.notes.push(format!("found with `--contexts {bound}`"));
            }
            answer.fails(failing);
        }
        if let Some(path) = self.args.certify.as_ref().filter(|_| task.known.is_empty()) {
            let about = self.about(&answer.ledger);
            answer.ledger.certificate =
                certify::leave(path, report.certificate, about, &answer.verdict, stopped)?;
        }
        Ok(answer)
    }

    /// Looks for one finding after the other, each past those that are known, until there is no further one.
    fn all(&self, mut so_far: CheckAnswer) -> CheckAnswer {
        loop {
            let known = so_far.failing.iter().map(|f| f.identity.clone()).collect();
            match self.answer(known) {
                Ok(mut next) if !next.failing.is_empty() => so_far.failing.append(&mut next.failing),
                Ok(next) => {
                    let rest = next.verdict.clone();
                    return CheckAnswer { failing: so_far.failing, ..next }.apart_from_all(rest);
                }
                // An error must not hide what was found.
                Err(error) => return so_far.apart_from_all(Verdict::Unknown(error.to_string())),
            }
        }
    }

    /// A finding that rests on an assumption must not hide one that does not: the search goes on past it.
    fn certain(&self, mut possible: CheckAnswer) -> CheckAnswer {
        let mut known: Vec<Identity> = possible.failing.iter().map(|f| f.identity.clone()).collect();
        while known.len() < MOST_POSSIBLE {
            match self.answer(known.clone()) {
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

    fn before<'k>(&'k self, known: &'k [Identity]) -> Before<'k> {
        let options = self.args.source.frontend_options();
        let path = self.args.witness.clone().unwrap_or_else(|| record::default_path(&options));
        let number = if self.args.all { known.len() + 1 } else { 1 };
        let Question { program, checks, assumptions, .. } = self;
        Before { program, checks: *checks, options, path, known, number, assumptions }
    }

    /// For people who look at a certificate.
    fn about(&self, ledger: &Ledger) -> Vec<(String, String)> {
        let options = self.args.source.frontend_options();
        let mut about = vec![("tool".to_owned(), record::TOOL.to_owned())];
        about.extend(options.inputs.iter().map(|path| ("program".to_owned(), path_text(path))));
        about.push(("program-hash".to_owned(), record::program_hash(&self.program)));
        about.extend(ledger.lines().into_iter().map(|line| ("ledger".to_owned(), line)));
        about
    }

    /// What the program does that the engine cannot follow.
    fn in_the_way(&self, status: &Status) -> Option<Diagnostic> {
        let Status::Unknown(reason) = status else { return None };
        match reason {
            Reason::Gap { what, place, can_run } => {
                Some(Diagnostic::undecided(&self.program, what, *place, *can_run))
            }
            Reason::Unmodelled { function, place } => {
                Some(Diagnostic::unmodelled(&self.program, function, *place))
            }
            Reason::Undefined { message, place } => {
                Some(Diagnostic::undefined(&self.program, message, *place))
            }
            Reason::MetInReplay { finding, place } => {
                let message = tp_report::sentence(&self.program, finding);
                Some(Diagnostic::undefined(&self.program, &message, *place))
            }
            Reason::MetUndefined(finding) => {
                Diagnostic::of_end(&self.program, &End::Undefined(finding.clone()))
            }
            _ => None,
        }
    }
}

/// The verdict; a violated one gets its properties later.
fn verdict(program: &Program, status: &Status, stopped: Option<StopReason>) -> Result<Verdict, CommandError> {
    Ok(match status {
        Status::Holds | Status::Open => Verdict::Safe,
        Status::HoldsWithin { within, .. } => Verdict::WithinBounds(*within),
        Status::Violated => Verdict::Violated(Vec::new()),
        Status::Unknown(Reason::Defect(defect)) => return Err(CommandError::Internal(defect.clone())),
        Status::Unknown(Reason::Stopped) => {
            Verdict::Unknown(stopped.unwrap_or(StopReason::Interrupted).words().to_owned())
        }
        Status::Unknown(reason) => Verdict::Unknown(reason.words(program)),
    })
}

impl CheckAnswer {
    fn fails(&mut self, failing: Failing) {
        self.failing.push(failing);
        self.verdict = self.failure();
    }

    /// The verdict on what fails. Findings that rest on assumptions are named only if there are no others.
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
    fn apart_from_all(mut self, rest: Verdict) -> CheckAnswer {
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
        if question.args.verbose {
            eprintln!("answered by: {}, after {:.2} s", self.engine.name, self.took.as_secs_f64());
        }
        self.failing.iter().for_each(|failing| failing.print(&question.program, &mut out));
        if let Some(diagnostic) = &self.diagnostic {
            out.line(&tp_report::render(diagnostic, output::style(), &load::source));
            out.line("");
        }
        if let Some(rest) = &self.rest {
            let findings = count(self.failing.len() as u64, "finding");
            let from = ["that"].into_iter().chain(self.left_open()).collect::<Vec<_>>().join(" and ");
            out.line(&format!("{findings}; apart from {from}: {}", rest.words()));
        }
        if self.failing.is_empty() || self.rest.is_some() {
            self.ledger.lines().iter().for_each(|line| out.line(line));
        }
        if question.args.stats {
            if question.args.engine.is_auto() {
                out.line(&format!("engine: {}", self.engine.name));
            }
            let numbers = [&self.counters].into_iter().chain(&self.beside);
            numbers.flat_map(statistics::lines).for_each(|line| out.line(&line));
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
            // A thread that is left in a loop keeps others there.
            (any(|p| p == Property::Stuck), "other loops that wait for ever"),
            (any(|p| !matches!(p, Property::Race | Property::Stuck)), "what would come after"),
        ];
        hidden.into_iter().filter(|h| h.0).map(|h| h.1).collect()
    }

    /// Traces per second of the engine's time; loading the program does not count.
    fn rate(&self) -> String {
        let per_second = |traces: u64| format!(", {:.0} traces/s", traces as f64 / self.took.as_secs_f64());
        self.counters.get("traces").map_or_else(String::new, per_second)
    }

    fn print_json(&self, question: &Question<'_>) {
        let findings: Vec<_> = self.failing.iter().map(|f| f.json(&question.program)).collect();
        let mut document = json!({
            "tool": record::TOOL,
            "command": "check",
            "engine": self.engine.name,
            "verdict": self.verdict.word(),
            "reason": self.verdict.reason(),
            "diagnostic": self.diagnostic,
            "ledger": self.ledger,
            "statistics": statistics::json(&self.counters),
            "statistics_beside": self.beside.as_ref().map(statistics::json),
            "resources": {
                "seconds": question.begin.elapsed().as_secs_f64(),
                "peak_memory": memory::peak(),
            },
        });
        // The first finding is at the top level; with `--all`, all of them are in a list as well.
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
