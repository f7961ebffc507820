//! Certificates with random changes: the checker never panics, and what it accepts is true, which is tested by
//! enumerating all executions that the changed file describes.

use fastrand::Rng;
use std::collections::BTreeMap;
use threadproof_certify::check;

/// Message passing: the flag is seen set and the data is old, with an order literal that is not needed.
const MESSAGE: &str = "threadproof certificate 2
verdict safe
part order nothing is reached
goal 9 old data
thread 0
thread 1 2
thread 3 4
before 0 1
before 0 3
read 1 3
candidate 2 1 5
candidate 0 2 -
read 2 4
candidate 1 3 5
candidate 0 4 -
clause 1 -9 1
clause 2 -9 4
clause 3 5
order 10 2 4
lemma 4 -1 -4 -10 -5
sees 1 1
ordered 10
later 2 2 1 : 0 1
cycle 1 2 4 1
lemma 5 -1 10
sees 1 1
ordered -10
cycle 2 3 4 2
step 6 -1 -4 : 3 4 5
step 7 -9 : 1 2 6
step 8 : 0 7
end
complete
";

/// Two threads see two writes in different orders.
const COHERENCE: &str = "threadproof certificate 2
verdict safe
part order nothing is reached
goal 9 seen in different orders
thread 1
thread 2
thread 3 4
thread 5 6
read 1 3
candidate 1 1 -
read 2 4
candidate 1 - -
candidate 2 2 -
read 3 5
candidate 2 3 -
read 4 6
candidate 1 4 -
candidate 2 - 5
clause 1 -9 1
clause 2 -9 2
clause 3 -9 3
clause 4 -9 4
clause 5 -9 5
lemma 6 -1 -2 -3 -4 -5
sees 1 1
sees 3 1
earlier 2 2 1 : 1 3 4
earlier 4 1 2 : 2 5 6
cycle 1 2 1
step 7 -9 : 1 2 3 4 5 6
step 8 : 0 7
end
complete
";

const MUTANTS: u64 = 30_000;

#[test]
fn what_is_accepted_is_so() {
    for (name, base) in [("message", MESSAGE), ("coherence", COHERENCE)] {
        check(base.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut rng = Rng::with_seed(7);
        let (mut accepted, mut rejected) = (0, 0);
        for _ in 0..MUTANTS {
            let mut text = mutate(base, &mut rng);
            if rng.u8(..3) == 0 {
                text = mutate(&text, &mut rng);
            }
            match check(text.as_bytes()) {
                Ok(_) => {
                    accepted += 1;
                    Story::of(&text).is_true(&text);
                }
                Err(_) => rejected += 1,
            }
        }
        assert!(accepted > 400 && rejected > 10_000, "{name}: {accepted} accepted, {rejected} rejected");
    }
}

#[test]
fn the_trial_notices_what_is_wrong() {
    let reached = MESSAGE.replace("clause 2 -9 4\n", "clause 2 -9 3\n");
    assert!(Story::of(&reached).reaches_goal());
    assert!(!Story::of(MESSAGE).reaches_goal() && !Story::of(COHERENCE).reaches_goal());
    let wrong = MESSAGE.replace("lemma 5 -1 10", "lemma 5 -1 -10");
    assert!(std::panic::catch_unwind(|| Story::of(&wrong).is_true(&wrong)).is_err());
}

/// Changes a word, or moves, repeats or leaves out a word or line.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<Vec<String>> =
        text.lines().map(|l| l.split(' ').map(str::to_owned).collect()).collect();
    let (a, b) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
    match rng.u8(..10) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a].clone()),
        2 => lines.swap(a, b),
        kind => {
            let line = &mut lines[a];
            let at = rng.usize(..line.len());
            match kind {
                3 => drop(line.remove(at)),
                4 => line.insert(at, rng.i32(-11..11).to_string()),
                5 => line[at] = format!("-{}", line[at]),
                6 => {
                    line[at] =
                        ["-", ":", "x", "99999999999999999999", "-2147483648"][rng.usize(..5)].to_owned()
                }
                7 => {
                    let other = rng.usize(..line.len());
                    line.swap(at, other);
                }
                _ => line[at] = rng.i32(0..11).to_string(),
            }
        }
    }
    lines.iter().map(|l| l.join(" ") + "\n").collect()
}

/// Its node, the literal that it is seen, and the literal that it happens.
type Candidate = (u32, Option<i32>, Option<i32>);

