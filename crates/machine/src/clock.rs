//! Virtual time, for schedules that are to look like those of a real machine.
//!
//! What a program means does not depend on it: any time may pass between two steps, so a thread that sleeps can go on, and
//! a timed wait can time out, at any moment (`Op::Rest`). But on a real machine nearly all sleeps outlast what other threads
//! compute meanwhile. So here a thread rests until its time is reached, which the clock does by a jump when every other
//! thread waits or rests. Some rests end early, in the midst of what others do: a machine can be slow.

use crate::decide::Random;
use crate::trace::ThreadNumber;

/// One rest in this many ends early: half of these at once.
const EARLY: u64 = 4;

/// The other half ends after 2^0 to 2^this choices.
const EARLY_CHOICES: u64 = 8;

/// A rest ends after this many choices at the latest: another thread may wait for it in a loop.
const LONGEST: u64 = 50_000;

struct Rest {
    thread: ThreadNumber,
    /// Nanoseconds since the program began.
    until: u128,
    /// The number of the choice that ends it.
    ends_at: u64,
    is_over: bool,
}

pub struct Clock {
    random: Random,
    now: u128,
    /// How often a thread was chosen.
    choices: u64,
    rests: Vec<Rest>,
}

/// When a rest ends, in nanoseconds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RestEnd {
    After(u128),
    /// Since the program began.
    At(u128),
}

impl Clock {
    pub fn new(seed: u64) -> Clock {
        Clock { random: Random::new(seed ^ 0x0074_696d_6573), now: 0, choices: 0, rests: Vec::new() }
    }

    /// Whether the thread, which tries to take a step that sleeps, has to rest.
    pub(crate) fn rests(&mut self, thread: ThreadNumber, end: RestEnd) -> bool {
        if !self.rests.iter().any(|r| r.thread == thread) {
            let until = match end {
                RestEnd::After(span) => self.now.saturating_add(span),
                RestEnd::At(moment) => moment,
            };
            let choices = match self.random.below(2 * EARLY) {
                0 => 0,
                1 => 1 << self.random.below(EARLY_CHOICES + 1),
                _ => LONGEST,
            };
            let is_over = until <= self.now || choices == 0;
            self.rests.push(Rest { thread, until, ends_at: self.choices + choices, is_over });
        }
        let rest = self.rests.iter().find(|r| r.thread == thread);
        match rest {
            Some(rest) if rest.is_over => {
                self.now = self.now.max(rest.until);
                false
            }
            _ => true,
        }
    }

    /// The thread took a step.
    pub(crate) fn stepped(&mut self, thread: ThreadNumber) {
        self.rests.retain(|r| r.thread != thread);
    }

    /// Another choice is made. `true`: a rest is over by now.
    pub(crate) fn ticks(&mut self) -> bool {
        self.choices += 1;
        let mut any = false;
        for rest in self.rests.iter_mut().filter(|r| !r.is_over && r.ends_at <= self.choices) {
            rest.is_over = true;
            any = true;
        }
        any
    }

    /// Only resting threads are left: the first moment that one of them rests for is reached.
    pub(crate) fn jumps(&mut self) {
        let first = self.rests.iter().filter(|r| !r.is_over).map(|r| r.until).min();
        for rest in &mut self.rests {
            rest.is_over |= Some(rest.until) == first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u128 = 1_000_000_000;

    #[test]
    fn the_clock_jumps_to_the_first_deadline() {
        let mut clock = Clock::new(1);
        assert!(!clock.rests(0, RestEnd::At(0)), "the deadline is past");
        assert!(clock.rests(1, RestEnd::After(2 * SECOND)));
        assert!(clock.rests(2, RestEnd::At(SECOND)));
        clock.jumps();
        assert!(clock.rests(1, RestEnd::After(2 * SECOND)));
        assert!(!clock.rests(2, RestEnd::At(SECOND)));
        clock.stepped(2);
        assert!(clock.rests(2, RestEnd::After(2 * SECOND)), "until three seconds after the beginning");
        clock.jumps();
        assert!(clock.rests(2, RestEnd::After(2 * SECOND)));
        assert!(!clock.rests(1, RestEnd::After(2 * SECOND)));
    }

    #[test]
    fn some_rests_end_early_and_none_lasts_for_ever() {
        let ends = |seed| {
            let mut clock = Clock::new(seed);
            if clock.rests(0, RestEnd::After(SECOND)) { (1..).find(|_| clock.ticks()) } else { Some(0) }
        };
        let early = (0..800).filter(|seed| ends(*seed).is_some_and(|n| n <= 1 << EARLY_CHOICES)).count();
        assert!((150..250).contains(&early), "{early} of 800");
        assert!((0..800).all(|seed| ends(seed).is_some_and(|n| n <= LONGEST)));
    }
}
