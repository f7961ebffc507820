//! One process under limits: how it ended, what it printed, and what it took.
//!
//! The process leads a group of its own, so that what it has started ends with it. Times are those that the system
//! counted for the process and for all that it has waited for; memory is the peak of the largest of them.

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a process may take. Without a limit it may take all there is.
#[derive(Copy, Clone, Default, Debug)]
pub struct Limits {
    /// On the clock.
    pub wall: Option<Duration>,
    /// Of processor time.
    pub cpu: Option<Duration>,
    /// Bytes in memory, of all processes of the group.
    pub memory: Option<u64>,
    /// At a limit the process gets the signal of Ctrl-C, and this much time to say what it knows; then it is killed.
    pub grace: Duration,
}

/// Why a process was told to end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reached {
    Time,
    Memory,
    /// Nobody wants to know any more.
    Unwanted,
}

#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub reached: Option<Reached>,
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of processor time.
    pub cpu: f64,
    /// Bytes.
    pub memory: u64,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Ended {
    /// The first line of what went wrong.
    pub fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.stderr).lines().next().unwrap_or("").to_owned()
    }
}

/// How often it is seen whether the process has ended: the longer it runs, the less it matters.
const POLL: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// How often it is seen what the process takes.
const LOOK: Duration = Duration::from_millis(100);

/// Bytes of output that are kept, from the end.
const MOST_OUTPUT: u64 = 64 << 20;

/// The smallest unit of the times in /proc, on every Linux that we run on.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs a command to its end. `unwanted` is asked now and then; once it says so, the process is killed.
pub fn run(command: &mut Command, limits: &Limits, unwanted: &dyn Fn() -> bool) -> io::Result<Ended> {
    // Into files, for a pipe that nobody reads has an end.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?).process_group(0);
    let begin = Instant::now();
    let child = command.spawn()?;
    let mut watch = Watch { group: Pid::from_raw(child.id() as i32), begin, limits, told: None };
    watch.wait(unwanted)?;
    let wall = begin.elapsed().as_secs_f64();
    // What the process has left behind. Until it is reaped the number of the group is its own.
    let _ = killpg(watch.group, Signal::SIGKILL);
    let (status, usage) = reap(watch.group)?;
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(Ended {
        status,
        reached: watch.told.map(|(reached, _)| reached),
        wall,
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        memory: usage.ru_maxrss.max(0) as u64 * 1024,
        stdout: tail(&mut stdout)?,
        stderr: tail(&mut stderr)?,
    })
}

struct Watch<'a> {
    group: Pid,
    begin: Instant,
    limits: &'a Limits,
    /// Why and when it was told to end.
    told: Option<(Reached, Instant)>,
}

impl Watch<'_> {
    /// Until the process has ended; it is not reaped.
    fn wait(&mut self, unwanted: &dyn Fn() -> bool) -> io::Result<()> {
        let mut looked = self.begin;
        while !has_ended(self.group)? {
            if self.told.is_none() && unwanted() {
                self.kill(Reached::Unwanted);
            }
            if looked.elapsed() > LOOK {
                looked = Instant::now();
                self.look(looked);
            }
            std::thread::sleep((self.begin.elapsed() / 100).clamp(POLL.0, POLL.1));
        }
        Ok(())
    }

    fn look(&mut self, now: Instant) {
        match self.told {
            None => {
                if let Some(reached) = self.reached() {
                    if self.limits.grace.is_zero() {
                        self.kill(reached);
                    } else {
                        let _ = killpg(self.group, Signal::SIGINT);
                        self.told = Some((reached, now));
                    }
                }
            }
            Some((reached, since)) if since.elapsed() > self.limits.grace => self.kill(reached),
            Some(_) => {}
        }
    }

    fn reached(&self) -> Option<Reached> {
        if self.limits.wall.is_some_and(|limit| self.begin.elapsed() > limit) {
            return Some(Reached::Time);
        }
        if self.limits.cpu.is_none() && self.limits.memory.is_none() {
            return None;
        }
        let now = taken_by(self.group);
        if self.limits.cpu.is_some_and(|limit| now.cpu > limit.as_secs_f64()) {
            Some(Reached::Time)
        } else if self.limits.memory.is_some_and(|limit| now.memory > limit) {
            Some(Reached::Memory)
        } else {
            None
        }
    }

    fn kill(&mut self, reached: Reached) {
        // It may have ended in the meantime.
        let _ = killpg(self.group, Signal::SIGKILL);
        self.told.get_or_insert((reached, Instant::now()));
    }
}