/// What a file says about the program, and the lemmas that it claims.
#[derive(Default)]
struct Story {
    goals: Vec<i32>,
    threads: Vec<Vec<u32>>,
    before: Vec<(u32, u32)>,
    reads: Vec<(u32, Vec<Candidate>)>,
    clauses: Vec<Vec<i32>>,
    orders: Vec<(i32, u32, u32)>,
    lemmas: Vec<Vec<i32>>,
}

impl Story {
    /// Only for files that are well-formed, as those are that were accepted.
    fn of(text: &str) -> Story {
        let mut story = Story::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let numbers: Vec<i32> = words.iter().skip(1).filter_map(|w| w.parse().ok()).collect();
            let literal = |at: usize| words.get(at).and_then(|w| w.parse().ok());
            match words.first().copied() {
                Some("goal") => story.goals.push(numbers[0]),
                Some("thread") => story.threads.push(numbers.iter().map(|&n| n as u32).collect()),
                Some("before") => story.before.push((numbers[0] as u32, numbers[1] as u32)),
                Some("read") => story.reads.push((numbers[1] as u32, Vec::new())),
                Some("candidate") => {
                    let read = story.reads.last_mut().expect("there is a read");
                    read.1.push((numbers[0] as u32, literal(2), literal(3)));
                }
                Some("clause") => story.clauses.push(numbers[1..].to_vec()),
                Some("order") => story.orders.push((numbers[0], numbers[1] as u32, numbers[2] as u32)),
                Some("lemma") => story.lemmas.push(numbers[1..].to_vec()),
                _ => {}
            }
        }
        story
    }

    #[track_caller]
    fn is_true(&self, text: &str) {
        assert!(!self.reaches_goal(), "a goal is reached:\n{text}");
    }

    /// Tries all orders and all values. Every lemma has to hold in every execution of the structure.
    fn reaches_goal(&self) -> bool {
        let mut variables: BTreeMap<i32, usize> = BTreeMap::new();
        let literals = self.goals.iter().chain(self.clauses.iter().chain(&self.lemmas).flatten()).copied();
        let of_reads = self.reads.iter().flat_map(|r| &r.1).flat_map(|c| [c.1, c.2]).flatten();
        for literal in literals.chain(of_reads).chain(self.orders.iter().map(|o| o.0)) {
            let next = variables.len();
            variables.entry(literal.abs()).or_insert(next);
        }
        let mut reached = false;
        self.each_order(&mut Vec::new(), &mut |order| {
            let place = |node: u32| order.iter().position(|&n| n == node);
            for values in 0..1u32 << variables.len() {
                let is_true = |l: i32| (values >> variables[&l.abs()] & 1 == 1) == (l > 0);
                let named = self.orders.iter().all(|&(l, a, b)| is_true(l) == (place(a) < place(b)));
                if named && self.reads_are_right(&place, &is_true) {
                    let holds = |c: &Vec<i32>| c.iter().any(|&l| is_true(l));
                    assert!(self.lemmas.iter().all(holds), "a lemma does not hold: {order:?}");
                    let goal = self.goals.iter().any(|&l| is_true(l));
                    reached |= goal && self.clauses.iter().all(holds);
                }
            }
        });
        reached
    }

    /// The third condition on an execution in `lib.rs`, word for word.
    fn reads_are_right(&self, place: &dyn Fn(u32) -> Option<usize>, is_true: &dyn Fn(i32) -> bool) -> bool {
        self.reads.iter().all(|(read, candidates)| {
            let visible = || candidates.iter().filter(|c| c.0 != *read);
            visible().filter(|c| c.1.is_some_and(is_true)).all(|seen| {
                let others = visible().filter(|o| o.0 != seen.0 && o.2.is_none_or(is_true));
                let out_of_the_way = |o: u32| place(o) < place(seen.0) || place(*read) < place(o);
                place(seen.0) < place(*read) && others.map(|o| o.0).all(out_of_the_way)
            })
        })
    }

    fn each_order(&self, order: &mut Vec<u32>, visit: &mut dyn FnMut(&[u32])) {
        let mut ended = true;
        for thread in &self.threads {
            let Some(&next) = thread.iter().find(|n| !order.contains(n)) else { continue };
            ended = false;
            if self.before.iter().all(|&(a, b)| b != next || order.contains(&a)) {
                order.push(next);
                self.each_order(order, visit);
                order.pop();
            }
        }
        if ended {
            visit(order);
        }
    }
}
