//! `threadproof replay`: runs a recorded run again, and shows it step by step.

use crate::args::ReplayArgs;
use crate::exit::{CommandError, Exit};
use crate::load::{self, path_text};
use crate::output::{self, Out};
use crate::{execution, record};
use serde_json::json;
use std::path::{Path, PathBuf};
use tp_driver::{Assumptions, Execution};
use tp_machine::End;
use tp_report::{Diagnostic, EventRow, Verdict, Witness, WitnessError, WitnessSummary};

pub fn replay(args: &ReplayArgs) -> Result<Exit, CommandError> {
    let witness = record::read(&args.witness)?;
    let path = path_text(&args.witness);
    let in_witness = |error| CommandError::Witness { path: path.clone(), error };
    let trace = witness.trace().map_err(in_witness)?;
    // Before the directory changes.
    let rewritten = args.trace.as_deref().map(std::path::absolute).transpose();
    let rewritten = rewritten.map_err(|e| CommandError::Usage(format!("cannot write the trace: {e}")))?;
    enter_directory_of_inputs(&witness, &args.witness)?;

    let options = record::options(&witness, args.clang.clone());
    let loaded = load::load(&options)?;
    let assumptions = Assumptions::of(&options, &loaded);
    let program = loaded.program;
    witness.check_program(&record::program_hash(&program), &record::file_hash).map_err(in_witness)?;
    let past = record::past(&witness, &program);
    let config = record::config(&witness, &past);
    let execution = Execution::of(&program, config, &trace, true);
    let run = &execution.run;
    if !is_same_end(&witness, &WitnessSummary::of(&program, &run.end)) {
        return Err(in_witness(WitnessError::OtherEnd { step: run.steps }));
    }
    if let Some(path) = &rewritten {
        record::write(path, &record::witness(&options, &program, config, &run.trace, &run.end));
    }
    let mut diagnostic =
        Diagnostic::of_end(&program, &run.end).filter(|_| witness.end != WitnessSummary::Stopped);
    let verdict = match &run.end {
        End::Violation(finding) => {
            let assumed = assumptions.behind(&program, config, &trace, finding.property);
            tp_driver::verdict(finding.property, assumed, diagnostic.as_mut())
        }
        end => Verdict::Unknown(format!(
            "replayed: {}",
            tp_report::end_reason(&program, end, config.limits.max_steps)
        )),
    };
    let shown = Shown { rows: execution::rows(&execution, &program), diagnostic, verdict };
    if args.json {
        shown.print_json(&execution)
    } else {
        shown.print(args, &execution)
    }
    Ok(Exit::of(&shown.verdict))
}

/// Paths in a witness are relative to where it was recorded: the current directory, or the one it lies in.
fn enter_directory_of_inputs(witness: &Witness, path: &Path) -> Result<(), CommandError> {
    let key = &witness.program;
    let mut files: Vec<&str> = key.source_files().map(|f| f.path.as_str()).collect();
    files.extend(key.compile_commands.as_deref());
    let found = |base: &Path| files.iter().all(|f| base.join(f).exists());
    let beside = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    if found(Path::new("")) || !found(&beside) {
        // When they are nowhere, loading says which one is missing.
        return Ok(());
    }
    std::env::set_current_dir(&beside)
        .map_err(|e| CommandError::Unreadable { path: path_text(&beside), reason: e.to_string() })
}

/// The same decisions on the same program come to the same end: `run` has made sure of it before it wrote the trace. A
/// run that was stopped from outside ends where its schedule does.
fn is_same_end(witness: &Witness, end: &WitnessSummary) -> bool {
    witness.end == *end || (witness.end == WitnessSummary::Stopped && *end == WitnessSummary::Diverged)
}

struct Shown {
    rows: Vec<EventRow>,
    diagnostic: Option<Diagnostic>,
    verdict: Verdict,
}

impl Shown {
    fn print(&self, args: &ReplayArgs, execution: &Execution) {
        let mut out = Out::stdout();
        execution::print_lanes(&mut out, &self.rows, (!args.steps).then_some("--steps shows them"));
        execution::print_written(&mut out, &execution.written, "");
        if let Some(diagnostic) = &self.diagnostic {
            out.line(&tp_report::render(diagnostic, output::style(), &load::source));
            out.line("");
        }
        out.line(&self.verdict.to_string());
    }

    fn print_json(&self, execution: &Execution) {
        let Execution { run, written } = execution;
        Out::stdout().document(&json!({
            "tool": record::TOOL,
            "command": "replay",
            "verdict": self.verdict.word(),
            "reason": self.verdict.reason(),
            "diagnostic": self.diagnostic,
            "steps": self.rows,
            "statistics": {
                "threads": run.threads,
                "steps": run.steps,
                "instructions": run.instructions,
                "peak_memory": run.peak_memory,
            },
            "exit_status": execution.exit_status(),
            "stdout": written.stdout(),
            "stderr": written.stderr(),
        }));
    }
}
