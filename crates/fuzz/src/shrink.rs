//! A smaller program about which the engines still disagree in the same way.

use crate::ask::{JudgeLimits, Subject};
use crate::judge::{Wrong, compile, judge};
use crate::native::{Build, ListStates, Native, Sort, Stressed};
use crate::table::JudgedEngine;
use crate::tree::{SourceNode, last_and_outermost_first, without};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time to shrink one program: reproducing a hang takes long.
const MOST: Duration = Duration::from_secs(90);

/// Leaves out nodes as long as the rest is still wrong.
pub fn shrink(
    program: Vec<SourceNode>,
    still_wrong: &mut dyn FnMut(&[SourceNode]) -> bool,
) -> Vec<SourceNode> {
    let mut smallest = program;
    let begin = Instant::now();
    loop {
        let before = smallest.clone();
        for keep_body in [false, true] {
            let mut gone = usize::MAX;
            for n in last_and_outermost_first(&smallest) {
                // The nodes of a removed block come right after it and have larger numbers; all later ones have smaller
                // numbers, which the removal does not change.
                if n > gone || begin.elapsed() >= MOST {
                    continue;
                }
                gone = usize::MAX;
                let Some(smaller) = without(&smallest, n, keep_body) else { continue };
                if still_wrong(&smaller) {
                    smallest = smaller;
                    gone = n;
                }
            }
        }
        if smallest == before || begin.elapsed() >= MOST {
            return smallest;
        }
    }
}

/// Shrinks while this engine gives the same wrong answer to the same question.
pub fn answer(
    program: Vec<SourceNode>,
    wrong: &Wrong,
    engines: &[JudgedEngine],
    folder: &Path,
    limits: JudgeLimits,
) -> Vec<SourceNode> {
    let (question, name) = (wrong.answer.question, wrong.answer.engine);
    shrink(program, &mut |smaller| {
        let Ok(program) = compile(smaller, folder) else { return false };
        let subject = Subject::new(program, limits);
        let judgement = judge(&subject, &[question], engines);
        let same = |w: &Wrong| w.answer.engine == name && w.answer.said.is_like(&wrong.answer.said);
        judgement.wrong().iter().any(same)
    })
}

/// Shrinks while the compiled program does something impossible of this sort.
pub fn native(
    program: Vec<SourceNode>,
    sort: Sort,
    native: &Native,
    (build, limits, states): (Build, JudgeLimits, ListStates),
    folder: &Path,
) -> Vec<SourceNode> {
    shrink(program, &mut |smaller| {
        let stressed = native.stress(smaller, folder, build, limits, states);
        matches!(stressed, Ok(Stressed::Impossible(now, _)) if now == sort)
    })
}
