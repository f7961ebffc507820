//! A progress line on standard error, for work that takes longer than a moment and only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const MOMENT: Duration = Duration::from_millis(500);

pub struct Progress {
    begin: Instant,
    total: u64,
    bar: Option<ProgressBar>,
    wanted: bool,
}

impl Progress {
    pub fn new(total: u64) -> Progress {
        Progress { begin: Instant::now(), total, bar: None, wanted: std::io::stderr().is_terminal() }
    }

    /// To be called now and then with the number of runs that are done.
    pub fn show(&mut self, done: u64) {
        if !self.wanted || self.begin.elapsed() < MOMENT {
            return;
        }
        let total = self.total;
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {elapsed}, {eta} to go");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
