//! What a bounded execution covers: terms that say that a thread gets as far as a node within the bound.
//!
//! `record` numbers contexts, and leaves the nodes after the last one in a *tail*, where reads may see anything that φ₀
//! allows. So a goal has to say that what it rests on is *counted*, that is, not in the tail. A goal of a thread rests on
//! the nodes of the thread up to some node, and on those of its creators up to the creation. The counted nodes are a prefix
//! of an execution: with a node, the nodes before it in its thread are counted, and the creation of the thread, and the
//! writes that it reads. Without a bound everything is counted, and the terms are constants, which leave a formula as it was.

use crate::check::{CheckVerdict, UnknownReason};
use crate::engine::{Answer, GraphSolver};
use tp_events::{NodeId, Query, ThreadId};
use tp_ir::Width;
use tp_terms::Term;

/// For each node, an unknown that says whether it is counted; the engine gives it its meaning.
pub struct Counted {
    bound: Option<Bound>,
}

struct Bound {
    switches: u32,
    /// By thread: its nodes in program order, each with its unknown.
    nodes: Vec<Vec<(NodeId, Term)>>,
}

impl Counted {
    /// Executions of any length.
    pub fn all() -> Counted {
        Counted { bound: None }
    }

    /// Executions with at most this many context switches; nodes that are added to the query later are not asked about.
    pub fn within(query: &mut Query<'_>, switches: Option<u32>) -> Counted {
        let Some(switches) = switches else { return Counted::all() };
        let chains = query.nodes_by_thread().into_iter();
        let mut unknown = |node| (node, query.terms.variable(Width::BOOL));
        let nodes = chains.map(|chain| chain.into_iter().map(&mut unknown).collect()).collect();
        Counted { bound: Some(Bound { switches, nodes }) }
    }

    /// The bound on context switches.
    pub(crate) fn switches(&self) -> Option<u32> {
        self.bound.as_ref().map(|bound| bound.switches)
    }

    /// The nodes with their unknowns.
    pub(crate) fn unknowns(&self) -> impl Iterator<Item = (NodeId, Term)> {
        self.bound.iter().flat_map(|bound| bound.nodes.iter().flatten().copied())
    }

    /// The thread gets past `node` within the bound, which it may reach or leave out.
    pub fn up_to(&self, query: &mut Query<'_>, thread: ThreadId, node: NodeId) -> Term {
        self.first(query, thread, |n| n <= node)
    }

    /// `condition`, and the thread of the node gets past it within the bound.
    pub fn with(&self, query: &mut Query<'_>, node: NodeId, condition: Term) -> Term {
        let thread = query.nodes()[node].thread;
        let counted = self.up_to(query, thread, node);
        query.terms.and(condition, counted)
    }

    /// The same for all its nodes before `node`.
    pub fn before(&self, query: &mut Query<'_>, thread: ThreadId, node: NodeId) -> Term {
        self.first(query, thread, |n| n < node)
    }

    /// The thread gets to its end.
    pub fn whole(&self, query: &mut Query<'_>, thread: ThreadId) -> Term {
        self.first(query, thread, |_| true)
    }

    /// The first nodes of the thread are counted: those of which `is_first` holds.
    fn first(&self, query: &mut Query<'_>, thread: ThreadId, is_first: impl Fn(NodeId) -> bool) -> Term {
        let always = query.terms.bool(true);
        let Some(bound) = &self.bound else { return always };
        let nodes =
            |thread: ThreadId| bound.nodes.get(thread.as_u32() as usize).map_or(&[][..], Vec::as_slice);
        let own = nodes(thread);
        let mut last = own[..own.partition_point(|(n, _)| is_first(*n))].last();
        let mut parent = query.parent(thread);
        // A thread without a node of its own rests on the node that created it.
        while last.is_none() {
            let Some(node) = parent else { return always };
            let creator = query.nodes()[node].thread;
            let own = nodes(creator);
            last = own[..own.partition_point(|(n, _)| *n <= node)].last();
            // The creator has this node itself, so that the search ends here; `parent` is for a graph that lacks it.
            parent = query.parent(creator).filter(|&further| further < node);
        }
        last.map_or(always, |(_, unknown)| *unknown)
    }
}

/// The executions that a proof is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Covered {
    All,
    /// Those with at most this many context switches; some may have more.
    Within(u32),
}

/// What the engine has covered when all its answers were no. Without an answer, the bound stands.
pub(crate) fn covered(
    query: &Query<'_>,
    engine: &mut GraphSolver,
    switches: Option<u32>,
) -> Result<Covered, CheckVerdict> {
    let Some(switches) = switches else { return Ok(Covered::All) };
    match engine.ask_for_more(query) {
        Answer::No => Ok(Covered::All),
        Answer::Execution { .. } | Answer::Unknown(_) => Ok(Covered::Within(switches)),
        Answer::Fault(fault) => Err(CheckVerdict::Unknown(UnknownReason::Fault(fault.to_string()))),
    }
}
