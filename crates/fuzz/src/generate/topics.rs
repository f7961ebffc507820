//! What a program is about: the shared objects that it declares and that its statements use, and how often.

use super::guard::locked;
use super::{numbers, prints};
use crate::tree::{SourceNode, block, line};
use tp_machine::Random;

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    Array,
    Pointer,
    PointerToPointer,
    List,
    Struct,
    Mutex,
    Condition,
    Semaphore,
    Atomic,
    Ordering,
    AtomicSection,
    Assume,
    Spin,
    Loop,
    Call,
    FunctionPointer,
    ThreadLocal,
    Bytes,
    Heap,
    Input,
    Moving,
    Address,
    Fresh,
    Owned,
    /// No statement of its own: those of other topics access shared memory under one lock.
    Guard,
    Overflow,
    Division,
    Bounds,
    Null,
    Freed,
    LockOrder,
    ReadWrite,
    Scope,
    Barrier,
    Once,
    Key,
    Reuse,
    ObjectOrder,
    Unwritten,
    /// No statement of its own: main does something before it starts threads.
    SetUp,
    ReadFlag,
    Timed,
    Number,
    LockUnion,
    Print,
    Seed,
}

/// Each topic, its word on the command line, and its default weight. Topics that are hard to get right have a higher
/// one; the least likely is still in one of fifty programs.
const TABLE: [(Topic, &str, u32); 46] = [
    (Topic::Array, "arrays", 4),
    (Topic::Pointer, "pointers", 4),
    (Topic::PointerToPointer, "pointers-to-pointers", 3),
    (Topic::List, "lists", 3),
    (Topic::Struct, "structs", 4),
    (Topic::Mutex, "locks", 4),
    (Topic::Condition, "conditions", 6),
    (Topic::Semaphore, "semaphores", 4),
    (Topic::Atomic, "atomics", 6),
    (Topic::Ordering, "orderings", 4),
    (Topic::AtomicSection, "sections", 3),
    (Topic::Assume, "assumptions", 3),
    (Topic::Spin, "spins", 10),
    (Topic::Loop, "loops", 4),
    (Topic::Call, "calls", 3),
    (Topic::FunctionPointer, "function-pointers", 3),
    (Topic::ThreadLocal, "thread-locals", 3),
    (Topic::Bytes, "bytes", 3),
    (Topic::Heap, "heap", 3),
    (Topic::Input, "inputs", 3),
    (Topic::Moving, "moves", 6),
    (Topic::Address, "addresses", 4),
    (Topic::Fresh, "objects", 6),
    (Topic::Owned, "owners", 3),
    (Topic::Guard, "guards", 14),
    (Topic::Overflow, "overflows", 8),
    (Topic::Division, "divisions", 6),
    (Topic::Bounds, "bounds", 4),
    (Topic::Null, "nulls", 5),
    (Topic::Freed, "frees", 4),
    (Topic::LockOrder, "lock-orders", 6),
    (Topic::ReadWrite, "rwlocks", 4),
    (Topic::Scope, "scopes", 6),
    (Topic::Barrier, "barriers", 3),
    (Topic::Once, "once", 3),
    (Topic::Key, "keys", 3),
    (Topic::Reuse, "reuses", 4),
    (Topic::ObjectOrder, "object-orders", 3),
    (Topic::Unwritten, "unwritten", 4),
    (Topic::SetUp, "set-ups", 3),
    (Topic::ReadFlag, "read-flags", 4),
    (Topic::Timed, "timed-waits", 4),
    (Topic::Number, "numbers", 4),
    (Topic::LockUnion, "lock-unions", 3),
    (Topic::Print, "prints", 3),
    (Topic::Seed, "seeds", 3),
];

impl Topic {
    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        TABLE.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// Its statements take the locks they need themselves.
    pub fn waits(self) -> bool {
        use Topic::*;
        matches!(
            self,
            Mutex
                | Condition
                | Semaphore
                | Spin
                | Owned
                | LockOrder
                | ReadWrite
                | Barrier
                | Once
                | Timed
                | LockUnion
        )
    }

    /// Compiled, such a program may do what the machine never does: it depends on addresses, on orderings weaker than
    /// ours or on atomic sections, which compilers do not know, waits for years, prints more than its state, or draws
    /// random numbers.
    pub fn is_ours_only(self) -> bool {
        use Topic::*;
        let by_address = matches!(self, Address | Reuse | ObjectOrder | Unwritten | Number | LockUnion);
        by_address || matches!(self, Ordering | AtomicSection | ReadFlag | Timed | Print | Seed)
    }
}

