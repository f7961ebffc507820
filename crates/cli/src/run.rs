//! `threadproof run`: runs the program many times, and reports the first run that went wrong.

use crate::args::RunArgs;
use crate::campaign::{Campaign, Done, Plan, Show};
use crate::exit::{CommandError, Exit};
use crate::load::{self, path_text};
use crate::output::{self, Out};
use crate::{execution, input, property, record, stop, verdict};
use serde_json::json;
use tp_driver::{Assumptions, Execution, RunConfig};
use tp_frontend::FrontendOptions;
use tp_ir::Program;
use tp_machine::{End, RunLimits, Trace, Wakers};
use tp_report::{Diagnostic, Ledger, Verdict, Witness};

pub fn run(args: &RunArgs) -> Result<Exit, CommandError> {
    let stop = stop::after(args.timeout);
    let limits = RunLimits { max_steps: args.max_steps, max_memory: args.memory.0, ..RunLimits::default() };
    let config = RunConfig { checks: property::checks(&args.property)?, limits, past: &[] };
    let options = args.source.frontend_options();
    let loaded = load::load_unless_interrupted(&args.source, &stop)?;
    let assumptions = Assumptions::of(&options, &loaded);
    let program = loaded.program;
    let wakers = Wakers::default();
    let plan = Plan {
        program: &program,
        config,
        scheduler: args.scheduler,
        seed: args.seed,
        runs: args.runs,
        inputs: &args.inputs,
        wakers: &wakers,
    };
    let show = match args.runs {
        1 if args.json => Show::Capture,
        1 => Show::Stream,
        _ => Show::Nothing,
    };
    let mut campaign = plan.run_all(show, &stop);
    if let Some(violation) = &mut campaign.violation {
        confirm(&program, config, violation)?;
    }
    for sentence in input::unused(&args.inputs, &campaign.asked_inputs) {
        eprintln!("warning: {sentence}");
    }
    let answer = RunAnswer::new(args, &options, &plan, &assumptions, campaign);
    if args.json {
        answer.print_json(args)
    } else {
        answer.print(args)
    }
    Ok(Exit::of(&answer.verdict))
}

/// What is shown is the replay, for it was not interrupted and its output was kept.
fn confirm(program: &Program, config: RunConfig<'_>, violation: &mut Done) -> Result<(), CommandError> {
    let what = format!("the run with seed {}", violation.seed);
    let again =
        Execution::of(program, config, &violation.trace, false).confirm(program, &violation.end, &what)?;
    violation.end = again.run.end;
    violation.written = again.written;
    Ok(())
}

struct RunAnswer {
    verdict: Verdict,
    ledger: Ledger,
    diagnostic: Option<Diagnostic>,
    campaign: Campaign,
    witness: Option<Witness>,
    /// Where the witness was written.
    path: Option<String>,
}

impl RunAnswer {
    fn new(
        args: &RunArgs,
        options: &FrontendOptions,
        plan: &Plan<'_>,
        assumptions: &Assumptions,
        campaign: Campaign,
    ) -> RunAnswer {
        let mut verdict = verdict::of_campaign(plan.program, &campaign, args.max_steps);
        let trace = match campaign.decisive() {
            Some(run) if matches!(run.end, End::Violation(_)) => Some(run.trace.clone()),
            Some(run) if args.trace.is_some() => Some(plan.trace_of(run.seed)),
            _ => None,
        };
        let witness = campaign
            .decisive()
            .zip(trace.as_ref())
            .map(|(run, trace)| record::witness(options, plan.program, plan.config, trace, &run.end));
        let path = args.trace.clone().unwrap_or_else(|| record::default_path(options));
        let path = witness.as_ref().filter(|w| record::write(&path, w)).map(|_| path_text(&path));
        let mut diagnostic = campaign.decisive().and_then(|r| Diagnostic::of_end(plan.program, &r.end));
        if let Some(Done { end: End::Violation(finding), trace, .. }) = &campaign.violation {
            let assumed = assumptions.behind(plan.program, plan.config, trace, finding.property);
            verdict = tp_driver::verdict(finding.property, assumed, diagnostic.as_mut());
        }
        if let (Some(diagnostic), Some(run)) = (&mut diagnostic, campaign.decisive()) {
            diagnostic.hints.extend(how_to_see_it_again(
                args.runs > 1 && !campaign.all_the_same,
                run,
                trace.as_ref(),
                path.as_deref(),
            ));
        }
        let ledger =
            Ledger::new(plan.config.checks, assumptions.spurious_wakeups, assumptions.spurious_failures);
        RunAnswer { verdict, ledger, diagnostic, campaign, witness, path }
    }

    fn print(&self, args: &RunArgs) {
        let mut out = Out::stdout();
        if args.runs > 1
            && let Some(violation) = &self.campaign.violation
        {
            let of = format!(" of the run with seed {}", violation.seed);
            execution::print_written(&mut out, &violation.written, &of);
        }
        if let Some(diagnostic) = &self.diagnostic {
            out.line(&tp_report::render(diagnostic, output::style(), &load::source));
            out.line("");
        }
        if args.runs > 1 {
            out.line(&verdict::summary(&self.campaign));
        }
        out.line(&self.verdict.to_string());
    }

    fn print_json(&self, args: &RunArgs) {
        let campaign = &self.campaign;
        let run = campaign.decisive();
        let shown = run.filter(|r| args.runs == 1 || matches!(r.end, End::Violation(_)));
        let exit_status = match shown.map(|r| &r.end) {
            Some(End::Exited { status }) => Some(*status),
            _ => None,
        };
        Out::stdout().document(&json!({
            "tool": record::TOOL,
            "command": "run",
            "verdict": self.verdict.word(),
            "reason": self.verdict.reason(),
            "diagnostic": self.diagnostic,
            "seed": shown.map(|r| r.seed),
            "runs": {
                "asked": args.runs,
                "done": campaign.runs,
                "ended": campaign.exited,
                "assumption": campaign.assumption,
                "given_up": campaign.given_up,
                "violated": campaign.violated,
            },
            "statistics": {
                "threads": campaign.threads,
                "steps": campaign.steps,
                "instructions": campaign.instructions,
                "peak_memory": campaign.peak_memory,
            },
            "ledger": self.ledger,
            "exit_status": exit_status,
            "stdout": shown.map(|r| r.written.stdout()),
            "stderr": shown.map(|r| r.written.stderr()),
            "trace": self.path,
            "witness": self.witness.as_ref().map(Witness::to_json),
        }));
    }
}

/// `by_seed`: the seed is worth naming, because runs with other seeds may end differently.
fn how_to_see_it_again(by_seed: bool, run: &Done, trace: Option<&Trace>, path: Option<&str>) -> Vec<String> {
    let mut hints = Vec::new();
    if by_seed {
        hints.push(format!("found with `--seed {} --runs 1`", run.seed));
    }
    hints.extend(trace.zip(path).map(|(trace, path)| record::how_to_replay(trace, path)));
    hints
}
