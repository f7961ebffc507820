//! Why one step is before another: the literals on a path with few of them.

use super::graph::{Age, EdgeReason, Graph, OrderNode};
use crate::Lit;
use std::collections::VecDeque;

/// What the search for a path knows of a step; valid only if `search` is the current one.
#[derive(Copy, Clone, Default)]
struct Seen {
    search: u32,
    distance: u32,
    /// Where it was reached from, and over which edge; `None` for a fixed order.
    from: u32,
    over: Option<u32>,
}

/// Buffers that are reused from one explanation to the next.
#[derive(Default)]
pub(super) struct Paths {
    seen: Vec<Seen>,
    search: u32,
    work: VecDeque<(OrderNode, u32)>,
    /// By edge: the explanation that it was last a part of.
    explained: Vec<u32>,
    explanation: u32,
    todo: Vec<(OrderNode, OrderNode, Age)>,
    found: Vec<u32>,
}

impl Paths {
    /// The literals that, together, make these reasons and paths hold, as they did at that time. Sorted, each once.
    /// `None`: one of the paths was not there.
    pub fn explain(
        &mut self,
        graph: &Graph,
        whys: impl IntoIterator<Item = EdgeReason>,
        paths: impl IntoIterator<Item = (OrderNode, OrderNode)>,
        at: Age,
    ) -> Option<Vec<Lit>> {
        let mut literals = Vec::new();
        self.explanation = self.explanation.wrapping_add(1);
        self.explained.resize(self.explained.len().max(at.0 as usize), 0);
        for why in whys {
            literals.extend(why.conditions.into_iter().flatten());
            self.todo.extend(why.path.map(|(a, b)| (a, b, at)));
        }
        self.todo.extend(paths.into_iter().map(|(a, b)| (a, b, at)));
        while let Some((a, b, at)) = self.todo.pop() {
            if !self.find(graph, a, b, at) {
                self.todo.clear();
                return None;
            }
            while let Some(id) = self.found.pop() {
                if std::mem::replace(&mut self.explained[id as usize], self.explanation) != self.explanation {
                    let why = graph.edge(id).why;
                    literals.extend(why.conditions.into_iter().flatten());
                    self.todo.extend(why.path.map(|(a, b)| (a, b, Age(id))));
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        Some(literals)
    }

    /// Finds the added edges on a path with the fewest of them, among those that existed at the time. Fixed orders cost
    /// nothing. `false`: there was no path.
    fn find(&mut self, graph: &Graph, a: OrderNode, b: OrderNode, at: Age) -> bool {
        self.search = self.search.wrapping_add(1);
        self.seen.resize(graph.count(), Seen::default());
        self.work.clear();
        self.reach(a, Seen { search: self.search, distance: 0, from: a.0, over: None });
        self.work.push_back((a, 0));
        while let Some((node, distance)) = self.work.pop_front() {
            if node == b {
                break;
            }
            if distance > self.seen[node.index()].distance {
                continue;
            }
            for next in graph.always_after(node) {
                let seen = Seen { search: self.search, distance, from: node.0, over: None };
                // A step that is not before the end now was not before it then.
                if graph.reaches(next, b) && self.reach(next, seen) {
                    self.work.push_front((next, distance));
                }
            }
            for id in graph.leaving(node).filter(|&id| id < at.0) {
                let next = graph.edge(id).to;
                let seen = Seen { search: self.search, distance: distance + 1, from: node.0, over: Some(id) };
                if graph.reaches(next, b) && self.reach(next, seen) {
                    self.work.push_back((next, distance + 1));
                }
            }
        }
        let mut node = b;
        while node != a {
            if self.seen[node.index()].search != self.search {
                return false;
            }
            let seen = self.seen[node.index()];
            self.found.extend(seen.over);
            node = OrderNode(seen.from);
        }
        true
    }

    /// Records a path to a step. `false`: there is one as short.
    fn reach(&mut self, node: OrderNode, by: Seen) -> bool {
        let seen = &mut self.seen[node.index()];
        let shorter = seen.search != by.search || by.distance < seen.distance;
        if shorter {
            *seen = by;
        }
        shorter
    }
}
