//! Work under a limit of processor time: what else runs on the machine does not count.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The wait on the clock ends at this many times the limit, however little the thread has worked.
const PATIENCE: u32 = 12;

/// How long work may take to stop when it is told to.
const GRACE: Duration = Duration::from_secs(5);

/// How work has ended.
pub enum StageEnd<T> {
    InTime(T),
    /// It took too long, and stopped when it was told to.
    Late(T),
    /// It took too long and does not stop: its thread is abandoned.
    Never,
    Panicked(String),
}

/// Does the work in a thread of its own, with a flag that is raised when the thread has worked longer than the limit.
pub fn limited<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
) -> StageEnd<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    let watch = Stopwatch::default();
    let (its_stop, its_watch) = (stop.clone(), watch.clone());
    std::thread::spawn(move || {
        its_watch.start();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(its_stop)));
        // The receiver is gone if the work took too long.
        let _ = sender.send(result.map_err(|panic| words(&*panic)));
    });
    if let Some(result) = watch.receive(&receiver, limit) {
        return result.map_or_else(StageEnd::Panicked, StageEnd::InTime);
    }
    stop.store(true, Ordering::Relaxed);
    match receiver.recv_timeout(GRACE) {
        Ok(result) => result.map_or_else(StageEnd::Panicked, StageEnd::Late),
        Err(_) => StageEnd::Never,
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("").to_owned()
}

/// The processor time of one thread.
#[derive(Clone, Default)]
pub struct Stopwatch {
    /// The file of /proc that says how long the thread has been on a processor.
    accounts: Arc<OnceLock<PathBuf>>,
}

impl Stopwatch {
    /// Measures the calling thread.
    pub fn start(&self) {
        if let Ok(thread) = std::fs::read_link("/proc/thread-self") {
            let _ = self.accounts.set(PathBuf::from("/proc").join(thread).join("schedstat"));
        }
    }

    /// How long the thread has worked, if the system says so.
    fn worked(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(self.accounts.get()?).ok()?;
        Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
    }

    /// What the thread sends; `None` if it works longer than the limit, or ends without sending.
    pub fn receive<T>(&self, receiver: &Receiver<T>, limit: Duration) -> Option<T> {
        let begin = Instant::now();
        let mut wait = limit;
        loop {
            match receiver.recv_timeout(wait) {
                Ok(sent) => return Some(sent),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let left = self.worked().and_then(|worked| limit.checked_sub(worked));
            wait = left.filter(|_| begin.elapsed() < limit * PATIENCE)?.max(Duration::from_millis(10));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const LIMIT: Duration = Duration::from_millis(50);

    #[test]
    fn a_thread_that_sleeps_has_not_worked() {
        let (sender, receiver) = channel();
        let watch = Stopwatch::default();
        let its_watch = watch.clone();
        std::thread::spawn(move || {
            its_watch.start();
            std::thread::sleep(3 * LIMIT);
            let _ = sender.send("done");
        });
        assert_eq!(watch.receive(&receiver, LIMIT), Some("done"));
    }

    #[test]
    fn one_that_works_too_long_is_given_up() {
        let (sender, receiver) = channel();
        let watch = Stopwatch::default();
        let its_watch = watch.clone();
        std::thread::spawn(move || {
            its_watch.start();
            while its_watch.worked().is_some_and(|worked| worked < 20 * LIMIT) {}
            let _ = sender.send("too late");
        });
        assert_eq!(watch.receive(&receiver, LIMIT), None);
    }
}
