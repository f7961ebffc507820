//! One process under limits: how it ended, what it printed, and what it used.
//!
//! The process leads a group of its own, so that its descendants end with it. Its usage has two sources. The kernel
//! counts the times of the process and of the children it has waited for, and the largest peak among them, but nothing
//! of a child that was not waited for, such as that of a wrapper that is killed. So the whole group is sampled in /proc
//! as well, and the larger number counts.

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a process may use. `None`: no limit.
#[derive(Copy, Clone, Default, Debug)]
pub struct ProcessLimits {
    /// On the clock.
    pub wall: Option<Duration>,
    /// Of processor time.
    pub cpu: Option<Duration>,
    /// Resident bytes of the whole group; memory that its processes may share counts once.
    pub memory: Option<u64>,
    /// At a limit the process gets SIGINT, and this much time to report what it knows; then it is killed.
    pub grace: Duration,
}

/// Why a process was told to end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LimitReached {
    Time,
    Memory,
    /// The result is no longer wanted.
    Unwanted,
}

#[derive(Debug)]
pub struct ProcessEnd {
    pub status: ExitStatus,
    pub reached: Option<LimitReached>,
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of processor time.
    pub cpu: f64,
    /// Bytes.
    pub memory: u64,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl ProcessEnd {
    /// The first line of its error output.
    pub fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.stderr).lines().next().unwrap_or("").to_owned()
    }

    /// The name of the signal that killed it.
    pub fn signal(&self) -> Option<String> {
        let number = self.status.signal()?;
        Some(
            Signal::try_from(number).map_or_else(|_| format!("signal {number}"), |signal| signal.to_string()),
        )
    }
}

/// Shortest and longest pause before looking again whether the process has ended: the longer it runs, the longer.
const POLL: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(20));

/// Shortest and longest pause between samples of the group's usage: short at first, for processes that soon end.
const LOOK: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(100));

/// Bytes of output that are kept, from the end.
const MOST_OUTPUT: u64 = 64 << 20;

/// The unit of the times in /proc, on every Linux that we run on.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs a command to its end. `unwanted` is polled; once it is true, the process is killed.
pub fn run(
    command: &mut Command,
    limits: &ProcessLimits,
    unwanted: &dyn Fn() -> bool,
) -> io::Result<ProcessEnd> {
    // Into files: a pipe that nobody reads fills up and blocks the process.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?).process_group(0);
    let begin = Instant::now();
    let child = command.spawn()?;
    let group = Pid::from_raw(child.id() as i32);
    let mut watch = Watch { group, begin, limits, told: None, cpu: 0.0, memory: peak(group) };
    watch.wait(unwanted)?;
    let wall = begin.elapsed().as_secs_f64();
    // For what the process has left behind. Until it is reaped, the number of its group cannot be reused.
    let _ = killpg(watch.group, Signal::SIGKILL);
    let (status, usage) = reap(watch.group)?;
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(ProcessEnd {
        status,
        reached: watch.told.map(|(reached, _)| reached),
        wall,
        cpu: watch.cpu.max(seconds(usage.ru_utime) + seconds(usage.ru_stime)),
        memory: most(watch.memory, usage.ru_maxrss.max(0) as u64 * 1024, peak(Pid::this())),
        stdout: tail(&mut stdout)?,
        stderr: tail(&mut stderr)?,
    })
}

struct Watch<'a> {
    group: Pid,
    begin: Instant,
    limits: &'a ProcessLimits,
    /// Why and when it was told to end.
    told: Option<(LimitReached, Instant)>,
    /// The largest samples: seconds of processor time, and bytes.
    cpu: f64,
    memory: u64,
}

