//! The ledger: what a verdict rests on. A reader who is told *safe* can see here what was meant by it.

mod bounds;

use crate::Verdict;
use crate::diagnostic::SourceSpot;
use crate::verdict::count;
pub use bounds::Bounds;
use serde::Serialize;
use tp_ir::{Checks, Property};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ledger {
    /// The properties that were looked for, by word.
    pub checks: Vec<&'static str>,
    /// Those that were not looked for.
    pub not_checked: Vec<&'static str>,
    /// Undefined behaviour that no property covers, and that the program could have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<&'static str>,
    /// Those that were looked for without an answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<&'static str>,
    pub memory_model: &'static str,
    /// Lines with weaker atomics: what only a weaker memory model allows was not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weak_orders: Vec<SourceSpot>,
    /// How often a thread that waits on a condition variable is woken without a signal: `never`, `once`, `always`.
    pub spurious_wakeups: &'static str,
    /// Whether the program waits on condition variables at all.
    #[serde(skip)]
    pub uses_conditions: bool,
    /// The program frees memory and compares addresses: whether freed memory may be reused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<bool>,
    /// The program compares the result of pointer arithmetic.
    #[serde(skip)]
    pub compares_addresses: bool,
    /// Loops that do nothing and never end: it is assumed that nobody waits for a thread in one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub endless: Vec<SourceSpot>,
    /// The program compares addresses, some of them of locals.
    #[serde(skip)]
    pub compares_locals: bool,
    /// The program frees memory and computes with addresses; since it compares none, freed memory is not given out
    /// again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub frees_for_good: bool,
    /// The program frees memory, and only the headers of the C++ library compare addresses: freed memory is not given out
    /// again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_library_compares: bool,
    /// The program compares addresses and enlarges memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub moves_enlarged: bool,
    /// The program compares the ids of threads, which are not reused.
    #[serde(skip)]
    pub compares_threads: bool,
    /// The program can observe that the same seed repeats the random numbers.
    #[serde(skip)]
    pub repeats_seeds: bool,
    /// The program turns addresses into numbers.
    pub sees_addresses: bool,
    /// Where objects are then assumed to lie.
    #[serde(skip)]
    pub layout: &'static str,
    /// Functions that may fail for lack of resources, and are assumed not to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never_fail: Vec<Box<str>>,
    /// The program looks at a clock.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub looks_at_clock: bool,
    /// The program cancels threads.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cancels: bool,
    /// A weak compare-exchange can fail where it would succeed.
    pub spurious_failures: bool,
    /// Whether the program has a weak compare-exchange.
    #[serde(skip)]
    pub uses_weak_exchange: bool,
    /// The files that are there when the program begins, if it asks for any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<LedgerFile>>,
    /// What standard input is, if that is given and used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// How many bytes the outside sends on each of its connections, if the program makes or accepts any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<Vec<u32>>,
    /// The program opens something, and reads and writes are taken not to fail.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_io_errors: bool,
    /// The program has to do with signals: whether these come, and handlers run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<bool>,
    /// Functions without body and model that were taken to return any value and change nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed_pure: Vec<Box<str>>,
    /// Files that LLVM has optimised before they were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub optimised: Vec<String>,
    /// Variables that are declared but not defined: they hold any value at first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undefined_variables: Vec<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// The verdict holds up to the first undefined behaviour, of which some was not looked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub until_undefined: bool,
    /// The program can start threads, and no execution does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_threads: bool,
    /// Properties of which more is known than the verdict says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub already: Vec<Already>,
    /// Executions that were explored when the work was stopped; none of them fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateFile>,
}

/// A file that the program finds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LedgerFile {
    pub name: String,
    /// Its contents are this many bytes of input; `None`: those that were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any: Option<u32>,
}

/// A proof that others can check, and its size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CertificateFile {
    pub path: String,
    pub lemmas: u64,
    pub steps: u64,
    /// Pairs of accesses that facts of an analysis show not to race.
    #[serde(skip_serializing_if = "is_zero")]
    pub pairs: u64,
}

/// A part of what was looked for, and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Already {
    /// By word.
    pub checks: Vec<&'static str>,
    /// For people.
    pub verdict: String,
}

impl Already {
    pub fn new(checks: Checks, verdict: &Verdict) -> Already {
        let checks = Property::ALL.into_iter().filter(|p| checks.has(*p)).map(Property::word).collect();
        Already { checks, verdict: verdict.words() }
    }
}

/// The most places to name; a program can have hundreds.
const SHOWN: usize = 5;

const MEMORY_ERRORS: [Property; 6] = [
    Property::InvalidDeref,
    Property::OutOfBounds,
    Property::UseAfterFree,
    Property::DoubleFree,
    Property::InvalidFree,
    Property::Leak,
];

const ARITHMETIC_ERRORS: [Property; 4] =
    [Property::DivisionByZero, Property::Overflow, Property::Shift, Property::FloatConversion];

