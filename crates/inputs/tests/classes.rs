//! Exploring one input of each class gives the same outcome as exploring every input.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_inputs::Classes;
use tp_explore::{Exploration, ExploreLimits, Outcome, explore, explore_with};
use tp_ir::{Checks, Program, Property};

const PROGRAMS: u64 = 60;

/// Inputs are below this.
const DOMAIN: u64 = 6;

const CHECKED: [Property; 5] =
    [Property::Assert, Property::Overflow, Property::OutOfBounds, Property::DivisionByZero, Property::Shift];

/// Writes one program.
struct Writer {
    random: fastrand::Rng,
    depth: u32,
}

impl Writer {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.random.usize(..from.len())].to_owned()
    }

    fn number(&mut self) -> String {
        self.random.u32(0..9).to_string()
    }

    fn expression(&mut self) -> String {
        self.depth += 1;
        let leaf = self.depth > 3 || self.random.u8(0..3) == 0;
        let text = match self.random.u8(0..12) {
            0 if leaf => self.number(),
            1 if leaf => format!("table[({}) % 4u]", self.variable()),
            _ if leaf => self.variable(),
            0 => format!("(({}) ? ({}) : ({}))", self.condition(), self.expression(), self.expression()),
            1 => format!("(int)(signed char)(({}) * 31)", self.expression()),
            2 => format!("(int)(unsigned short)({})", self.expression()),
            3 => format!("(({}) >> (({}) & 3))", self.expression(), self.variable()),
            4 => format!("(({}) / (({}) | 1))", self.expression(), self.variable()),
            5 => format!("(int)((unsigned)({}) * (unsigned)({}))", self.expression(), self.expression()),
            6 => format!("bytes[({}) & 3]", self.variable()),
            7 => format!("table[({}) & 3]", self.expression()),
            _ => {
                let op = self.pick(&["+", "-", "&", "|", "^", "%"]);
                match op.as_str() {
                    "%" => format!("(({}) % (({}) | 1))", self.expression(), self.number()),
                    _ => format!("(({}) {op} ({}))", self.expression(), self.expression()),
                }
            }
        };
        self.depth -= 1;
        text
    }

    fn variable(&mut self) -> String {
        self.pick(&["x", "y", "a", "b", "in", "in"])
    }

    fn condition(&mut self) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">"]);
        format!("({}) {op} ({})", self.expression(), self.expression())
    }

    fn statement(&mut self, nested: bool) -> String {
        match self.random.u8(0..12) {
            0 | 1 => format!("x = {};", self.expression()),
            2 => format!("y = {};", self.expression()),
            3 => format!("table[({}) & 3] = {};", self.expression(), self.expression()),
            4 => format!("bytes[({}) & 3] = (unsigned char)({});", self.variable(), self.expression()),
            5 => format!("__atomic_fetch_add(&y, {}, __ATOMIC_SEQ_CST);", self.expression()),
            6 => format!(
                "{{ int old = {}; __atomic_compare_exchange_n(&x, &old, {}, 0, 5, 5); }}",
                self.expression(),
                self.expression()
            ),
            7 => format!("memcpy(&table[({}) & 1], &word, 4);", self.variable()),
            8 => format!(
                "switch (({}) & 7) {{ case 1: a = 2; break; case 5: a = y; break; default: b = 1; }}",
                self.expression()
            ),
            9 if !nested => format!("for (int i = 0; i < (({}) & 3); i++) a += i;", self.variable()),
            10 => format!("tp_assert({});", self.claim()),
            _ if nested => format!("b = {};", self.expression()),
            _ => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(),
                self.statement(true),
                self.statement(true)
            ),
        }
    }

    /// True for most inputs.
    fn claim(&mut self) -> String {
        match self.random.bool() {
            true => format!("({}) != {}", self.expression(), self.random.u32(3..20)),
            false => format!("({}) != {} || ({})", self.expression(), self.number(), self.condition()),
        }
    }

    fn thread(&mut self, name: &str) -> String {
        let body: Vec<String> = (0..self.random.u8(1..4)).map(|_| self.statement(false)).collect();
        format!(
            "static void *{name}(void *given) {{\n    int in = (int)(long)given, a = 1, b = in;\n    \
             pthread_mutex_lock(&lock);\n    {}\n    pthread_mutex_unlock(&lock);\n    return (void *)(long)a;\n}}\n",
            body.join("\n    ")
        )
    }

    fn program(seed: u64) -> String {
        let mut writer = Writer { random: fastrand::Rng::with_seed(seed), depth: 0 };
        let (one, two) = (writer.thread("one"), writer.thread("two"));
        let end = writer.claim();
        format!(
            "#include <pthread.h>\n#include <string.h>\n#include <threadproof.h>\n\
             static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
             static int x, y = 3, table[4] = {{1, 2, 3, 4}};\nstatic union {{ int number; unsigned char parts[4]; }} both;\n\
             #define bytes both.parts\n#define word both.number\n{one}{two}\
             int main(void) {{\n    pthread_t s, t;\n    void *r;\n    int in = tp_input_int(\"in\");\n    \
             tp_assume(in >= 0 && in < {DOMAIN});\n    unsigned short more = tp_input_ushort(\"more\");\n    \
             tp_assume(more < {DOMAIN});\n    word = in * 1000;\n    \
             pthread_create(&s, 0, one, (void *)(long)in);\n    pthread_create(&t, 0, two, (void *)(long)more);\n    \
             pthread_join(s, &r);\n    pthread_join(t, 0);\n    int a = (int)(long)r, b = more;\n    tp_assert({end});\n    return 0;\n}}\n"
        )
    }
}

fn load(seed: u64) -> Program {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("classes");
    std::fs::create_dir_all(&folder).expect("the build folder is writable");
    let path = folder.join(format!("{seed}.c"));
    std::fs::write(&path, Writer::program(seed)).expect("the build folder is writable");
    let options = tp_frontend::FrontendOptions { inputs: vec![path], ..Default::default() };
    tp_frontend::load(&options).expect("it compiles").program
}

fn limits(below: Option<u128>, stop: &AtomicBool) -> ExploreLimits<'_> {
    ExploreLimits {
        run: tp_machine::RunLimits { max_steps: 1 << 20, max_memory: 1 << 26, max_depth: 100 },
        max_executions: 1 << 20,
        contexts: tp_machine::ContextBound::None,
        inputs_below: below,
        stop,
    }
}

/// Explored with every value, and by classes.
fn both(program: &Program) -> (Exploration, Exploration) {
    let stop = Arc::new(AtomicBool::new(false));
    let checks = CHECKED.into_iter().fold(Checks::NONE, Checks::with);
    let all = explore(program, checks, &limits(Some(DOMAIN as u128), &stop), &mut ());
    let mut classes = Classes::new(stop.clone());
    let some = explore_with(program, checks, &limits(None, &stop), Some(&mut classes), &mut ());
    (all, some)
}

#[test]
fn classes_speak_for_all_inputs() {
    let (mut violated, mut held, mut many) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let program = load(seed);
        let (all, some) = both(&program);
        match (&all.outcome, &some.outcome) {
            (Outcome::Violation(..), Outcome::Violation(..)) => violated += 1,
            (Outcome::Holds, Outcome::Holds) => {
                held += 1;
                many += (some.classes > 3) as u64;
                assert_eq!(some.redundant, 0, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}\n{}", Writer::program(seed)),
        }
    }
    // Each outcome has to occur often enough.
    assert!(
        violated > PROGRAMS / 10 && held > PROGRAMS / 10 && many > PROGRAMS / 20,
        "{violated} {held} {many}"
    );
}
