//! Certificates of programs that race are rejected, whatever they claim. The lines that say what the program does are
//! kept; the claims are changed at random, in ways that would help to hide the race.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use threadproof_apart::reasons;
use tp_frontend::{FrontendOptions, load};

const HEADER: &str = "
#include <pthread.h>
#include <stdlib.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
_Bool __VERIFIER_nondet_bool(void);
";

/// Each has a race if `MISTAKE` is defined, and none otherwise.
const PROGRAMS: [&str; 9] = [
    // Without the lock.
    "#ifdef MISTAKE
     #define LOCK
     #else
     #define LOCK pthread_mutex_lock(&m);
     #endif
     void *f(void *p) { LOCK x++; pthread_mutex_unlock(&m); return 0; }
     int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }",
    // With another lock.
    "#ifdef MISTAKE
     #define OTHER n
     #else
     #define OTHER m
     #endif
     void *f(void *p) { pthread_mutex_lock(&OTHER); x++; pthread_mutex_unlock(&OTHER); return 0; }
     int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }",
    // The pointer points to what the other thread writes.
    "#ifdef MISTAKE
     #define WHERE x
     #else
     #define WHERE y
     #endif
     int *where;
     void *f(void *p) { int *here = where; *here = 1; return 0; }
     int main() { pthread_t t; where = &WHERE; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }",
    // A field of a heap object, through the argument of the thread.
    "struct pair { int first, second; };
     void *f(void *p) { struct pair *pair = p; pair->second = 1; return 0; }
     int main() {
       pthread_t t; struct pair *pair = malloc(sizeof *pair);
       pthread_create(&t, 0, f, pair);
     #ifdef MISTAKE
       pair->second = 2;
     #else
       pair->first = 2;
     #endif
       pthread_join(t, 0); }",
    // The thread is joined too late.
    "void *f(void *p) { x = 1; return 0; }
     int main() {
       pthread_t t; pthread_create(&t, 0, f, 0);
     #ifdef MISTAKE
       x = 2;
     #endif
       pthread_join(t, 0); x = 3; }",
    // Not all threads are joined.
    "void *f(void *p) { return x ? p : 0; }
     int main() {
       pthread_t t[4]; int count = 4;
     #ifdef MISTAKE
       count = 3;
     #endif
       for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
       for (int i = 0; i < count; i++) pthread_join(t[i], 0);
       x = 1; }",
    // A function that is called through a pointer takes the lock, or does not.
    "void lock(void) { pthread_mutex_lock(&m); }
     void nothing(void) {}
     #ifdef MISTAKE
     void (*take)(void) = nothing;
     #else
     void (*take)(void) = lock;
     #endif
     void *f(void *p) { take(); x++; pthread_mutex_unlock(&m); return 0; }
     int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }",
    // The result of a trylock is ignored.
    "#ifdef MISTAKE
     #define HAS(it) ((it), 1)
     #else
     #define HAS(it) !(it)
     #endif
     void *f(void *p) { if (HAS(pthread_mutex_trylock(&m))) x++; return 0; }
     int main() { pthread_t t; pthread_create(&t, 0, f, 0); if (!pthread_mutex_trylock(&m)) x++; }",
    // The lock of another element.
    "#ifdef MISTAKE
     #define I j
     #else
     #define I i
     #endif
     struct element { int data; pthread_mutex_t lock; } a[2];
     void *f(void *p) {
       int i = __VERIFIER_nondet_bool(), j = __VERIFIER_nondet_bool();
       pthread_mutex_lock(&a[I].lock); a[i].data++; pthread_mutex_unlock(&a[I].lock);
       return 0; }
     int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }",
];

fn text(source: &str, mistake: bool) -> String {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("main.c");
    std::fs::write(&path, format!("{HEADER}{source}")).expect("the temporary folder can be written");
    let mut clang_args = vec!["-w".to_owned()];
    clang_args.extend(mistake.then(|| "-DMISTAKE".to_owned()));
    let options = FrontendOptions { inputs: vec![path], clang_args, ..FrontendOptions::default() };
    let program = load(&options).unwrap_or_else(|error| panic!("{error}")).program;
    reasons(&program, &AtomicBool::new(false)).unwrap_or_else(|why| panic!("{why:?}"))
}

fn is_accepted(lines: &[String]) -> bool {
    tp_certify::check_races((lines.join("\n") + "\n").as_bytes()).is_ok()
}

/// Random numbers (Marsaglia's xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % count.max(1) as u64).unwrap_or(0)
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

const CLAIMS: [&str; 11] =
    ["near", "set", "register", "cell", "escaped", "held", "tried", "alive", "inside", "left", "before"];

