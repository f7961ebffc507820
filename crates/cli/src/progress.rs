//! A progress line on standard error, for work that takes longer than a moment and only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const MOMENT: Duration = Duration::from_millis(500);

pub struct ProgressLine {
    begin: Instant,
    kind: Kind,
    bar: Option<ProgressBar>,
    wanted: bool,
}

#[derive(Copy, Clone)]
enum Kind {
    /// A given number of runs.
    Runs(u64),
    /// A search of unknown length.
    Search,
}

impl ProgressLine {
    pub fn of_runs(total: u64) -> ProgressLine {
        ProgressLine::new(Kind::Runs(total))
    }

    pub fn of_search() -> ProgressLine {
        ProgressLine::new(Kind::Search)
    }

    fn new(kind: Kind) -> ProgressLine {
        ProgressLine { begin: Instant::now(), kind, bar: None, wanted: std::io::stderr().is_terminal() }
    }

    /// To be called now and then with the number of runs that are done.
    pub fn show_runs(&mut self, done: u64) {
        if let Some(bar) = self.bar() {
            bar.set_position(done);
        }
    }

    /// To be called now and then; `what` says what is being tried and how far it is.
    pub fn show_search(&mut self, what: &dyn Fn() -> String) {
        if let Some(bar) = self.bar() {
            bar.set_message(what());
            bar.tick();
        }
    }

    fn bar(&mut self) -> Option<&ProgressBar> {
        if !self.wanted || self.begin.elapsed() < MOMENT {
            return None;
        }
        let kind = self.kind;
        Some(self.bar.get_or_insert_with(|| {
            let (length, template) = match kind {
                Kind::Runs(total) => (Some(total), "{bar:30} {pos}/{len} runs, {elapsed}, {eta} to go"),
                Kind::Search => (None, "{spinner} {msg}, {elapsed}"),
            };
            let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(template);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }))
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
