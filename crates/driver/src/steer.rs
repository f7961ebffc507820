//! Which write can each read see? Runs that aim at pairs of a write and a read that no run has shown yet.
//!
//! Random schedules repeat the same few pairs again and again; a failure often needs one that they rarely make
//! (Wolff et al., *Greybox Fuzzing for Concurrency Testing*, ASPLOS 2024). So the accesses of each run are noted, and a run that
//! showed a new pair is kept. A later run follows a kept one up to a read of it, and makes that read see another
//! write to the same place in memory: a later one, by holding the reader back until that write has happened; or an
//! earlier one, by letting the reader go ahead as soon as it has happened. Of some such pairs, the one that was shown
//! and tried least is taken. What follows the pair is random.
//!
//! A pair is named by its two places in the source, and whether one thread does both. It only decides what is tried next.

use rustc_hash::FxHashMap;
use tp_ir::PlaceId;
use tp_machine::{
    AccessKind, Choice, Clock, ObservedAccess, Observer, Random, Schedule, ThreadNumber, Trace,
};

/// Accesses that are noted of one run; later ones are not aimed at.
const MAX_ACCESSES: usize = 1 << 14;

/// Runs that are kept to start from.
const MAX_KEPT: usize = 256;

/// Pairs of which the rarest is taken.
const CANDIDATES: usize = 16;

/// Memory is compared in words of this many bytes, by where an access begins.
const WORD: u64 = 8;

/// The accesses of one run.
#[derive(Default)]
pub struct Accesses(Vec<Seen>);

/// One access to one word.
#[derive(Copy, Clone)]
struct Seen {
    step: u64,
    thread: ThreadNumber,
    place: Option<PlaceId>,
    word: (u64, u64),
    reads: bool,
    writes: bool,
}

impl Observer for Accesses {
    fn access(&mut self, access: ObservedAccess) {
        if self.0.len() < MAX_ACCESSES {
            let ObservedAccess { step, thread, place, object, offset, kind, .. } = access;
            let reads = matches!(kind, AccessKind::Read | AccessKind::ReadWrite);
            let writes = kind != AccessKind::Read;
            self.0.push(Seen { step, thread, place, word: (object, offset / WORD), reads, writes });
        }
    }
}

/// A write and a read that sees it; without a write, the read sees what was there at the beginning.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Pair {
    write: Option<PlaceId>,
    read: Option<PlaceId>,
    same_thread: bool,
}

impl Pair {
    fn of(write: Option<&Seen>, read: &Seen) -> Pair {
        Pair {
            write: write.and_then(|w| w.place),
            read: read.place,
            same_thread: write.is_some_and(|w| w.thread == read.thread),
        }
    }
}

/// A run to start from.
struct Kept {
    /// Up to the last access.
    schedule: Vec<(ThreadNumber, u64)>,
    /// The seed of its inputs.
    seed: u64,
    accesses: Vec<Seen>,
    /// For each access that reads, the write that it saw.
    sources: Vec<Option<usize>>,
    /// The accesses that write a word, in their order.
    writes: FxHashMap<(u64, u64), Vec<usize>>,
}

/// What the runs have shown so far.
#[derive(Default)]
pub struct PairsSeen {
    /// How often each pair was shown or tried.
    counts: FxHashMap<Pair, u64>,
    kept: Vec<Kept>,
    replaced: usize,
}

/// What a run is to do.
pub struct Aim {
    pub schedule: Steered,
    /// The seed of its inputs.
    pub seed: u64,
}

impl PairsSeen {
    /// Notes what a run has shown, and keeps it if something is new.
    pub fn note(&mut self, accesses: Accesses, trace: &Trace, seed: u64) {
        let accesses = accesses.0;
        let mut writes: FxHashMap<(u64, u64), Vec<usize>> = FxHashMap::default();
        let mut sources = vec![None; accesses.len()];
        let mut is_new = false;
        for (i, access) in accesses.iter().enumerate() {
            if access.reads {
                sources[i] = writes.get(&access.word).and_then(|w| w.last()).copied();
                let count =
                    self.counts.entry(Pair::of(sources[i].map(|w| &accesses[w]), access)).or_insert(0);
                is_new |= *count == 0;
                *count += 1;
            }
            if access.writes {
                writes.entry(access.word).or_default().push(i);
            }
        }
        if is_new {
            let schedule = beginning(trace.schedule(), accesses.last().map_or(0, |access| access.step));
            let kept = Kept { schedule, seed, accesses, sources, writes };
            if self.kept.len() < MAX_KEPT {
                self.kept.push(kept);
            } else {
                self.kept[self.replaced % MAX_KEPT] = kept;
                self.replaced += 1;
            }
        }
    }