/// How likely each topic is.
#[derive(Clone, Debug)]
pub struct Weights(Vec<(Topic, u32)>);

impl Default for Weights {
    fn default() -> Weights {
        Weights(TABLE.iter().map(|row| (row.0, row.2)).collect())
    }
}

impl std::str::FromStr for Weights {
    type Err = String;

    /// `locks=3,pointers=0` keeps the default weights of the other topics; `all=0` in front leaves them out.
    fn from_str(text: &str) -> Result<Weights, String> {
        let mut weights = Weights::default();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (word, number) =
                part.split_once('=').ok_or_else(|| format!("`{part}` is not word=number"))?;
            let number: u32 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
            let row = TABLE.iter().position(|row| row.1 == word);
            match (word, row) {
                ("all", _) => weights.0.iter_mut().for_each(|w| w.1 = number),
                (_, Some(row)) => weights.0[row].1 = number,
                _ => return Err(format!("`{word}` is none of: all, {}", Weights::words().join(", "))),
            }
        }
        if weights.sum() == 0 { Err("nothing is left to make programs of".into()) } else { Ok(weights) }
    }
}

impl Weights {
    pub fn words() -> Vec<&'static str> {
        TABLE.iter().map(|row| row.1).collect()
    }

    fn sum(&self) -> u64 {
        self.0.iter().map(|w| u64::from(w.1)).sum()
    }

    fn pick(&self, random: &mut Random) -> Option<Topic> {
        let mut at = random.below(self.sum());
        for &(topic, weight) in &self.0 {
            match at.checked_sub(u64::from(weight)) {
                Some(rest) => at = rest,
                None => return Some(topic),
            }
        }
        None
    }
}

/// A variable that all threads use.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: &'static str,
    pub ty: &'static str,
}

pub struct Topics {
    pub chosen: Vec<Topic>,
    pub variables: Vec<Variable>,
}

const TYPES: [&str; 8] =
    ["int", "int", "int", "unsigned char", "short", "long long", "unsigned", "_Atomic int"];

impl Topics {
    pub fn choose(random: &mut Random, weights: &Weights) -> Topics {
        let count = 1 + random.below(4);
        let mut chosen: Vec<Topic> = (0..count).filter_map(|_| weights.pick(random)).collect();
        chosen.sort();
        chosen.dedup();
        let plain = random.below(2) == 0;
        let names = ["x", "y", "z"];
        let count = 2 + random.below(2) as usize;
        let variables = names[..count].iter().map(|name| {
            let ty = if plain { "int" } else { TYPES[random.below(TYPES.len() as u64) as usize] };
            Variable { name, ty }
        });
        Topics { variables: variables.collect(), chosen }
    }

    pub fn has(&self, topic: Topic) -> bool {
        self.chosen.contains(&topic)
    }

    pub fn declarations(&self, random: &mut Random) -> Vec<SourceNode> {
        let mut nodes = vec![line("int i0, i1 = 1;")];
        for v in &self.variables {
            nodes.push(line(format!("{} {} = {};", v.ty, v.name, random.below(3))));
        }
        if self.has(Topic::Moving) {
            let rest = ["", " int d[2];", " long d;"][random.below(3) as usize];
            nodes.push(line(format!("struct odd {{ int a, b, c;{rest} }} od[5], *op = od + 1;")));
        }
        for topic in &self.chosen {
            let made = match topic {
                Topic::Spin if self.has(Topic::Guard) => [
                    "_Atomic int flag, phase;",
                    "int spin;",
                    "pthread_mutex_t pm = PTHREAD_MUTEX_INITIALIZER;",
                ]
                .map(line)
                .into(),
                Topic::Once => once(self.has(Topic::Guard)),
                topic => declarations_of(*topic),
            };
            let new = made.into_iter().filter(|n| !nodes.contains(n)).collect::<Vec<_>>();
            nodes.extend(new);
        }
        nodes
    }

