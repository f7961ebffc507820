//! An order of the same nodes with few changes of thread (context switches).
//!
//! The nodes of a thread keep their order, a thread stays after the node that created it, and every read sees the same
//! write: the read stays after that write, and other writes to the cell stay before the write or after the read, as
//! they were. Any order with these constraints is the same execution; two writes that are not read may change places.
//!
//! Running a thread further never disables another thread. So an order is a sequence of choices of a thread, which then
//! runs as far as it can. These sequences are searched breadth first: those of one choice, of two, and so on; the first
//! that has run everything has the fewest changes. When there are too many, those that have got furthest are kept.

use crate::witness::Events;
use rustc_hash::{FxHashMap, FxHashSet};
use tp_events::{CellId, NodeId, Query, ThreadId};

/// About how many nodes may be visited in all.
const WORK: usize = 2_000_000;
const MOST_KEPT: usize = 4096;
const FEWEST_KEPT: usize = 4;

/// Nodes of one thread that run without another in between.
pub(crate) struct Block {
    pub thread: ThreadId,
    pub nodes: Vec<NodeId>,
}

/// Puts nodes, given in a possible order, into an order with few blocks.
pub(crate) fn shorten(query: &Query<'_>, events: &Events, order: &[NodeId]) -> Vec<Block> {
    let plan = Plan::new(query, events, order);
    let choices = plan.search();
    let mut position = vec![0; plan.chains.len()];
    let mut blocks: Vec<Block> = Vec::new();
    for chain in choices {
        let start = position[chain];
        plan.run(&mut position, chain);
        let nodes = plan.chains[chain].nodes[start..position[chain]].to_vec();
        blocks.push(Block { thread: plan.chains[chain].thread, nodes });
    }
    blocks
}

struct Chain {
    thread: ThreadId,
    nodes: Vec<NodeId>,
    /// For each node: how far other chains have to be for it to run.
    waits: Vec<Vec<At>>,
}

struct Plan {
    chains: Vec<Chain>,
    total: usize,
}

/// How far each chain is, and the last of the choices that led there.
struct State {
    position: Vec<usize>,
    choice: Option<usize>,
}

/// A chain that was chosen to run, and the choice before.
struct ChosenChain {
    chain: usize,
    before: Option<usize>,
}

/// Where a node is: its chain, and its place there.
type At = (usize, usize);

/// What was done to a cell so far.
#[derive(Default)]
struct History {
    /// The last write that is read.
    write: Option<At>,
    /// The reads of it, or of the first value.
    reads: Vec<At>,
    /// Writes since then, which are not read.
    unread: Vec<At>,
}

impl History {
    /// Adds a write, and to `after` what it has to stay after.
    fn write(&mut self, here: At, is_read: bool, after: &mut Vec<At>) {
        after.extend(&self.reads);
        if is_read {
            after.append(&mut self.unread);
            *self = History { write: Some(here), ..History::default() };
        } else {
            self.unread.push(here);
        }
    }
}

impl Plan {
    fn new(query: &Query<'_>, events: &Events, order: &[NodeId]) -> Plan {
        let read = events.read_writes(order);
        let mut plan = Plan { chains: Vec::new(), total: order.len() };
        let mut chain_of: FxHashMap<ThreadId, usize> = FxHashMap::default();
        let mut places: FxHashMap<NodeId, At> = FxHashMap::default();
        let mut cells: FxHashMap<CellId, History> = FxHashMap::default();
        for &node in order {
            let thread = query.nodes()[node].thread;
            let chain = *chain_of.entry(thread).or_insert_with(|| {
                plan.chains.push(Chain { thread, nodes: Vec::new(), waits: Vec::new() });
                plan.chains.len() - 1
            });
            let here = (chain, plan.chains[chain].nodes.len());
            let mut after: Vec<At> = Vec::new();
            after.extend(query.parent(thread).and_then(|p| places.get(&p)));
            for cell in events.reads(node) {
                let history = cells.entry(*cell).or_default();
                after.extend(history.write);
                history.reads.push(here);
            }
            for cell in events.writes(node) {
                cells.entry(*cell).or_default().write(here, read.contains(&(node, *cell)), &mut after);
            }
            after.retain(|&(c, _)| c != chain);
            places.insert(node, here);
            plan.chains[chain].nodes.push(node);
            plan.chains[chain].waits.push(furthest(after));
        }
        plan
    }

    fn can_run(&self, position: &[usize], chain: usize) -> bool {
        let waits = self.chains[chain].waits.get(position[chain]);
        waits.is_some_and(|w| w.iter().all(|&(c, index)| position[c] > index))
    }

    fn run(&self, position: &mut [usize], chain: usize) {
        while self.can_run(position, chain) {
            position[chain] += 1;
        }
    }

    /// The chains to run, one after the other.
    fn search(&self) -> Vec<usize> {
        let width = (WORK / (self.total * self.chains.len()).max(1)).clamp(FEWEST_KEPT, MOST_KEPT);
        let mut level = vec![State { position: vec![0; self.chains.len()], choice: None }];
        let mut made = Vec::new();
        loop {
            let done = level.iter().find(|s| s.position.iter().sum::<usize>() == self.total);
            if let Some(state) = done {
                return choices(&made, state);
            }
            let mut next = self.next_level(&level, &mut made);
            if next.is_empty() {
                // This does not happen if the given order was possible.
                return Vec::new();
            }
            if next.len() > width {
                next.sort_by_key(|s| std::cmp::Reverse(s.position.iter().sum::<usize>()));
                next.truncate(width);
            }
            level = next;
        }
    }

    fn next_level(&self, level: &[State], made: &mut Vec<ChosenChain>) -> Vec<State> {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for state in level {
            for chain in 0..self.chains.len() {
                if !self.can_run(&state.position, chain) {
                    continue;
                }
                let mut position = state.position.clone();
                self.run(&mut position, chain);
                if seen.insert(position.clone()) {
                    made.push(ChosenChain { chain, before: state.choice });
                    next.push(State { position, choice: Some(made.len() - 1) });
                }
            }
        }
        next
    }
}

/// For each chain the furthest of these.
fn furthest(mut places: Vec<At>) -> Vec<At> {
    places.sort_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
    places.dedup_by_key(|p| p.0);
    places
}

fn choices(made: &[ChosenChain], state: &State) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = state.choice;
    while let Some(choice) = at {
        found.push(made[choice].chain);
        at = made[choice].before;
    }
    found.reverse();
    found
}