impl Watch<'_> {
    /// Waits until the process has ended, without reaping it.
    fn wait(&mut self, unwanted: &dyn Fn() -> bool) -> io::Result<()> {
        let mut looked = self.begin;
        while !has_ended(self.group)? {
            if self.told.is_none() && unwanted() {
                self.kill(LimitReached::Unwanted);
            }
            self.memory = self.memory.max(peak(self.group));
            if looked.elapsed() > (self.begin.elapsed() / 4).clamp(LOOK.0, LOOK.1) {
                looked = Instant::now();
                self.look(looked);
            }
            std::thread::sleep((self.begin.elapsed() / 100).clamp(POLL.0, POLL.1));
        }
        Ok(())
    }

    fn look(&mut self, now: Instant) {
        let taken = taken_by(self.group);
        self.cpu = self.cpu.max(taken.cpu);
        self.memory = self.memory.max(taken.memory).max(taken.largest);
        match self.told {
            None => {
                if let Some(reached) = self.reached(&taken) {
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

    fn reached(&self, taken: &Taken) -> Option<LimitReached> {
        if self.limits.wall.is_some_and(|limit| self.begin.elapsed() > limit)
            || self.limits.cpu.is_some_and(|limit| taken.cpu > limit.as_secs_f64())
        {
            Some(LimitReached::Time)
        } else if self.limits.memory.is_some_and(|limit| taken.memory > limit) {
            Some(LimitReached::Memory)
        } else {
            None
        }
    }

    fn kill(&mut self, reached: LimitReached) {
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

/// The exit status of a process that has ended, and its usage.
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

/// By how much the kernel's two counts of our own memory may differ: each processor counts for itself at first.
const VAGUE: u64 = 2 << 20;

/// The peak in bytes, from the samples and the kernel's count. To the kernel a child is as large as we are until its
/// exec, so its count means something only if it exceeds `ours`. Otherwise the samples count, which may miss how a
/// process grew in its last moments.
fn most(seen: u64, counted: u64, ours: u64) -> u64 {
    if seen > 0 && counted <= ours + VAGUE { seen } else { seen.max(counted) }
}

/// What a group of processes has used so far: seconds of processor time, bytes in memory now, and the peak of the
/// largest.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
struct Taken {
    cpu: f64,
    memory: u64,
    largest: u64,
}

/// From /proc; zeros where there is no /proc.
fn taken_by(group: Pid) -> Taken {
    let mut sum = Taken::default();
    let mut shared = 0;
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some((_, cpu)) = group_and_time(&stat).filter(|(of, _)| *of == group.as_raw()) {
            let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
            sum.cpu += cpu;
            sum.memory += size(&status, "RssAnon:");
            // Mostly libraries, and mostly the same ones in all processes: a sum would count them many times.
            shared = shared.max(size(&status, "RssFile:") + size(&status, "RssShmem:"));
            sum.largest = sum.largest.max(size(&status, "VmHWM:"));
        }
    }
    sum.memory += shared;
    sum
}

/// The peak of a process since its exec, in bytes.
fn peak(process: Pid) -> u64 {
    size(&std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default(), "VmHWM:")
}

/// From a line of /proc/PID/stat: the group, and seconds of processor time, those of waited-for children included.
fn group_and_time(stat: &str) -> Option<(i32, f64)> {
    // The name of the program stands in parentheses, and may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |i: usize| fields.get(i)?.parse::<u64>().ok();
    let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
    Some((fields.get(2)?.parse().ok()?, ticks as f64 / TICKS_PER_SECOND))
}

/// Bytes, from a line of /proc/PID/status; 0 for a process that has ended. /proc/PID/stat counts in pages, whose size
/// differs between systems.
fn size(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(0, |n| n * 1024)
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

    fn shell(script: &str, limits: ProcessLimits) -> ProcessEnd {
        run(Command::new("sh").args(["-c", script]), &limits, &|| false).unwrap()
    }

    /// The script in a child that its parent does not wait for.
    fn wrapped(script: &str, limits: ProcessLimits) -> ProcessEnd {
        run(Command::new("sh").args(["-c", "sh -c \"$0\" & exec sleep 60", script]), &limits, &|| false)
            .unwrap()
    }

    #[test]
    fn what_a_process_says_and_takes() {
        let ended = shell("echo out; echo first >&2; echo second >&2; exit 3", ProcessLimits::default());
        assert_eq!((ended.status.code(), ended.reached), (Some(3), None));
        assert_eq!((ended.stdout.as_slice(), ended.complaint().as_str()), (b"out\n".as_slice(), "first"));
        assert!(ended.memory > 0);
    }

    #[test]
    fn only_processor_time_counts_for_its_limit() {
        let limits = ProcessLimits { cpu: Some(Duration::from_millis(100)), ..ProcessLimits::default() };
        assert_eq!(shell("sleep 0.4", limits).reached, None);
        let busy = shell("while :; do :; done", limits);
        assert_eq!((busy.reached, busy.status.signal()), (Some(LimitReached::Time), Some(9)));
        assert!(busy.cpu > 0.05, "{}", busy.cpu);
    }

    #[test]
    fn a_process_may_say_what_it_knows_at_its_limit() {
        let limits = ProcessLimits {
            wall: Some(Duration::from_millis(100)),
            grace: Duration::from_secs(20),
            ..ProcessLimits::default()
        };
        let ended = shell("trap 'echo so far; exit 5' INT; while :; do sleep 0.01; done", limits);
        assert_eq!((ended.reached, ended.status.code()), (Some(LimitReached::Time), Some(5)));
        assert_eq!(ended.stdout, b"so far\n");
    }

    #[test]
    fn all_of_a_group_end_at_the_limit() {
        let limits = ProcessLimits { wall: Some(Duration::from_millis(100)), ..ProcessLimits::default() };
        let begin = Instant::now();
        let ended = shell("sleep 30 & sleep 30", limits);
        assert_eq!(ended.reached, Some(LimitReached::Time));
        assert!(begin.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn memory_has_a_limit() {
        let limits = ProcessLimits {
            memory: Some(50 << 20),
            wall: Some(Duration::from_secs(30)),
            ..ProcessLimits::default()
        };
        // The shell keeps all that it reads in one variable.
        let ended = shell("x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 30; echo ${#x}", limits);
        assert_eq!(ended.reached, Some(LimitReached::Memory));
    }

    #[test]
    fn what_nobody_wants_ends_at_once() {
        let ended = run(Command::new("sleep").arg("30"), &ProcessLimits::default(), &|| true).unwrap();
        assert_eq!(ended.reached, Some(LimitReached::Unwanted));
    }

    #[test]
    fn what_nobody_waited_for_counts() {
        let limits = ProcessLimits { wall: Some(Duration::from_secs(3)), ..ProcessLimits::default() };
        let ended = wrapped("x=$(head -c 100000000 /dev/zero | tr '\\0' x); while :; do :; done", limits);
        assert_eq!(ended.reached, Some(LimitReached::Time));
        assert!(ended.cpu > 0.2, "{}", ended.cpu);
        assert!(ended.memory > 90 << 20, "{}", ended.memory);
    }

    #[test]
    fn what_is_killed_for_its_memory_took_more_than_that() {
        let limits = ProcessLimits {
            memory: Some(50 << 20),
            wall: Some(Duration::from_secs(30)),
            ..ProcessLimits::default()
        };
        let ended = wrapped("x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 30; echo ${#x}", limits);
        assert_eq!(ended.reached, Some(LimitReached::Memory));
        assert!(ended.memory > 50 << 20, "{}", ended.memory);
    }

    /// Each process has some hundred kilobytes of its own, and a library that all share.
    #[test]
    fn what_processes_share_counts_once() {
        let wait = "sleep 0.5 & ";
        let one = shell(&format!("{wait} wait"), ProcessLimits::default()).memory;
        let many = shell(&format!("{} wait", wait.repeat(20)), ProcessLimits::default()).memory;
        assert!(many < 5 * one, "{one} {many}");
    }

    #[test]
    fn our_own_size_is_not_that_of_a_tool() {
        let ours = std::hint::black_box(vec![1_u8; 100 << 20]);
        let ended = shell("sleep 0.1", ProcessLimits::default());
        assert!((100 << 10..20 << 20).contains(&ended.memory), "{}", ended.memory);
        drop(ours);
    }

    #[test]
    fn the_peak_is_the_larger_number_where_both_mean_something() {
        let mega = |n: u64| n << 20;
        assert_eq!(most(mega(5), mega(57), mega(57)), mega(5));
        assert_eq!(most(mega(5), mega(80), mega(57)), mega(80));
        assert_eq!(most(mega(150), mega(80), mega(57)), mega(150));
        assert_eq!(most(mega(150), mega(57), mega(57)), mega(150));
        assert_eq!(most(0, mega(57), mega(57)), mega(57), "too quick to be sampled");
    }

    #[test]
    fn lines_of_proc() {
        let stat = "17 (a) b) S 1 17 3 4 5 6 7 8 9 10 100 20 3 7 15 -1 1 0 5 4096 2 99";
        assert_eq!(group_and_time(stat), Some((17, 1.3)));
        assert_eq!(group_and_time("17 (a) S 1"), None);
        let status = "Name:\tVmHWM:\nVmPeak:\t  9 kB\nVmHWM:\t    2048 kB\nRssAnon:\t    1024 kB\n";
        assert_eq!((size(status, "VmHWM:"), size(status, "RssAnon:")), (2 << 20, 1 << 20));
        assert_eq!(size("Name:\tgone\nState:\tZ (zombie)\n", "VmHWM:"), 0);
    }
}