fn has_ended(process: Pid) -> io::Result<bool> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(Id::Pid(process), flags) {
        Ok(WaitStatus::StillAlive) | Err(nix::errno::Errno::EINTR) => Ok(false),
        Ok(_) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// The end of a process that has ended, and what it took.
fn reap(process: Pid) -> io::Result<(ExitStatus, libc::rusage)> {
    loop {
        let mut status = 0;
        // SAFETY: numbers only, so all zeros are a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to variables that outlive the call.
        if unsafe { libc::wait4(process.as_raw(), &mut status, 0, &mut usage) } >= 0 {
            return Ok((ExitStatus::from_raw(status), usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// What a group of processes has taken so far: seconds of processor time, bytes in memory now.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
struct Taken {
    group: i32,
    cpu: f64,
    memory: u64,
}

/// As /proc tells it; nothing where there is no /proc.
fn taken_by(group: Pid) -> Taken {
    let mut sum = Taken { group: group.as_raw(), ..Taken::default() };
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some(one) = taken(&stat).filter(|one| one.group == sum.group) {
            sum.cpu += one.cpu;
            sum.memory += one.memory;
        }
    }
    sum
}

/// A line of /proc/PID/stat. Its times include those of processes that it has waited for.
fn taken(stat: &str) -> Option<Taken> {
    const PAGE: u64 = 4096;
    // The name of the program stands in parentheses, and may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |i: usize| fields.get(i)?.parse::<u64>().ok();
    let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
    Some(Taken {
        group: fields.get(2)?.parse().ok()?,
        cpu: ticks as f64 / TICKS_PER_SECOND,
        memory: number(21)? * PAGE,
    })
}

fn tail(file: &mut File) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(MOST_OUTPUT)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Ended {
        run(Command::new("sh").args(["-c", script]), &limits, &|| false).unwrap()
    }

    #[test]
    fn what_a_process_says_and_takes() {
        let ended = shell("echo out; echo first >&2; echo second >&2; exit 3", Limits::default());
        assert_eq!((ended.status.code(), ended.reached), (Some(3), None));
        assert_eq!((ended.stdout.as_slice(), ended.complaint().as_str()), (b"out\n".as_slice(), "first"));
        assert!(ended.memory > 100 << 10, "{}", ended.memory);
    }

    #[test]
    fn only_processor_time_counts_for_its_limit() {
        let limits = Limits { cpu: Some(Duration::from_millis(100)), ..Limits::default() };
        assert_eq!(shell("sleep 0.4", limits).reached, None);
        let busy = shell("while :; do :; done", limits);
        assert_eq!((busy.reached, busy.status.signal()), (Some(Reached::Time), Some(9)));
        assert!(busy.cpu > 0.05, "{}", busy.cpu);
    }

    #[test]
    fn a_process_may_say_what_it_knows_at_its_limit() {
        let limits = Limits {
            wall: Some(Duration::from_millis(100)),
            grace: Duration::from_secs(20),
            ..Limits::default()
        };
        let ended = shell("trap 'echo so far; exit 5' INT; while :; do sleep 0.01; done", limits);
        assert_eq!((ended.reached, ended.status.code()), (Some(Reached::Time), Some(5)));
        assert_eq!(ended.stdout, b"so far\n");
    }

    #[test]
    fn all_of_a_group_end_at_the_limit() {
        let limits = Limits { wall: Some(Duration::from_millis(100)), ..Limits::default() };
        let begin = Instant::now();
        let ended = shell("sleep 30 & sleep 30", limits);
        assert_eq!(ended.reached, Some(Reached::Time));
        assert!(begin.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn memory_has_a_limit() {
        let limits =
            Limits { memory: Some(50 << 20), wall: Some(Duration::from_secs(30)), ..Limits::default() };
        // The shell keeps all that it reads in one variable.
        let ended = shell("x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 30; echo ${#x}", limits);
        assert_eq!(ended.reached, Some(Reached::Memory));
    }

    #[test]
    fn what_nobody_wants_ends_at_once() {
        let ended = run(Command::new("sleep").arg("30"), &Limits::default(), &|| true).unwrap();
        assert_eq!(ended.reached, Some(Reached::Unwanted));
    }

    #[test]
    fn a_line_of_proc() {
        let stat = "17 (a) b) S 1 17 3 4 5 6 7 8 9 10 100 20 3 7 15 -1 1 0 5 4096 2 99";
        assert_eq!(taken(stat), Some(Taken { group: 17, cpu: 1.3, memory: 8192 }));
        assert_eq!(taken("17 (a) S 1"), None);
    }
}
