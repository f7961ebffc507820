//! How a run of a trace is shown: its steps, and what the program wrote.

use crate::output::Out;
use tp_driver::{Execution, ProgramOutput};
use tp_ir::Program;
use tp_report::EventRow;

/// Steps that are shown unless all are asked for: the last ones, for that is where it goes wrong.
const STEPS_SHOWN: usize = 200;

pub fn rows(execution: &Execution, program: &Program) -> Vec<EventRow> {
    tp_report::event_rows(program, &execution.run.events)
}

/// The steps, a column for each thread. `more` says how to see those that are left out; without it all are shown.
pub fn print_lanes(out: &mut Out, rows: &[EventRow], more: Option<&str>) {
    let skipped = more.map_or(0, |_| rows.len().saturating_sub(STEPS_SHOWN));
    if let Some(more) = more.filter(|_| skipped > 0) {
        out.line(&format!("… {skipped} earlier steps; {more}"));
    }
    out.text(&tp_report::lanes(&rows[skipped..]));
    out.line("");
}

/// What the program wrote, set apart from what we write; `of` says in which run, if there were several.
pub fn print_written(out: &mut Out, written: &ProgramOutput, of: &str) {
    for (name, bytes) in [("output", &written.stdout), ("error output", &written.stderr)] {
        if !bytes.is_empty() {
            out.line(&format!("--- {name}{of}"));
            out.bytes(bytes);
            out.line("---");
        }
    }
}
