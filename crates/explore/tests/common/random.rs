//! Random programs: a few threads, a few shared variables, and everything that makes steps wait or vary.

use std::fmt::Write;

const VARIABLES: [&str; 4] = ["@a", "@b", "@c", "@d"];

pub struct Shape {
    pub threads: usize,
    pub ops: usize,
    pub variables: usize,
    /// The kinds of operations that occur, as numbers below `KINDS`.
    pub kinds: Vec<u32>,
}

pub const KINDS: u32 = 14;

/// Kinds that access and free an object of the heap: the program may do something undefined, so they are not among the others.
pub const HEAP: std::ops::Range<u32> = 14..17;

struct Writer<'a> {
    random: &'a mut fastrand::Rng,
    shape: &'a Shape,
    text: String,
    reg: u32,
    block: u32,
}

impl Writer<'_> {
    fn variable(&mut self) -> &'static str {
        VARIABLES[self.random.usize(..self.shape.variables)]
    }

    fn value(&mut self) -> u32 {
        self.random.u32(..3)
    }

    fn reg(&mut self) -> u32 {
        self.reg += 1;
        self.reg - 1
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn load(&mut self, variable: &str) -> u32 {
        let r = self.reg();
        self.line(&format!("%{r} = load i32 {variable} seq_cst"));
        r
    }

    fn store(&mut self) {
        let (v, x) = (self.value(), self.variable());
        self.line(&format!("store i32 {v}, {x} seq_cst"));
    }

    fn compare(&mut self, a: u32) -> u32 {
        let (r, v) = (self.reg(), self.value());
        let op = ["eq", "ne"][self.random.usize(..2)];
        self.line(&format!("%{r} = cmp {op} i32 %{a}, {v}"));
        r
    }

    /// A condition over one or two variables.
    fn condition(&mut self, two: bool) -> u32 {
        let x = self.variable();
        let a = self.load(x);
        let c = self.compare(a);
        if !two {
            return c;
        }
        let y = self.variable();
        let b = self.load(y);
        let d = self.compare(b);
        let r = self.reg();
        let op = ["and", "or"][self.random.usize(..2)];
        self.line(&format!("%{r} = {op} i1 %{c}, %{d}"));
        r
    }

    /// Branches, and joins again.
    fn branch(&mut self, cond: u32, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let b = self.block;
        self.block += 3;
        self.line(&format!("branch %{cond}, bb{}, bb{}", b + 1, b + 2));
        let _ = writeln!(self.text, "bb{}:", b + 1);
        then(self);
        self.line(&format!("jump bb{}", b + 3));
        let _ = writeln!(self.text, "bb{}:", b + 2);
        otherwise(self);
        self.line(&format!("jump bb{}", b + 3));
        let _ = writeln!(self.text, "bb{}:", b + 3);
    }

    fn section(&mut self, inside: impl FnOnce(&mut Self)) {
        self.line("atomic_begin");
        inside(self);
        self.line("atomic_end");
    }

    fn operation(&mut self) {
        let kind = self.shape.kinds[self.random.usize(..self.shape.kinds.len())];
        match kind {
            0 | 1 => self.store(),
            2 => {
                let x = self.variable();
                self.load(x);
            }
            3 => {
                let (r, x) = (self.reg(), self.variable());
                self.line(&format!("%{r} = rmw add i32 {x}, 1 seq_cst"));
            }
            4 => {
                let (r, x, a, b) = (self.reg(), self.variable(), self.value(), self.value());
                self.line(&format!("%{r} = cmpxchg i32 {x}, {a}, {b} seq_cst seq_cst"));
            }
            5 => {
                let x = self.variable();
                let a = self.load(x);
                let c = self.compare(a);
                self.branch(c, |w| w.store(), |_| {});
            }
            // Waits for one or two variables.
            6 | 7 => self.section(|w| {
                let c = w.condition(kind == 7);
                w.line(&format!("await %{c}"));
                if w.random.bool() {
                    w.store();
                }
            }),
            // Conditions one after the other.
            8 => self.section(|w| {
                for _ in 0..2 {
                    let c = w.condition(false);
                    w.line(&format!("await %{c}"));
                }
                w.store();
            }),
            // What it touches, and whether it waits, depends on what it reads.
            9 => self.section(|w| {
                let c = w.condition(false);
                w.branch(
                    c,
                    |w| {
                        let c = w.condition(false);
                        if w.random.bool() {
                            w.line(&format!("await %{c}"));
                        }
                    },
                    |w| w.store(),
                );
                if w.random.bool() {
                    w.store();
                }
            }),
            // A lock around a store.
            10 => {
                self.section(|w| {
                    let a = w.load("@lock");
                    let c = w.reg();
                    w.line(&format!("%{c} = cmp eq i32 %{a}, 0"));
                    w.line(&format!("await %{c}"));
                    w.line("store i32 1, @lock");
                });
                self.store();
                self.section(|w| w.line("store i32 0, @lock"));
            }
            // A spin loop.
            11 => {
                let b = self.block + 1;
                self.block += 2;
                self.line(&format!("jump bb{b}"));
                let _ = writeln!(self.text, "bb{b}:");
                let c = self.condition(false);
                self.line(&format!("branch %{c}, bb{}, bb{b}", b + 1));
                let _ = writeln!(self.text, "bb{}:", b + 1);
            }
            // An input.
            12 => {
                let r = self.reg();
                self.line(&format!("%{r} = input i1 @name"));
                self.branch(r, |w| w.store(), |_| {});
            }
            // An access to the heap, or a free.
            14 => self.access(),
            15 => self.line("heap_free %arg.0"),
            16 => self.section(|w| {
                let c = w.condition(false);
                w.branch(c, |w| w.line("heap_free %arg.0"), Self::access);
            }),
            // An input decides what is touched, and what is waited for.
            _ => self.section(|w| {
                let r = w.reg();
                w.line(&format!("%{r} = input i1 @name"));
                w.branch(r, Self::may_wait, Self::may_wait);
            }),
        }
    }

    fn access(&mut self) {
        match self.random.bool() {
            true => {
                self.load("%arg.0");
            }
            false => self.line("store i32 1, %arg.0 seq_cst"),
        }
    }

    fn may_wait(&mut self) {
        if self.random.bool() {
            let c = self.condition(false);
            self.line(&format!("await %{c}"));
        }
        if self.random.bool() {
            self.store();
        }
    }
}

