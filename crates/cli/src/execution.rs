//! One run of a trace: what happened, what the program wrote, and how both are shown.

use crate::campaign::{Limits, Written};
use crate::exit::Failure;
use crate::output::Out;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_ir::Program;
use tp_machine::{End, Replay, ReplayInputs, Run, Trace};
use tp_report::{EventRow, Summary};

/// Steps that are shown unless all are asked for: the last ones, for that is where it goes wrong.
const STEPS_SHOWN: usize = 200;

pub struct Execution {
    pub run: Run,
    pub written: Written,
}

impl Execution {
    /// Takes the decisions of the trace again.
    pub fn of(program: &Program, limits: Limits<'_>, trace: &Trace, record_events: bool) -> Execution {
        let trace = Arc::new(trace.clone());
        let mut written = Written::default();
        let stop = AtomicBool::new(false);
        let run = tp_machine::run_past(
            program,
            &limits.config(&stop, record_events),
            limits.past,
            &mut Replay::new(trace.clone()),
            &mut ReplayInputs::new(trace),
            &mut |fd, bytes| written.add(fd, bytes),
        );
        Execution { run, written }
    }

    /// An alarm is replayed or it is not an alarm: the decisions that have led to an end must lead there again.
    pub fn confirm(self, program: &Program, end: &End, what: &str) -> Result<Execution, Failure> {
        let (first, second) = (Summary::of(program, end), Summary::of(program, &self.run.end));
        if first == second {
            return Ok(self);
        }
        Err(Failure::Internal(format!("{what} ended in {first:?}, and its replay in {second:?}")))
    }

    /// The status that the program itself ended with.
    pub fn exit_status(&self) -> Option<i32> {
        match self.run.end {
            End::Exited { status } => Some(status),
            _ => None,
        }
    }

    pub fn rows(&self, program: &Program) -> Vec<EventRow> {
        tp_report::event_rows(program, &self.run.events)
    }
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

impl Written {
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// What the program wrote, set apart from what we write; `of` says in which run, if there were several.
    pub fn print(&self, out: &mut Out, of: &str) {
        for (name, bytes) in [("output", &self.stdout), ("error output", &self.stderr)] {
            if !bytes.is_empty() {
                out.line(&format!("--- {name}{of}"));
                out.bytes(bytes);
                out.line("---");
            }
        }
    }
}
