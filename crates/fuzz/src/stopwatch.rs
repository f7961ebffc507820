//! Work that may take only so long, and how long a thread has worked: what others do on the same machine does not count.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Nobody waits longer than so many times the limit, whatever a thread has worked.
const PATIENCE: u32 = 12;

/// Who is told to stop has this long for it.
const GRACE: Duration = Duration::from_secs(5);

/// How work has ended.
pub enum StageEnd<T> {
    InTime(T),
    /// It took too long, and has stopped when it was told to.
    Late(T),
    /// It took too long and does not stop: it is left alone.
    Never,
    Panicked(String),
}

/// Does work in a thread of its own, with a flag that is raised when it has worked for longer than the limit.
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
        // Nobody listens any more when it took too long.
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

/// Of one thread.
#[derive(Clone, Default)]
pub struct Stopwatch {
    /// Where the system says how long the thread has been on a processor.
    accounts: Arc<OnceLock<PathBuf>>,
}

impl Stopwatch {
    /// The calling thread is the one.
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

    /// What the thread sends, unless it works longer than this.
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