/// A random program: `main` starts the threads, does what they do, and returns.
pub fn program(seed: u64, shape: &Shape) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = String::from(
        "global @name constant size 2 align 1 = \"i\\00\"\nglobal @lock size 4 align 4 = zero\n",
    );
    for v in VARIABLES {
        let _ = writeln!(text, "global {v} size 4 align 4 = zero");
    }
    let heap = shape.kinds.iter().any(|kind| HEAP.contains(kind));
    for thread in 0..shape.threads {
        let mut w =
            Writer { random: &mut random, shape, text: String::new(), reg: u32::from(thread > 0), block: 0 };
        let name = if thread == 0 { "&main()".to_owned() } else { format!("&t{thread}(%arg.0: ptr)") };
        if thread == 0 {
            let argument = match heap {
                true => {
                    let r = w.reg();
                    w.line(&format!("%{r} = heap_alloc i64 align i64 8, 16"));
                    w.line(&format!("store i32 0, %{r} seq_cst"));
                    format!("%{r}")
                }
                false => "null".to_owned(),
            };
            for other in 1..shape.threads {
                let r = w.reg();
                w.line(&format!("%{r} = thread_start &t{other}, {argument}"));
            }
        }
        let ops = if thread == 0 && heap {
            0
        } else if thread == 0 {
            shape.ops / 2
        } else {
            1 + w.random.usize(..shape.ops)
        };
        for _ in 0..ops {
            w.operation();
        }
        let _ = write!(text, "func {name} {{\nbb0:\n{}  return\n}}\n", w.text);
    }
    text
}