    /// A run that aims at a pair that is rare so far; `None` if there is nothing to aim at.
    pub fn aim(&mut self, seed: u64) -> Option<Aim> {
        let mut random = Random::new(seed);
        let mut best: Option<(u64, Pair, &Kept, Target)> = None;
        for _ in 0..CANDIDATES {
            let Some((kept, read, write)) = self.candidate(&mut random) else { continue };
            let pair = Pair::of(Some(&kept.accesses[write]), &kept.accesses[read]);
            let count = self.counts.get(&pair).copied().unwrap_or(0);
            if best.as_ref().is_none_or(|b| count < b.0) {
                best = Some((count, pair, kept, kept.target(read, write)));
            }
        }
        let (_, pair, kept, target) = best?;
        let aim = Aim { schedule: Steered::new(&kept.schedule, target, seed), seed: kept.seed };
        *self.counts.entry(pair).or_insert(0) += 1;
        Some(aim)
    }

    /// A read of a kept run, and a write that it could have seen instead.
    fn candidate(&self, random: &mut Random) -> Option<(&Kept, usize, usize)> {
        let kept = self.kept.get(random.below(self.kept.len() as u64) as usize)?;
        let read = random.below(kept.accesses.len() as u64) as usize;
        let access = kept.accesses.get(read).filter(|a| a.reads)?;
        let writes = kept.writes.get(&access.word)?;
        let write = writes[random.below(writes.len() as u64) as usize];
        let other = &kept.accesses[write];
        let is_possible =
            other.step < access.step || other.step > access.step && other.thread != access.thread;
        (kept.sources[read] != Some(write) && is_possible).then_some((kept, read, write))
    }
}

/// What a steered run does after the steps that it has in common with another run.
struct Target {
    /// Steps in common.
    common: u64,
    /// This thread goes on alone …
    first: ThreadNumber,
    /// … for this many steps,
    steps: u64,
    /// while this one waits, and then takes a step.
    held: Option<ThreadNumber>,
}

impl Kept {
    fn target(&self, read: usize, write: usize) -> Target {
        let (reader, writer) = (&self.accesses[read], &self.accesses[write]);
        if writer.step > reader.step {
            let common = reader.step - 1;
            let steps = steps_of(&self.schedule, writer.thread, common, writer.step);
            Target { common, first: writer.thread, steps, held: Some(reader.thread) }
        } else {
            let steps = steps_of(&self.schedule, reader.thread, writer.step, reader.step);
            Target { common: writer.step, first: reader.thread, steps, held: None }
        }
    }
}

/// The first steps of a schedule.
fn beginning(schedule: &[(ThreadNumber, u64)], steps: u64) -> Vec<(ThreadNumber, u64)> {
    let mut left = steps;
    let mut first = Vec::new();
    for &(thread, count) in schedule {
        let count = count.min(left);
        if count == 0 {
            break;
        }
        first.push((thread, count));
        left -= count;
    }
    first
}

/// How many steps the thread took after the first `from` ones up to the step `to`.
fn steps_of(schedule: &[(ThreadNumber, u64)], thread: ThreadNumber, from: u64, to: u64) -> u64 {
    let mut at = 0;
    let mut steps = 0;
    for &(number, count) in schedule {
        let (begin, end) = (at.max(from), (at + count).min(to));
        if number == thread && begin < end {
            steps += end - begin;
        }
        at += count;
        if at >= to {
            break;
        }
    }
    steps
}

/// Follows another run as far as the program does, makes a read see another write, and goes on at random.
pub struct Steered {
    /// The steps in common, as runs of the same thread, the first last.
    common: Vec<(ThreadNumber, u64)>,
    target: Target,
    random: Random,
    clock: Clock,
}

impl Steered {
    fn new(schedule: &[(ThreadNumber, u64)], target: Target, seed: u64) -> Steered {
        let mut common = beginning(schedule, target.common);
        common.reverse();
        Steered { common, target, random: Random::new(seed), clock: Clock::new(seed) }
    }

    fn any(&mut self, among: &[ThreadNumber]) -> Option<ThreadNumber> {
        among.get(self.random.below(among.len() as u64) as usize).copied()
    }
}

impl Schedule for Steered {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        let can = |thread: ThreadNumber| choice.enabled.binary_search(&thread).is_ok();
        if let Some((thread, _)) = self.common.last() {
            if can(*thread) {
                return Some(*thread);
            }
            self.common.clear();
        }
        if self.target.steps > 0 {
            if can(self.target.first) {
                return Some(self.target.first);
            }
            let others: Vec<ThreadNumber> =
                choice.enabled.iter().copied().filter(|t| Some(*t) != self.target.held).collect();
            if let Some(other) = self.any(&others) {
                return Some(other);
            }
            // Nobody can write before the reader goes on.
            self.target.steps = 0;
        }
        if let Some(reader) = self.target.held.take()
            && can(reader)
        {
            return Some(reader);
        }
        self.any(choice.enabled)
    }

    fn stepped(&mut self, thread: ThreadNumber, _counts: bool) {
        if let Some(run) = self.common.last_mut() {
            run.1 -= 1;
            if run.1 == 0 {
                self.common.pop();
            }
        } else if thread == self.target.first {
            self.target.steps = self.target.steps.saturating_sub(1);
        }
    }

    fn clock(&mut self) -> Option<&mut Clock> {
        if self.common.is_empty() { Some(&mut self.clock) } else { None }
    }
}