/// Properties as a reader groups them.
const GROUPS: [(&str, &[Property]); 11] = [
    ("failed assertions", &[Property::Assert]),
    ("error calls", &[Property::ReachError]),
    ("lock misuse", &[Property::Lock]),
    ("data races", &[Property::Race]),
    ("deadlocks", &[Property::Deadlock]),
    ("waiting for ever in loops", &[Property::Stuck]),
    ("memory errors", &MEMORY_ERRORS),
    ("uninitialised reads", &[Property::Uninitialised]),
    ("arithmetic errors", &ARITHMETIC_ERRORS),
    ("unsafe calls in signal handlers", &[Property::Signal]),
    ("memory not freed at the end", &[Property::Cleanup]),
];

impl Ledger {
    /// The ledger of these checks, under sequential consistency.
    pub fn new(checks: Checks, spurious_wakeups: &'static str, spurious_failures: bool) -> Ledger {
        let words = |wanted: bool| {
            let chosen = Property::ALL.into_iter().filter(|p| checks.has(*p) == wanted);
            chosen.filter(|p| wanted || Checks::ALL.has(*p)).map(Property::word).collect()
        };
        Ledger {
            checks: words(true),
            not_checked: words(false),
            unchecked: Vec::new(),
            undecided: Vec::new(),
            memory_model: "sequentially consistent",
            weak_orders: Vec::new(),
            spurious_wakeups,
            uses_conditions: false,
            reuse: None,
            frees_for_good: false,
            only_library_compares: false,
            moves_enlarged: false,
            compares_addresses: false,
            endless: Vec::new(),
            compares_locals: false,
            compares_threads: false,
            repeats_seeds: false,
            sees_addresses: false,
            layout: "objects lie far apart, at multiples of 64",
            never_fail: Vec::new(),
            looks_at_clock: false,
            cancels: false,
            spurious_failures,
            uses_weak_exchange: false,
            files: None,
            stdin: None,
            connections: None,
            no_io_errors: false,
            signals: None,
            assumed_pure: Vec::new(),
            optimised: Vec::new(),
            undefined_variables: Vec::new(),
            bounds: None,
            until_undefined: false,
            no_threads: false,
            already: Vec::new(),
            explored: None,
            certificate: None,
        }
    }

    /// These were looked for, and have stayed undecided.
    pub fn leave_open(&mut self, open: Checks) {
        let is_open = |word: &&'static str| Property::from_word(word).is_some_and(|p| open.has(p));
        self.undecided = self.checks.iter().copied().filter(is_open).collect();
        self.checks.retain(|word| !is_open(word));
    }

    /// What the memory model leaves out, if the program has weaker atomics.
    fn weaker(&self) -> String {
        if self.weak_orders.is_empty() {
            return String::new();
        }
        let (shown, more) = (shown(&self.weak_orders), more(self.weak_orders.len()));
        format!("; not looked at: what only the weaker memory orders allow, at {shown}{more}")
    }

    /// Which files a program that asks for files finds.
    fn files(&self) -> Option<String> {
        let files = self.files.as_ref()?;
        let one = |file: &LedgerFile| match file.any {
            None => format!("`{}` (the contents given)", file.name),
            Some(1) => format!("`{}` (any byte)", file.name),
            Some(size) => format!("`{}` (any {size} bytes)", file.name),
        };
        let all: Vec<String> = files.iter().map(one).collect();
        Some(match all.is_empty() {
            true => "files: none but those that the program makes (--file NAME=PATH)".to_owned(),
            false => format!("files: {}; other names do not exist", all.join(", ")),
        })
    }

    /// The connections with the outside.
    fn connections(&self) -> Option<String> {
        let given = self.connections.as_ref()?;
        let bytes = |n: &u32| format!("any {}", count((*n).into(), "byte"));
        let all: Vec<String> = given.iter().map(bytes).collect();
        Some(match all.is_empty() {
            true => "connections: none with the outside (--connection N)".to_owned(),
            false => format!(
                "connections with the outside: {}, which sends {}; it is late once at most where the program does not wait",
                count(all.len() as u64, "connection"),
                all.join(", "),
            ),
        })
    }

