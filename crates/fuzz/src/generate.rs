//! Small random C programs that end: a few threads, a few statements each, about a few topics.
//!
//! Inputs are bools or masked to 0..3, so that the oracle can try them all; divisors and shifts are kept in range;
//! loops have few iterations, except those marked `/* spin */`, which only wait.

mod faults;
mod fresh;
mod guard;
mod loops;
mod moving;
mod numbers;
mod placed;
mod primitives;
mod prints;
mod scopes;
mod seeds;
mod start;
mod statements;
mod sync;
mod topics;

pub use topics::Weights;

use crate::tree::{SourceNode, block, line};
use std::collections::BTreeSet;
use topics::{Topic, Topics};
use tp_machine::Random;

/// A program that is being made.
struct Maker {
    random: Random,
    topics: Topics,
    /// The topics that some statement is about.
    used: BTreeSet<Topic>,
    /// Accesses to shared memory that may still be made.
    left: i32,
    /// How many such accesses all threads together may make.
    size: i32,
    /// Names given so far.
    names: u32,
    /// The thread that another thread starts, instead of main.
    nested: Option<usize>,
    /// All threads run the first one's function.
    alike: bool,
    /// They have the same argument as well, and are only joined: nobody can tell them apart.
    twins: bool,
    /// Every thread is given a pointer to an int.
    pointed: bool,
    /// The lock that guards all shared memory is held, in programs that have one.
    guarded: bool,
    /// Main is being made, which has no argument.
    in_main: bool,
    /// Assertions that may still be made.
    assertions: u32,
    /// Index of the thread that makes the claim about the outcome; the number of threads stands for main.
    claims: Option<usize>,
    /// That thread is being made, and has made no claim yet.
    claims_now: bool,
}

/// Where a statement stands.
#[derive(Copy, Clone)]
struct Context {
    /// Inside an atomic section: no calls of models, no loops that wait.
    atomic: bool,
    /// Holding this lock: only locks later in the alphabet may be taken, and nothing else may wait.
    locked: Option<&'static str>,
    depth: u32,
}

/// Placeholder in the program's only assertion, for an outcome that is chosen when the possible ones are known. Its
/// number is no possible outcome, and occurs nowhere else in a program.
pub const OUTCOME: &str = "/* outcome */ 536870923";
pub const NO_OUTCOME: u128 = 536_870_923;

const LOCALS: [&str; 3] = ["r0", "r1", "r2"];

/// What was made of a seed.
pub struct GeneratedProgram {
    pub program: Vec<SourceNode>,
    /// Statements for the end of main that print the shared variables, main's locals and a full stop.
    pub state: Vec<SourceNode>,
    /// What its statements are about, as on the command line.
    pub topics: Vec<&'static str>,
    /// Compiled, the program may do what the machine never does.
    pub is_ours_only: bool,
}

/// The program of a seed.
pub fn program(seed: u64, weights: &Weights) -> GeneratedProgram {
    let mut random = Random::new(seed ^ 0x6675_7a7a);
    let topics = Topics::choose(&mut random, weights);
    // Beside main.
    let threads = [1, 1, 1, 2, 2, 2, 2, 2, 2, 3][random.below(10) as usize];
    // With a single assertion, no other failure hides one that an engine overlooks.
    let assertions = [0, 0, 0, 1, 9][random.below(5) as usize];
    let size = 3 + random.below(8) as i32;
    let mut maker = Maker {
        random,
        topics,
        used: BTreeSet::new(),
        left: 0,
        size,
        names: 0,
        nested: None,
        alike: false,
        twins: false,
        pointed: false,
        guarded: false,
        in_main: false,
        assertions,
        claims: None,
        claims_now: false,
    };
    if assertions == 0 {
        maker.claims = Some(match maker.chance(2) {
            true => threads,
            false => maker.random.below(threads as u64 + 1) as usize,
        });
    }
    let program = maker.program(threads);
    let is_ours_only = maker.topics.chosen.iter().any(|t| t.is_ours_only());
    let topics = maker.used.iter().map(|topic| topic.word()).collect();
    GeneratedProgram { program, state: maker.state(), topics, is_ours_only }
}