    /// What main does before it starts threads.
    pub fn initialisation(&self) -> Vec<SourceNode> {
        let mut nodes = Vec::new();
        if self.has(Topic::Semaphore) {
            nodes.push(line("sem_init(&sem, 0, 1);"));
        }
        if self.has(Topic::ReadFlag) {
            nodes.push(line("sem_init(&fs, 0, 1);"));
        }
        if self.has(Topic::Timed) {
            nodes.push(line("sem_init(&ts, 0, 1);"));
        }
        if self.has(Topic::Barrier) {
            nodes.push(line("pthread_barrier_init(&ba, 0, 2);"));
        }
        if self.has(Topic::Key) {
            nodes.push(line("pthread_key_create(&key, gone);"));
        }
        if self.has(Topic::Heap) {
            nodes.push(line("heap = malloc(2 * sizeof(int));"));
            nodes.push(line("heap[0] = 0;"));
            nodes.push(line("heap[1] = 1;"));
        }
        if self.has(Topic::Freed) {
            nodes.push(line("fr = calloc(1, sizeof *fr);"));
            nodes.push(line("fx = calloc(1, sizeof *fr);"));
        }
        if self.has(Topic::Reuse) {
            nodes.push(line("ab = calloc(1, sizeof *ab);"));
        }
        nodes
    }

    /// Expressions that read the memory of a topic.
    pub fn sights(topic: Topic) -> &'static [&'static str] {
        match topic {
            Topic::Array => &["a[0]", "a[1]", "a[3]", "ca[0]", "ca[1]"],
            Topic::Pointer => &["*gp", "(gp == &i0)"],
            Topic::PointerToPointer => &["**pp", "*hp", "(pp == &hp)", "(*pp == &i1)"],
            Topic::List => &["head->v", "(head->next == 0)", "(head == &n0)"],
            Topic::Struct => &["s.a", "s.b", "t.a", "t.b", "t.c"],
            Topic::Bytes => &["s.a", "((unsigned char *)&s)[0]", "s.c"],
            Topic::Atomic => &["q", "w"],
            Topic::Ordering => &["wq", "data"],
            Topic::Spin => &["flag", "spin", "phase"],
            Topic::Moving => &[
                "b[0]",
                "b[1]",
                "b[2]",
                "b[3]",
                "od[1].b",
                "od[2].a",
                "od[0].c",
                "grid[1][1]",
                "grid[0][2]",
                "far[2]",
            ],
            Topic::Address => &["cell[0]", "cell[1]", "b[0]", "b[2]", "*wide", "sum(table)", "(word & 1)"],
            Topic::Fresh => &["(pub ? pub->v : 1)", "(ip ? *ip : 1)", "(pub == 0)", "(hid == 0)"],
            Topic::Owned => &["(own == 0)"],
            Topic::Condition => &["ready"],
            Topic::ThreadLocal => &["tl"],
            Topic::Heap => &["heap[0]", "heap[1]"],
            Topic::FunctionPointer => &["fp(1)", "(fp == f0)"],
            Topic::Call => &["f0(1)", "i0"],
            Topic::Bounds => &["a[0]", "a[2]"],
            Topic::Null => &["(np == 0)"],
            Topic::Freed => &["(fr == 0)", "(fx == 0)"],
            Topic::Scope => &["(kept == 0)"],
            Topic::Once => &["first_done"],
            Topic::Reuse => &["(ab == 0)", "(ab == seen)"],
            Topic::ObjectOrder => &["od0[0]", "od1[0]", "od2", "((char *)od0 < (char *)od1)"],
            Topic::SetUp => &["up"],
            Topic::ReadFlag => &["ff", "fd"],
            Topic::Timed => &["td", "tready"],
            Topic::Key => &["keys_gone", "(pthread_getspecific(key) == 0)"],
            Topic::Number => numbers::SIGHTS,
            _ => &[],
        }
    }
}

