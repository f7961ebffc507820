//! A smaller program about which they still disagree in the same way.

use crate::judge::{Limits, Said, agrees, judge};
use crate::tree::{Node, count, without};
use std::path::Path;
use std::time::{Duration, Instant};
use tp_engines::Method;

/// What a shrinking may take; a hang takes long to see again.
const MOST: Duration = Duration::from_secs(90);

/// Leaves out nodes as long as this engine is wrong in this way.
pub fn shrink(program: Vec<Node>, wrong: &(Method, Said), folder: &Path, limits: Limits) -> Vec<Node> {
    let mut smallest = program;
    let begin = Instant::now();
    loop {
        let before = smallest.clone();
        for keep_body in [false, true] {
            let mut n = count(&smallest);
            while n > 0 && begin.elapsed() < MOST {
                n -= 1;
                let Some(smaller) = without(&smallest, n, keep_body) else { continue };
                if still_wrong(&smaller, wrong, folder, limits) {
                    smallest = smaller;
                    n = n.min(count(&smallest));
                }
            }
        }
        if smallest == before || begin.elapsed() >= MOST {
            return smallest;
        }
    }
}

fn still_wrong(program: &[Node], (method, said): &(Method, Said), folder: &Path, limits: Limits) -> bool {
    let Ok(judgement) = judge(program, folder, &[*method], limits) else { return false };
    judgement.said.iter().any(|(_, now)| now.is_like(said) && !agrees(&judgement.truth, now))
}