impl Maker {
    fn chance(&mut self, one_in: u64) -> bool {
        self.random.below(one_in) == 0
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.random.below(of.len() as u64) as usize]
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn program(&mut self, threads: usize) -> Vec<SourceNode> {
        let mut nodes: Vec<SourceNode> = HEADER.iter().map(|h| line(*h)).collect();
        nodes.extend(self.topics.declarations(&mut self.random));
        if threads >= 2 && self.chance(6) {
            self.nested = Some(threads - 1);
        }
        nodes.extend((0..threads).map(|i| line(format!("pthread_t t{i};"))));
        self.pointed = self.nested.is_none() && self.chance(4);
        self.alike = threads > 0 && self.nested.is_none() && self.chance(3);
        self.twins = self.alike && threads > 1 && !self.chance(3);
        if self.claims.is_some() {
            nodes.push(line("int outcome;"));
        }
        if self.alike && self.claims.is_some_and(|c| c < threads) {
            self.claims = Some(0);
        }
        for i in (0..if self.alike { 1 } else { threads }).rev() {
            nodes.push(self.thread(i, threads));
        }
        let main = self.main(threads);
        nodes.push(main);
        nodes
    }

    fn thread(&mut self, i: usize, threads: usize) -> SourceNode {
        self.left = (self.size / threads as i32).max(2);
        self.claims_now = self.claims == Some(i);
        let mut body = self.locals();
        if self.chance(4) {
            let r = self.local();
            body.push(line(format!("{r} = arg != 0;")));
        }
        let context = Context { atomic: false, locked: None, depth: 0 };
        let nested = self.nested.filter(|&n| i + 1 == n);
        // A thread that is started in one case only is joined there, if at all.
        let in_one_case = self.chance(3);
        if let Some(n) = nested {
            let start = line(create(n, n, "0"));
            body.push(match in_one_case {
                true => {
                    let condition = self.condition();
                    let mut both = vec![start];
                    if self.chance(2) {
                        both.push(line(format!("pthread_join(t{n}, 0);")));
                    }
                    block(format!("if ({condition}) {{"), both)
                }
                false => start,
            });
        }
        let count = 2 + self.random.below(4);
        for _ in 0..count {
            if self.left > 0 {
                body.extend(self.statement(context));
            }
        }
        if let Some(n) = nested
            && !in_one_case
            && self.chance(2)
        {
            body.push(line(format!("pthread_join(t{n}, 0);")));
        }
        if self.chance(2) {
            body.extend(self.assertion());
        }
        if self.claims_now {
            body.extend(self.outcome(None));
        }
        let result = if self.chance(2) { "(void *)(long)r0".to_owned() } else { "0".to_owned() };
        let end = if self.chance(12) {
            format!("pthread_exit({result});")
        } else if self.chance(25) {
            "exit(0);".to_owned()
        } else {
            format!("return {result};")
        };
        body.push(line(end));
        block(format!("void *thread{i}(void *arg) {{"), body)
    }

    fn state(&self) -> Vec<SourceNode> {
        let variables = self.topics.variables.iter().map(|v| v.name);
        let sights = self.topics.chosen.iter().flat_map(|t| Topics::sights(*t)).copied();
        let mut seen: Vec<&str> = ["i0", "i1"].into_iter().chain(variables).chain(LOCALS).collect();
        sights.for_each(|s| {
            if !seen.contains(&s) {
                seen.push(s)
            }
        });
        let print = |s: &str| line(format!("printf(\"%lld \", (long long){s});"));
        let mut nodes: Vec<SourceNode> = seen.into_iter().map(print).collect();
        nodes.push(line("printf(\".\");"));
        if self.is_guarded() { guard::locked("m", nodes) } else { nodes }
    }

    fn locals(&mut self) -> Vec<SourceNode> {
        LOCALS
            .iter()
            .map(|r| match self.random.below(12) {
                0 => line(format!("int {r} = __VERIFIER_nondet_bool();")),
                1 => line(format!("int {r} = __VERIFIER_nondet_int() & 3;")),
                n => line(format!("int {r} = {};", n % 3)),
            })
            .collect()
    }
}

fn create(thread: usize, function: usize, argument: &str) -> String {
    format!("pthread_create(&t{thread}, 0, thread{function}, {argument});")
}

const HEADER: [&str; 24] = [
    "#include <assert.h>",
    "#include <pthread.h>",
    "#include <semaphore.h>",
    "#include <stdatomic.h>",
    "#include <stdarg.h>",
    "#include <stddef.h>",
    "#include <stdint.h>",
    "#include <stdio.h>",
    "#include <stdlib.h>",
    "#include <string.h>",
    "#include <time.h>",
    "_Bool __VERIFIER_nondet_bool(void);",
    "int __VERIFIER_nondet_int(void);",
    "unsigned __VERIFIER_nondet_uint(void);",
    "unsigned char __VERIFIER_nondet_uchar(void);",
    "void __VERIFIER_assume(int);",
    "void __VERIFIER_atomic_begin(void);",
    "void __VERIFIER_atomic_end(void);",
    "void reach_error(void);",
    "struct pair { int a; unsigned char b; short c; };",
    "struct node { int v; struct node *next; };",
    "void take(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }",
    "void give(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }",
    "void keep(int *to, int value) { *to = value; }",
];