fn declarations_of(topic: Topic) -> Vec<SourceNode> {
    let lines: &[&str] = match topic {
        Topic::Array => &[A, "unsigned char ca[2];"],
        Topic::Bounds => &[A],
        Topic::Pointer => &["int *gp = &i0;"],
        Topic::PointerToPointer => &["int *hp = &i0;", "int *kp = &i1;", "int **pp = &hp;"],
        Topic::List => &["struct node n0 = {1, 0};", "struct node *head = &n0;"],
        Topic::Struct | Topic::Bytes => &["struct pair s = {1, 2, 3}, t;"],
        Topic::Mutex => &[M, "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;"],
        Topic::Guard => &[M],
        Topic::LockOrder => {
            &["pthread_mutex_t da = PTHREAD_MUTEX_INITIALIZER, db = PTHREAD_MUTEX_INITIALIZER;"]
        }
        Topic::Condition => &[
            "int ready;",
            "pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_cond_t cv = PTHREAD_COND_INITIALIZER;",
        ],
        Topic::Semaphore => &["sem_t sem;"],
        Topic::ReadFlag => &[
            "_Atomic int ff;",
            "int fd;",
            "pthread_rwlock_t fr_lock = PTHREAD_RWLOCK_INITIALIZER;",
            "pthread_mutex_t fm = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_cond_t fc = PTHREAD_COND_INITIALIZER;",
            "sem_t fs;",
        ],
        Topic::Timed => &[
            "int td, tready;",
            "const struct timespec past = {1, 0}, later = {2000000000, 5}, never = {1, 1000000000};",
            "pthread_mutex_t tm = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_cond_t tc = PTHREAD_COND_INITIALIZER;",
            "pthread_rwlock_t tl_lock = PTHREAD_RWLOCK_INITIALIZER;",
            "sem_t ts;",
        ],
        Topic::ReadWrite => &[
            "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;",
            "pthread_mutex_t rm = PTHREAD_MUTEX_INITIALIZER;",
        ],
        Topic::Atomic => &["atomic_int q;", "int w;"],
        Topic::Ordering => &["atomic_int wq;", "int data;"],
        Topic::Spin => {
            &["int flag;", "int spin;", "int phase;", "pthread_mutex_t pm = PTHREAD_MUTEX_INITIALIZER;"]
        }
        Topic::ThreadLocal => &["_Thread_local int tl = 1;"],
        Topic::Heap => &["int *heap;"],
        Topic::Moving => &[
            B,
            "int far[1200] = {0, 1, 2, 3, 4};",
            "int grid[3][4] = {0, 1, 2, 3, 0, 1};",
            "int *top = b + 2;",
            "int ix;",
        ],
        Topic::Address => return addresses(),
        Topic::Number => return numbers::declarations(),
        Topic::LockUnion => &[numbers::UNION],
        Topic::Print => return prints::declarations(),
        Topic::Fresh => &["struct node *_Atomic pub;", "int *_Atomic ip;", "_Atomic uintptr_t hid;"],
        Topic::Owned => &["struct node *own;", "pthread_mutex_t om = PTHREAD_MUTEX_INITIALIZER;"],
        Topic::Null => &["int *np;"],
        Topic::Freed => &["struct node *fr, *_Atomic fx;"],
        Topic::Scope => &["int *_Atomic kept;"],
        Topic::Reuse => &["struct node *_Atomic ab, *_Atomic seen;"],
        Topic::ObjectOrder => &["int od0[2], od1[2], od2;"],
        Topic::Unwritten => &["struct node un;"],
        Topic::SetUp => &["int up;"],
        Topic::Barrier => &["pthread_barrier_t ba;"],
        Topic::Key => &[
            "pthread_key_t key;",
            "_Atomic int keys_gone;",
            "static void gone(void *value) { keys_gone += 1; }",
        ],
        Topic::Call | Topic::FunctionPointer => return functions(),
        Topic::AtomicSection
        | Topic::Once
        | Topic::Assume
        | Topic::Loop
        | Topic::Input
        | Topic::Seed
        | Topic::Overflow
        | Topic::Division => &[],
    };
    lines.iter().map(|l| line(*l)).collect()
}

const A: &str = "int a[4] = {1, 0, 2, 0};";
const B: &str = "int b[8] = {0, 1, 0, 2, 3};";
const M: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";

/// In guarded programs the function of `pthread_once` takes the lock too.
fn once(is_guarded: bool) -> Vec<SourceNode> {
    let first = vec![line("first_done += 1;"), line("i1 = 2;")];
    let body = if is_guarded { locked("m", first) } else { first };
    vec![
        line("int first_done;"),
        line(M),
        line("pthread_once_t once = PTHREAD_ONCE_INIT;"),
        block("static void first(void) {", body),
    ]
}

fn addresses() -> Vec<SourceNode> {
    let lines = [
        "int cell[4] = {1, 0, 2};",
        B,
        "int many[20] = {0, 0, 0, 1, 0, 2};",
        "int *wide = many;",
        "int table[8];",
        "uintptr_t word, both, high;",
        "intptr_t way;",
        "union parts { int *p; unsigned short h[4]; } parts = {cell};",
    ];
    let mut nodes: Vec<SourceNode> = lines.map(line).into();
    let sum = vec![line("int s = 0;"), line("for (int k = 0; k < 8; k++) s += t[k];"), line("return s;")];
    nodes.push(block("static int sum(int *t) {", sum));
    nodes
}

fn functions() -> Vec<SourceNode> {
    vec![
        block("static int f0(int v) {", vec![line("return v + i0;")]),
        block("static int f1(int v) {", vec![line("i0 = v;"), line("return v * 2;")]),
        block("static void add(int *p, int v) {", vec![line("*p += v;")]),
        line("int (*fp)(int) = f0;"),
    ]
}