fn kind(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// Changes claims: one line, or all lines of a kind.
fn claim(lines: &mut Vec<String>, random: &mut Random) {
    let claims: Vec<usize> = (0..lines.len()).filter(|i| CLAIMS.contains(&kind(&lines[*i]))).collect();
    let points: Vec<usize> = (0..lines.len()).filter(|i| kind(&lines[*i]) == "point").collect();
    let Some(&at) = random.of(&claims) else { return };
    match random.below(8) {
        // A claim is left out.
        0 => drop(lines.remove(at)),
        // A claim about something else.
        1 => {
            let mut row = words(&lines[at]);
            let word = 1 + random.below(row.len() - 1);
            if row[word].parse::<i64>().is_ok() {
                row[word] = random.below(40).to_string();
            }
            lines[at] = row.join(" ");
        }
        // Nothing points to an object.
        2 => {
            let object = random.below(40).to_string();
            for line in lines.iter_mut().filter(|line| kind(line) == "set") {
                let row = words(line);
                let places = row[2..].chunks(3).filter(|place| place[0] != object);
                *line = format!("set {}", row[1])
                    + &places.map(|p| format!(" {}", p.join(" "))).collect::<String>();
            }
        }
        // An object has not escaped; or, below, a thread does not run.
        3 => {
            let object = random.below(40).to_string();
            for line in lines.iter_mut().filter(|line| kind(line) == "escaped") {
                *line = words(line).into_iter().filter(|word| *word != object).collect::<Vec<_>>().join(" ");
            }
        }
        4 => {
            let thread = random.below(3).to_string();
            for line in lines.iter_mut().filter(|line| ["alive", "left", "before"].contains(&kind(line))) {
                let row = words(line);
                let rest = row[2..].iter().filter(|word| **word != thread);
                *line = format!("{} {}", row[0], row[1])
                    + &rest.map(|word| format!(" {word}")).collect::<String>();
            }
        }
        // A lock is held at a range of points; or, below, a point is in an atomic section.
        5 => {
            let is_held = |line: &&String| ["held", "near"].contains(&kind(line));
            let held: Vec<String> = lines.iter().filter(is_held).cloned().collect();
            let Some(held) = random.of(&held) else { return };
            let (word, rest) = (kind(held), words(held)[2..].join(" "));
            let (first, count) = (random.below(points.len()), 1 + random.below(points.len()));
            let last = points.len().min(first + count);
            lines.splice(at..at, (first..last).map(|point| format!("{word} {point} {rest}")));
        }
        6 => lines.insert(at, format!("inside {} 1", random.below(points.len()))),
        // A point has another rank.
        _ => {
            let Some(&point) = random.of(&points) else { return };
            let row = words(&lines[point]);
            lines[point] = format!("point {} {}", row[1], random.below(points.len()));
        }
    }
}

#[test]
fn no_claims_prove_a_race_away() {
    let mut random = Random(17);
    let mut refused = 0;
    for source in PROGRAMS {
        let right: Vec<String> = text(source, false).lines().map(str::to_owned).collect();
        assert!(is_accepted(&right), "{source}");
        let wrong: Vec<String> = text(source, true).lines().map(str::to_owned).collect();
        assert!(!is_accepted(&wrong), "{source}");
        for _ in 0..2_500 {
            let mut lines = wrong.clone();
            for _ in 0..=random.below(4) {
                claim(&mut lines, &mut random);
            }
            assert!(!is_accepted(&lines), "{source}\n{}", lines.join("\n"));
            refused += 1;
        }
    }
    assert_eq!(refused, 22_500);
}

/// The claims of the right program, made of the wrong one: both number what they have in common alike.
#[test]
fn the_claims_of_another_program_prove_nothing() {
    for source in PROGRAMS {
        let (right, wrong) = (text(source, false), text(source, true));
        let of_claims = |text: &str, is_claim: bool| -> Vec<String> {
            let lines = text.lines().filter(|line| CLAIMS.contains(&kind(line)) == is_claim);
            lines.map(str::to_owned).collect()
        };
        let (claims, mut lines) = (of_claims(&right, true), of_claims(&wrong, false));
        let first =
            lines.iter().position(|line| !["threadproof", "thread", "point", "object"].contains(&kind(line)));
        lines.splice(first.unwrap_or(0)..first.unwrap_or(0), claims);
        assert!(!is_accepted(&lines), "{source}");
    }
}

/// Every kind of claim that this program needs: without it, the certificate is rejected.
#[test]
fn claims_that_are_left_out_are_missed() {
    let lines: Vec<String> = text(PROGRAMS[2], false).lines().map(str::to_owned).collect();
    let mut missed = BTreeSet::new();
    for at in 0..lines.len() {
        let mut changed = lines.clone();
        let kind = kind(&changed.remove(at)).to_owned();
        if CLAIMS.contains(&kind.as_str()) && !is_accepted(&changed) {
            missed.insert(kind);
        }
    }
    let missed: Vec<&str> = missed.iter().map(String::as_str).collect();
    assert_eq!(missed, ["alive", "cell", "escaped", "inside", "register", "set"]);
}