    /// What was assumed of the program and of the world, a line each.
    fn assumed(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let assumed = [
            ("assumed to return any value and change nothing", &self.assumed_pure),
            ("not defined, so any initial value", &self.undefined_variables),
        ];
        for (what, names) in assumed.into_iter().filter(|a| !a.1.is_empty()) {
            let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
            lines.push(format!("{what}: {}", names.join(", ")));
        }
        for path in &self.optimised {
            lines.push(format!(
                "{path} was optimised before: accesses of its source may have been moved or left out"
            ));
        }
        lines.extend(self.files());
        if let Some(path) = &self.stdin {
            lines.push(format!("standard input: the contents of {path}"));
        }
        lines.extend(self.connections());
        if self.no_io_errors {
            lines.push(
                "assumed: reads and writes of files neither fail nor stop early (--io-errors: they may)"
                    .to_owned(),
            );
        }
        lines.extend(self.signals.map(|come| match come {
            true => {
                "assumed: from outside each signal comes at most once, to one of the first four threads (--no-signals: none)"
            }
            false => "assumed: no signal comes from outside, and no handler runs (--no-signals)",
        }.to_owned()));
        let wakes = match self.spurious_wakeups {
            "never" => Some("condition variables wake only when signalled (--no-spurious-wakeups)"),
            "once" => {
                Some("a thread is woken without a signal at most once (--spurious-wakeups: any number)")
            }
            _ => None,
        };
        if let Some(wakes) = wakes.filter(|_| self.uses_conditions) {
            lines.push(format!("assumed: {wakes}"));
        }
        if self.uses_weak_exchange && !self.spurious_failures {
            lines.push(
                "assumed: a weak compare-exchange fails only for another value (--no-spurious-failures)"
                    .to_owned(),
            );
        }
        if self.sees_addresses {
            lines.push(format!("assumed of addresses as numbers: {}", self.layout));
        }
        if let Some((last, others)) = self.never_fail.split_last() {
            let others: String = others.iter().map(|name| format!("`{name}`, ")).collect();
            let verb = if others.is_empty() { "does" } else { "do" };
            lines.push(format!("assumed: {others}`{last}` {verb} not fail"));
        }
        if self.looks_at_clock {
            lines.push(
                "assumed: it is 2025 when the program begins, and eighteen hours pass at most between two looks at the clock"
                    .to_owned(),
            );
        }
        if self.cancels {
            lines.push(
                "assumed: a thread is cancelled only where POSIX requires it, not in functions where that is optional, such as `printf`"
                    .to_owned(),
            );
        }
        let again = [
            (
                self.reuse == Some(true),
                "only the three blocks freed last are reused, for blocks of the same size",
            ),
            (self.reuse == Some(false), "freed memory is not reused (--no-reuse)"),
            (
                self.frees_for_good,
                "freed memory is not reused, as the program compares no addresses for equality",
            ),
            (
                self.only_library_compares,
                "freed memory is not reused, as only the library's headers compare addresses for equality",
            ),
            (self.moves_enlarged, "memory that `realloc` enlarges is moved"),
            (self.compares_addresses, "no object begins where another one ends"),
            (self.compares_locals, "a local never lies where another one was"),
            (self.compares_threads, "the id of a thread is never that of another one (--no-reuse)"),
            (
                self.repeats_seeds,
                "`rand` and `random` draw any numbers from one generator, and the same seed gives the first 16 again",
            ),
        ];
        if let Some(first) = self.endless.first() {
            let more = match self.endless.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            lines.push(format!("assumed: nobody waits for a thread in the endless loop at {first}{more}"));
        }
        lines.extend(again.iter().filter(|row| row.0).map(|row| format!("assumed: {}", row.1)));
        lines
    }

    /// A few lines, the most important first.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(bounds) = &self.bounds {
            lines.extend(bounds.lines());
        }
        if self.until_undefined {
            lines.push("shown up to the first undefined behaviour that was not looked for".to_owned());
        }
        if self.no_threads {
            lines.push("no thread is started: with these arguments the program ends first".to_owned());
        }
        for part in &self.already {
            lines.push(format!("already {}: {}", part.verdict, groups(&part.checks)));
        }
        if let Some(traces) = self.explored {
            let ending = if traces == 1 { "" } else { "s" };
            lines.push(format!("explored so far: {traces} trace{ending}, none of which fails"));
        }
        lines.extend(self.assumed());
        lines.push(format!("looked for: {}", groups(&self.checks)));
        if !self.undecided.is_empty() {
            lines.push(format!("not decided: {}", groups(&self.undecided)));
        }
        let missing = Some(groups(&self.not_checked)).filter(|groups| !groups.is_empty());
        let unchecked = self.unchecked.iter().map(|what| (*what).to_owned());
        let missing: Vec<String> = missing.into_iter().chain(unchecked).collect();
        if !missing.is_empty() {
            lines.push(format!("not looked for: {}", missing.join(", ")));
        }
        lines.push(format!("memory model: {}{}", self.memory_model, self.weaker()));
        lines.extend(self.certificate.as_ref().map(CertificateFile::line));
        lines
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl CertificateFile {
    fn line(&self) -> String {
        let CertificateFile { path, lemmas, steps, pairs } = self;
        let some = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut sizes = vec![some(*lemmas, "lemma"), some(*steps, "step")];
        if *pairs > 0 {
            sizes.push(format!("{} of accesses", some(*pairs, "pair")));
        }
        let size = sizes.join(", ");
        format!("certificate: {path} ({size}); check it with: threadproof certify {path}")
    }
}

/// The first places.
fn shown(spots: &[SourceSpot]) -> String {
    spots.iter().take(SHOWN).map(SourceSpot::to_string).collect::<Vec<_>>().join(", ")
}

/// How many of a list are not shown.
fn more(count: usize) -> String {
    match count.saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    }
}

/// The groups that these properties make up; an incomplete group lists its members.
fn groups(words: &[&str]) -> String {
    let named = GROUPS.iter().filter_map(|(name, members)| {
        let here: Vec<&str> =
            members.iter().filter(|p| words.contains(&p.word())).map(|p| p.title()).collect();
        match here.len() {
            0 => None,
            n if n == members.len() => Some((*name).to_owned()),
            _ => Some(format!("{name} ({})", here.join(", "))),
        }
    });
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
