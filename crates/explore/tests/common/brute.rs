//! Every interleaving, one after the other, and the canonical form of a trace: the order of its conflicting steps.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use tp_ir::{Checks, Program};
use tp_machine::{Attempt, Config, InputRequest, Inputs, NextStepKind, Session, ThreadNumber, Touch, Trace};

/// A step of an execution.
#[derive(Clone)]
struct Done {
    thread: ThreadNumber,
    label: Vec<u128>,
    touches: Vec<Touch>,
}

/// The steps of each thread, and the order of each conflicting pair.
fn form(steps: &[Done]) -> String {
    let mut counts = vec![0; 64];
    let names: Vec<String> = steps
        .iter()
        .map(|s| {
            counts[s.thread as usize] += 1;
            format!("{}.{}{:?}", s.thread, counts[s.thread as usize], s.label)
        })
        .collect();
    let mut lines: Vec<String> = names.clone();
    for (i, a) in steps.iter().enumerate() {
        for (j, b) in steps.iter().enumerate().skip(i + 1) {
            let conflict = a.touches.iter().any(|x| b.touches.iter().any(|y| x.conflicts(y)));
            if a.thread != b.thread && conflict {
                lines.push(format!("{}<{}", names[i], names[j]));
            }
        }
    }
    lines.sort();
    lines.join(" ")
}

#[derive(Default)]
struct Given {
    values: Vec<u128>,
    asked: Vec<u32>,
}

struct Reader<'a>(&'a RefCell<Given>);

impl Inputs for Reader<'_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let mut given = self.0.borrow_mut();
        let i = given.asked.len();
        given.asked.push(request.width.bits());
        Some(given.values.get(i).copied().unwrap_or(0))
    }
}

fn with_session<T>(program: &Program, f: impl FnOnce(&mut Session<'_, '_>, &RefCell<Given>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let config = Config {
        checks: Checks::NONE,
        max_steps: 100_000,
        max_memory: 1 << 24,
        max_depth: 100,
        stop: &stop,
        record_events: false,
        wakers: None,
    };
    let given = RefCell::new(Given::default());
    let mut reader = Reader(&given);
    let Ok(mut session) = Session::new(program, &config, &mut reader, None) else { panic!("cannot start") };
    f(&mut session, &given)
}

/// The canonical form of a trace.
pub fn form_of(program: &Program, trace: &Trace) -> String {
    with_session(program, |session, given| {
        let mut steps = Vec::new();
        let mut inputs = trace.inputs.iter().map(|i| i.bits);
        for &(thread, count) in trace.schedule() {
            for _ in 0..count {
                let rest: Vec<u128> = inputs.clone().collect();
                *given.borrow_mut() = Given { values: rest.clone(), asked: Vec::new() };
                assert_eq!(session.attempt(thread), Attempt::Taken, "{trace:?}");
                let used = given.borrow().asked.len();
                let label = inputs.by_ref().take(used).collect();
                steps.push(Done { thread, label, touches: session.touched().to_vec() });
            }
        }
        form(&steps)
    })
}

/// The traces of a program; `None` when there are too many interleavings.
pub fn traces(program: &Program, most: usize) -> Option<BTreeSet<String>> {
    with_session(program, |session, given| {
        let mut search = Search { forms: BTreeSet::new(), steps: Vec::new(), left: most };
        search.all_from_here(session, given).then_some(search.forms)
    })
}

struct Search {
    forms: BTreeSet<String>,
    steps: Vec<Done>,
    left: usize,
}

impl Search {
    fn all_from_here(&mut self, session: &mut Session<'_, '_>, given: &RefCell<Given>) -> bool {
        let depth = session.depth();
        let mut stuck = true;
        for thread in 0..session.threads() {
            if !session.is_alive(thread) || session.next_step_kind(thread) == Some(NextStepKind::Exit) {
                continue;
            }
            let mut labels = vec![Vec::new()];
            while let Some(values) = labels.pop() {
                if self.left == 0 {
                    return false;
                }
                self.left -= 1;
                *given.borrow_mut() = Given { values: values.clone(), asked: Vec::new() };
                let attempt = session.attempt(thread);
                let asked = given.borrow().asked.clone();
                if asked.len() > values.len() {
                    // The same again with each value of the next input.
                    session.back_to(depth);
                    labels.extend((0..1 << asked[values.len()]).map(|v| [&values[..], &[v]].concat()));
                    continue;
                }
                match attempt {
                    Attempt::Waits | Attempt::Spins => {}
                    Attempt::Ends(end) => panic!("{end:?}"),
                    Attempt::Taken => {
                        stuck = false;
                        let touches = session.touched().to_vec();
                        self.steps.push(Done { thread, label: values, touches });
                        if !self.all_from_here(session, given) {
                            return false;
                        }
                        self.steps.pop();
                        session.back_to(depth);
                    }
                }
            }
        }
        if stuck {
            self.forms.insert(form(&self.steps));
        }
        true
    }
}
