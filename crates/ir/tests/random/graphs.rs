//! Dominators and frontiers of random graphs, against their definitions.

use super::rng::Rng;
use std::fmt::Write;
use threadproof_ir::cfg::Cfg;
use threadproof_ir::dominators::Dominators;
use threadproof_ir::loops::LoopForest;
use threadproof_ir::{BlockId, Body, EntityRef, FuncId, parse};

fn random_body(rng: &mut Rng) -> Body {
    let blocks = 1 + rng.below(9);
    let mut text = String::from("program LP64 entry &f\nfunc &f() {\n");
    for block in 0..blocks {
        let (a, b, c) = (rng.below(blocks), rng.below(blocks), rng.below(blocks));
        let _ = match rng.below(4) {
            0 => writeln!(text, "bb{block}:\n  return"),
            1 => writeln!(text, "bb{block}:\n  jump bb{a}"),
            2 => writeln!(text, "bb{block}:\n  switch i8 0 {{ 0: bb{b}, 1: bb{c}, default: bb{a} }}"),
            _ => writeln!(text, "bb{block}:\n  branch true, bb{a}, bb{b}"),
        };
    }
    let program = parse(&(text + "}\n")).unwrap_or_else(|error| panic!("{error}"));
    program.functions[FuncId::new(0)].body.clone().expect("a body")
}

/// The blocks that the entry reaches without passing through `without`.
fn reached(body: &Body, without: Option<BlockId>) -> Vec<bool> {
    let mut seen = vec![false; body.blocks.len()];
    let mut worklist = vec![BlockId::new(0)];
    while let Some(block) = worklist.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block.index()], true) {
            body.blocks[block].terminator.each_target(|target| worklist.push(target.block));
        }
    }
    seen
}

#[test]
fn dominators_and_frontiers() {
    for seed in 0..2000 {
        let body = random_body(&mut Rng::new(seed));
        let cfg = Cfg::new(&body);
        let dominators = Dominators::new(&cfg);
        let frontiers = dominators.frontiers(&cfg);
        let reachable = reached(&body, None);
        let blocks: Vec<BlockId> = body.blocks.keys().filter(|b| reachable[b.index()]).collect();
        assert!(body.blocks.keys().all(|b| cfg.is_reachable(b) == reachable[b.index()]));
        for &a in &blocks {
            let without = reached(&body, Some(a));
            let dominates = |b: BlockId| !without[b.index()];
            for &b in &blocks {
                assert_eq!(dominators.dominates(a, b), dominates(b), "seed {seed}: {a} {b}");
                let ends = cfg.preds(b).iter().any(|pred| dominates(*pred)) && (a == b || !dominates(b));
                let count = frontiers[a.index()].iter().filter(|f| **f == b).count();
                assert_eq!(count, ends as usize, "seed {seed}: frontier of {a} at {b}");
            }
        }
    }
}

/// The blocks that can be reached from `from` by one or more edges, through `within` only.
fn after(cfg: &Cfg, from: BlockId, within: &[BlockId]) -> Vec<BlockId> {
    let mut found = Vec::new();
    let mut worklist = cfg.succs(from).to_vec();
    while let Some(block) = worklist.pop() {
        if within.contains(&block) && !found.contains(&block) {
            found.push(block);
            worklist.extend(cfg.succs(block));
        }
    }
    found
}

#[test]
fn loops_are_the_strongly_connected_parts() {
    for seed in 0..2000 {
        let body = random_body(&mut Rng::new(seed));
        let cfg = Cfg::new(&body);
        let forest = LoopForest::new(&cfg);
        for &block in cfg.order() {
            let comes_back = after(&cfg, block, cfg.order()).contains(&block);
            assert_eq!(forest.is_in_loop(block), comes_back, "seed {seed}: {block}");
            for next in cfg.succs(block) {
                let goes_back = forest.position(*next) <= forest.position(block);
                let is_head = forest.heads(block).contains(next);
                assert!(!goes_back || is_head, "seed {seed}: from {block} back to {next}, which is no head");
            }
        }
        let dominators = Dominators::new(&cfg);
        for id in forest.ids() {
            let (head, blocks) = (forest.head(id), forest.blocks(id));
            assert!(
                blocks.iter().all(|b| after(&cfg, *b, blocks).len() == blocks.len()),
                "seed {seed}: {head}"
            );
            // It is maximal in the loop around it without that loop's head.
            let around = forest.parent(id).map_or(cfg.order(), |parent| &forest.blocks(parent)[1..]);
            let larger =
                after(&cfg, head, around).into_iter().filter(|b| after(&cfg, *b, around).contains(&head));
            assert_eq!(larger.count(), blocks.len(), "seed {seed}: {head}");
            let is_natural = blocks.iter().all(|b| dominators.dominates(head, *b));
            assert_eq!(forest.has_one_entry(&cfg, id), is_natural, "seed {seed}: {head}");
        }
    }
}
