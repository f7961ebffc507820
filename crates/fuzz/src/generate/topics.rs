//! What a program is about: the shared objects that it declares and that its statements use.

use crate::tree::{Node, block, line};
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
}

/// Those that are hard to get right stand here more than once.
const ALL: [Topic; 32] = [
    Topic::Array,
    Topic::Pointer,
    Topic::PointerToPointer,
    Topic::List,
    Topic::Struct,
    Topic::Mutex,
    Topic::Condition,
    Topic::Semaphore,
    Topic::Atomic,
    Topic::AtomicSection,
    Topic::Assume,
    Topic::Spin,
    Topic::Loop,
    Topic::Call,
    Topic::FunctionPointer,
    Topic::ThreadLocal,
    Topic::Bytes,
    Topic::Heap,
    Topic::Input,
    Topic::Moving,
    Topic::Moving,
    Topic::Moving,
    Topic::Address,
    Topic::Address,
    Topic::Fresh,
    Topic::Fresh,
    Topic::Fresh,
    Topic::Owned,
    Topic::Spin,
    Topic::Spin,
    Topic::Spin,
    Topic::Loop,
];

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
    pub fn choose(random: &mut Random) -> Topics {
        let count = 1 + random.below(4);
        let mut chosen: Vec<Topic> =
            (0..count).map(|_| ALL[random.below(ALL.len() as u64) as usize]).collect();
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

    pub fn declarations(&self, random: &mut Random) -> Vec<Node> {
        let mut nodes = vec![line("int i0, i1 = 1;")];
        for v in &self.variables {
            nodes.push(line(format!("{} {} = {};", v.ty, v.name, random.below(3))));
        }
        if self.has(Topic::Moving) {
            let rest = ["", " int d[2];", " long d;"][random.below(3) as usize];
            nodes.push(line(format!("struct odd {{ int a, b, c;{rest} }} od[5], *op = od + 1;")));
        }
        for topic in &self.chosen {
            let new = declarations_of(*topic).into_iter().filter(|n| !nodes.contains(n)).collect::<Vec<_>>();
            nodes.extend(new);
        }
        nodes
    }

    /// What main does before it starts threads.
    pub fn initialisation(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        if self.has(Topic::Semaphore) {
            nodes.push(line("sem_init(&sem, 0, 1);"));
        }
        if self.has(Topic::Heap) {
            nodes.push(line("heap = malloc(2 * sizeof(int));"));
            nodes.push(line("heap[0] = 0;"));
            nodes.push(line("heap[1] = 1;"));
        }
        nodes
    }
}

fn declarations_of(topic: Topic) -> Vec<Node> {
    let lines: &[&str] = match topic {
        Topic::Array => &["int a[4] = {1, 0, 2, 0};", "unsigned char ca[2];"],
        Topic::Pointer => &["int *gp = &i0;"],
        Topic::PointerToPointer => &["int *hp = &i0;", "int *kp = &i1;", "int **pp = &hp;"],
        Topic::List => &["struct node n0 = {1, 0};", "struct node *head = &n0;"],
        Topic::Struct | Topic::Bytes => &["struct pair s = {1, 2, 3}, t;"],
        Topic::Mutex => &[
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;",
        ],
        Topic::Condition => &[
            "int ready;",
            "pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_cond_t cv = PTHREAD_COND_INITIALIZER;",
        ],
        Topic::Semaphore => &["sem_t sem;"],
        Topic::Atomic => &["atomic_int q;", "int w;"],
        Topic::Spin => &["int flag;", "int spin;", "int phase;"],
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
        Topic::Fresh => &["struct node *_Atomic pub;", "int *_Atomic ip;", "_Atomic uintptr_t hid;"],
        Topic::Owned => &["struct node *own;", "pthread_mutex_t om = PTHREAD_MUTEX_INITIALIZER;"],
        Topic::Call | Topic::FunctionPointer => return functions(),
        Topic::AtomicSection | Topic::Assume | Topic::Loop | Topic::Input => &[],
    };
    lines.iter().map(|l| line(*l)).collect()
}

const B: &str = "int b[8] = {0, 1, 0, 2, 3};";

fn addresses() -> Vec<Node> {
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
    let mut nodes: Vec<Node> = lines.map(line).into();
    let sum = vec![line("int s = 0;"), line("for (int k = 0; k < 8; k++) s += t[k];"), line("return s;")];
    nodes.push(block("static int sum(int *t) {", sum));
    nodes
}

fn functions() -> Vec<Node> {
    vec![
        block("static int f0(int v) {", vec![line("return v + i0;")]),
        block("static int f1(int v) {", vec![line("i0 = v;"), line("return v * 2;")]),
        block("static void add(int *p, int v) {", vec![line("*p += v;")]),
        line("int (*fp)(int) = f0;"),
    ]
}
