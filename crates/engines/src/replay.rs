//! Hands a failure to the machine, which has to reach it on the real program.

use crate::check::{CheckOptions, NotReplayed};
use crate::witness::SolvedExecution;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use tp_events::{EventGraph, ObjectId, ThreadId};
use tp_ir::{Program, Property};
use tp_machine::{
    End, Environment, Finding, Guided, GuidedInputs, Identity, Layout, ObjectName, Run, RunLimits,
    ThreadNumber, UnwrittenBytes,
};

pub(crate) enum Replayed {
    Fails(Box<Run>),
    /// It fails in a way that is known already.
    Known,
    Differs(NotReplayed),
    /// Before the failure, the program does something undefined that is not checked for; a run cannot go on from there.
    Undefined(Box<Finding>),
    /// A loop without steps keeps all threads from running in the machine, though not in the program.
    LoopsForEver,
    Stopped,
}

impl Replayed {
    /// Another layout of memory need not be tried.
    fn is_answer(&self) -> bool {
        matches!(self, Replayed::Fails(_) | Replayed::Known | Replayed::Stopped)
    }
}

/// Follows a witness, at the end of which these threads fail. The machine's own layout of memory is tried first, since
/// hardly any failure depends on addresses; then the layouts of the witness.
pub(crate) fn replay(
    program: &Program,
    options: &CheckOptions,
    graph: &EventGraph,
    (property, threads): (Property, &[ThreadId]),
    witness: &SolvedExecution,
) -> Replayed {
    let numbers = Numbers::new(witness);
    let last: Vec<ThreadNumber> = threads.iter().map(|&t| numbers.of(t)).collect();
    let targets = witness.targets.iter().map(|&(t, steps)| (numbers.of(t), steps)).collect();
    let inputs = inputs(graph, witness, &numbers);
    let mut guide = Guide { program, options, property, targets, last, inputs };
    let first = guide.follow();
    if first.is_answer() {
        return first;
    }
    for layout in layouts(graph, witness, &numbers) {
        guide.inputs.layout = layout;
        let replayed = guide.follow();
        if replayed.is_answer() {
            return replayed;
        }
    }
    first
}

/// The numbers of threads in the machine.
struct Numbers(FxHashMap<ThreadId, ThreadNumber>);

impl Numbers {
    fn new(witness: &SolvedExecution) -> Numbers {
        let threads = witness.threads.iter().enumerate();
        Numbers(threads.filter_map(|(i, t)| Some(((*t)?, i as ThreadNumber))).collect())
    }

    fn of(&self, thread: ThreadId) -> ThreadNumber {
        self.0.get(&thread).copied().unwrap_or(ThreadNumber::MAX)
    }
}

/// The input values of the threads, and the contents of unwritten memory.
fn inputs(graph: &EventGraph, witness: &SolvedExecution, numbers: &Numbers) -> GuidedInputs {
    let mut inputs = GuidedInputs::default();
    for (thread, values) in &witness.inputs {
        let values = values.iter().map(|v| v.value).collect();
        inputs.calls.insert(numbers.of(*thread), values);
    }
    for value in &witness.unwritten {
        let known = UnwrittenBytes { offset: value.offset, bytes: value.bytes as u64, value: value.value };
        let object = &graph.objects()[value.object];
        match (object.global, object.made_by, value.made) {
            (Some(global), None, _) => inputs.globals.entry(global).or_default().push(known),
            (Some(global), Some(thread), _) => {
                inputs.thread_locals.entry((numbers.of(thread), global)).or_default().push(known);
            }
            (None, _, Some((thread, nth))) => {
                inputs.memory.entry((numbers.of(thread), nth, value.scope)).or_default().push(known);
            }
            (None, _, None) => {}
        }
    }
    inputs
}

/// The alignment of objects whose addresses are compared, and the least space between them.
const DISTANCE: u64 = 4096;

/// Where the objects of a witness may lie: as in the unfolding and, tried first, with the objects whose addresses are
/// compared in their order.
fn layouts(graph: &EventGraph, witness: &SolvedExecution, numbers: &Numbers) -> Vec<Layout> {
    let names: FxHashMap<ObjectId, ObjectName> = witness
        .objects
        .iter()
        .filter_map(|&(id, made)| {
            let object = &graph.objects()[id];
            let name = match (object.function, object.global, object.made_by) {
                (Some(function), ..) => ObjectName::Function(function),
                (_, Some(global), None) => ObjectName::Global(global),
                (_, Some(global), Some(thread)) => ObjectName::ThreadLocal(numbers.of(thread), global),
                (None, None, _) => made.map(|(thread, nth)| ObjectName::Made(numbers.of(thread), nth))?,
            };
            Some((id, name))
        })
        .collect();
    let as_unfolded: Layout = names.iter().map(|(id, name)| (*name, graph.objects()[*id].base)).collect();
    if witness.ascending.is_empty() {
        return vec![as_unfolded];
    }
    let mut in_order = as_unfolded.clone();
    let mut next = graph.objects().values().map(|o| o.base.saturating_add(o.size)).max().unwrap_or(0);
    for id in &witness.ascending {
        let Some(name) = names.get(id) else { continue };
        let base = next.saturating_add(DISTANCE).next_multiple_of(DISTANCE);
        next = base.saturating_add(graph.objects()[*id].size);
        in_order.insert(*name, base);
    }
    vec![in_order, as_unfolded]
}

/// A run for the machine to follow, and the failure expected at its end.
struct Guide<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    property: Property,
    targets: Vec<(ThreadNumber, u64)>,
    last: Vec<ThreadNumber>,
    inputs: GuidedInputs,
}

impl Guide<'_> {
    fn run(&self, past: &[Identity]) -> Run {
        let config = RunLimits::default().config(self.options.checks, &self.options.stop, false);
        let mut schedule = Guided::new(self.targets.clone(), self.last.clone());
        let mut inputs = self.inputs.clone();
        let environment =
            Environment { schedule: &mut schedule, inputs: &mut inputs, output: &mut |_, _| {} };
        tp_machine::run_past(self.program, &config, past, environment)
    }

    fn is_known(&self, end: &End) -> bool {
        match end {
            End::Violation(finding) => self.options.is_known(&Identity::of(self.program, finding)),
            _ => false,
        }
    }

    fn follow(&self) -> Replayed {
        // The run goes on past known races, but ends with any other known failure.
        let known = self.options.known.iter();
        let races: Vec<Identity> = known.filter(|k| k.property == Property::Race).cloned().collect();
        let run = self.run(&races);
        let is_new = matches!(&run.end, end @ End::Violation(_) if !self.is_known(end));
        match &run.end {
            end if self.is_known(end) => Replayed::Known,
            // A race of the run may be known by another line: to the machine, an atomic section is where it ends.
            _ if !is_new && !races.is_empty() && self.is_known(&self.run(&[]).end) => Replayed::Known,
            // Another failure on the way counts as well: the machine reports only properties that are checked.
            End::Violation(_) => Replayed::Fails(Box::new(run)),
            End::Undefined(finding) => Replayed::Undefined(finding.clone()),
            End::TooManySteps => Replayed::LoopsForEver,
            _ if self.options.stop.load(Ordering::Relaxed) => Replayed::Stopped,
            _ => Replayed::Differs(NotReplayed {
                property: self.property,
                threads: self.last.clone(),
                end: Box::new(run.end),
            }),
        }
    }
}
