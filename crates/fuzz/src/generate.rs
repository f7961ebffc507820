//! Small random C programs that end: a few threads, a few statements each, about a few topics.
//!
//! Inputs are bools or masked to 0..3, so that the oracle can try them all; divisors and shifts are kept in range; loops
//! have few rounds, except those marked `/* spin */`, which only wait.

mod statements;
mod topics;

use crate::tree::{Node, block, line};
use topics::Topics;
use tp_machine::Random;

/// A program that is being made.
struct Maker {
    random: Random,
    topics: Topics,
    /// Accesses to shared memory that may still be made.
    left: i32,
    /// How many all threads together may make.
    size: i32,
    /// Names given so far.
    names: u32,
    /// Threads that a thread starts by itself.
    nested: Option<usize>,
    /// All threads run the first one's function.
    alike: bool,
    /// Every thread is given a pointer to an int.
    pointed: bool,
    /// What is being made is main, which has no argument.
    in_main: bool,
}

/// Where a statement stands.
#[derive(Copy, Clone)]
struct Context {
    /// Inside an atomic section: no calls of models, no loops that wait.
    atomic: bool,
    /// Holding this lock: none that comes before it in the alphabet, nothing else that waits.
    locked: Option<&'static str>,
    depth: u32,
}

const LOCALS: [&str; 3] = ["r0", "r1", "r2"];

/// The program of a seed.
pub fn program(seed: u64) -> Vec<Node> {
    let mut random = Random::new(seed ^ 0x6675_7a7a);
    let topics = Topics::choose(&mut random);
    let threads = [1, 2, 2, 2, 3][random.below(5) as usize];
    let size = 3 + random.below(8) as i32;
    let mut maker = Maker {
        random,
        topics,
        left: 0,
        size,
        names: 0,
        nested: None,
        alike: false,
        pointed: false,
        in_main: false,
    };
    maker.program(threads)
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

    fn program(&mut self, threads: usize) -> Vec<Node> {
        let mut nodes: Vec<Node> = HEADER.iter().map(|h| line(*h)).collect();
        nodes.extend(self.topics.declarations(&mut self.random));
        if threads >= 2 && self.chance(6) {
            self.nested = Some(threads - 1);
        }
        nodes.extend((0..threads).map(|i| line(format!("pthread_t t{i};"))));
        self.pointed = self.nested.is_none() && self.chance(4);
        // Often all threads run the same function.
        self.alike = self.nested.is_none() && self.chance(4);
        for i in (0..if self.alike { 1 } else { threads }).rev() {
            nodes.push(self.thread(i, threads));
        }
        let main = self.main(threads);
        nodes.push(main);
        nodes
    }

    fn thread(&mut self, i: usize, threads: usize) -> Node {
        self.left = (self.size / threads as i32).max(2);
        let mut body = self.locals();
        if self.chance(4) {
            let r = self.local();
            body.push(line(format!("{r} = arg != 0;")));
        }
        let context = Context { atomic: false, locked: None, depth: 0 };
        let nested = self.nested.filter(|&n| i + 1 == n);
        if let Some(n) = nested {
            body.push(line(create(n, n, "0")));
        }
        let count = 2 + self.random.below(4);
        for _ in 0..count {
            if self.left > 0 {
                body.extend(self.statement(context));
            }
        }
        if let Some(n) = nested
            && self.chance(2)
        {
            body.push(line(format!("pthread_join(t{n}, 0);")));
        }
        if self.chance(2) {
            body.push(self.assertion());
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

    fn locals(&mut self) -> Vec<Node> {
        LOCALS
            .iter()
            .map(|r| match self.random.below(12) {
                0 => line(format!("int {r} = __VERIFIER_nondet_bool();")),
                1 => line(format!("int {r} = __VERIFIER_nondet_int() & 3;")),
                n => line(format!("int {r} = {};", n % 3)),
            })
            .collect()
    }

    fn main(&mut self, threads: usize) -> Node {
        self.in_main = true;
        let mut body = self.locals();
        body.extend(self.topics.initialisation());
        let context = Context { atomic: false, locked: None, depth: 0 };
        let own: Vec<usize> = (0..threads).filter(|&i| self.nested != Some(i)).collect();
        self.left = 2;
        if self.chance(4) {
            body.extend(self.statement(context));
        }
        for &i in &own {
            let argument = self.argument();
            let function = if self.alike { 0 } else { i };
            body.push(line(create(i, function, &argument)));
        }
        self.left = 3;
        if self.chance(3) {
            body.extend(self.statement(context));
        }
        if !self.chance(8) {
            for &i in &own {
                body.push(match self.random.below(8) {
                    0 => continue,
                    1 => block(
                        "{",
                        vec![
                            line("void *result;"),
                            line(format!("pthread_join(t{i}, &result);")),
                            line("r2 = (int)(long)result;"),
                        ],
                    ),
                    _ => line(format!("pthread_join(t{i}, 0);")),
                });
            }
        }
        self.left = 4;
        if self.chance(4) {
            body.extend(self.statement(context));
        }
        let asserts = 1 + self.random.below(2);
        for _ in 0..asserts {
            body.push(self.assertion());
        }
        body.push(line(if self.chance(12) { "pthread_exit(0);" } else { "return 0;" }));
        block("int main(void) {", body)
    }

    fn argument(&mut self) -> String {
        match self.random.below(3) {
            // Main's own variable, which it may be using at the same time.
            0 if self.pointed => "&r1".into(),
            _ if self.pointed => format!("&{}", self.shared_int()),
            0 => "(void *)1".into(),
            1 => format!("&{}", self.shared_int()),
            _ => "0".into(),
        }
    }
}

fn create(thread: usize, function: usize, argument: &str) -> String {
    format!("pthread_create(&t{thread}, 0, thread{function}, {argument});")
}

const HEADER: [&str; 15] = [
    "#include <assert.h>",
    "#include <pthread.h>",
    "#include <semaphore.h>",
    "#include <stdatomic.h>",
    "#include <stdlib.h>",
    "#include <string.h>",
    "_Bool __VERIFIER_nondet_bool(void);",
    "int __VERIFIER_nondet_int(void);",
    "unsigned char __VERIFIER_nondet_uchar(void);",
    "void __VERIFIER_assume(int);",
    "void __VERIFIER_atomic_begin(void);",
    "void __VERIFIER_atomic_end(void);",
    "void reach_error(void);",
    "struct pair { int a; unsigned char b; short c; };",
    "struct node { int v; struct node *next; };",
];
