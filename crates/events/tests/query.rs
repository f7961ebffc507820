//! A query shows a graph with changes, and the graph stays as it is.

use threadproof_events::*;
use tp_ir::{MemoryOrder, PlaceId, Width};

/// One thread that writes a cell on its only node.
fn graph() -> EventGraph {
    let mut b = GraphBuilder::default();
    let always = b.terms.bool(true);
    let thread = b.threads.push(GraphThread {
        parent: None,
        number: 0,
        steps: Vec::new(),
        local_nodes: Vec::new(),
        made: Vec::new(),
    });
    let node = b.nodes.push(Node { thread, guard: always, place: PlaceId::from_u32(0) });
    let first = b.terms.constant(Width::W8, 0);
    let object = b.objects.push(GraphObject { size: 1, ..GraphObject::default() });
    let cell = b.cells.push(Cell { object, offset: 0, bytes: 1, first });
    let value = b.terms.variable(Width::W8);
    b.writes.push(Write { node, cell, guard: always, value, order: MemoryOrder::Plain });
    b.finish()
}

#[test]
fn ghost_events_are_in_the_query_only() {
    let graph = graph();
    let terms = graph.terms().len();
    let mut query = Query::new(&graph);
    let node = NodeId::from_u32(0);
    let thread = query.add_thread();
    let when = query.terms.variable(Width::BOOL);
    let ghost = query.add_node(thread, when, PlaceId::from_u32(0));
    query.add_edge(node, ghost, when);
    assert_eq!(query.threads().len(), 2);
    assert_eq!(query.parent(thread), None);
    assert_eq!(query.nodes_by_thread(), [[node], [ghost]]);
    assert_eq!((query.reads().len(), query.writes().len(), query.cells().len()), (1, 2, 2));
    assert_eq!((query.reads()[0].node, query.writes()[1].node), (ghost, node));
    assert_eq!(query.assumptions().len(), 1);
    assert_eq!((graph.threads().len(), graph.nodes().len(), graph.cells().len()), (1, 1, 1));
    assert_eq!((graph.reads().len(), graph.writes().len(), graph.assumptions().len()), (0, 1, 0));
    assert_eq!(graph.terms().len(), terms);
}

#[test]
fn conditions_and_bits_are_in_the_query_only() {
    let graph = graph();
    let (node, cell) = (NodeId::from_u32(0), CellId::from_u32(0));
    let mut query = Query::new(&graph);
    let when = query.terms.variable(Width::BOOL);
    query.restrict_nodes(|_| when);
    query.restrict_writes(|_, _| when);
    query.widen_write(0, when);
    query.widen_cell(cell, when);
    assert_eq!(query.nodes()[node].guard, when);
    assert_eq!(query.writes()[0].guard, when);
    assert_eq!(query.terms.width(query.writes()[0].value).bits(), 9);
    assert_eq!(query.terms.width(query.cells()[cell].first).bits(), 9);
    let other = Query::new(&graph);
    assert_eq!(other.terms.as_const(other.nodes()[node].guard), Some(1));
    assert_eq!(other.terms.width(other.writes()[0].value).bits(), 8);
    assert_eq!(other.terms.width(other.cells()[cell].first).bits(), 8);
}

#[test]
fn a_node_runs_into_the_end_of_another_thread_only() {
    let graph = graph();
    assert_eq!(graph.running_before(NodeId::from_u32(0)), None);
    let mut query = Query::new(&graph);
    let always = query.terms.bool(true);
    assert_eq!(query.while_running(NodeId::from_u32(0), always), always);
    assert!(query.reads().is_empty());
}
