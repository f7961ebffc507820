//! What a thread knows of each cell, as a persistent array: a copy costs nothing, and comparing two that share their
//! past only visits where they differ.

use crate::CellId;
use cranelift_entity::EntityRef;
use std::rc::Rc;
use tp_terms::Term;

/// What a thread knows of a cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Content {
    /// Not written on this path: the initial value, unless other threads have written it.
    #[default]
    First,
    Known(Term),
    /// Another thread may have written it.
    Stale,
}

const FAN: usize = 32;
/// Levels above the leaves.
const HEIGHT: u32 = 3;

/// Most cells that fit.
pub(crate) const MAX_CELLS: usize = FAN.pow(HEIGHT + 1);

#[derive(Clone)]
enum Tree {
    Leaf(Rc<[Content; FAN]>),
    Inner(Rc<[Option<Tree>; FAN]>),
}

impl Tree {
    fn is(&self, other: &Tree) -> bool {
        match (self, other) {
            (Tree::Leaf(a), Tree::Leaf(b)) => Rc::ptr_eq(a, b),
            (Tree::Inner(a), Tree::Inner(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Store {
    root: Option<Tree>,
}

fn digit(index: usize, level: u32) -> usize {
    index / FAN.pow(level) % FAN
}

impl Store {
    pub fn get(&self, cell: CellId) -> Content {
        let mut tree = &self.root;
        for level in (1..=HEIGHT).rev() {
            match tree {
                Some(Tree::Inner(children)) => tree = &children[digit(cell.index(), level)],
                _ => return Content::First,
            }
        }
        match tree {
            Some(Tree::Leaf(contents)) => contents[digit(cell.index(), 0)],
            _ => Content::First,
        }
    }

    pub fn set(&mut self, cell: CellId, content: Content) {
        let mut tree = &mut self.root;
        for level in (1..=HEIGHT).rev() {
            let node = tree.get_or_insert_with(|| Tree::Inner(Rc::new([const { None }; FAN])));
            let Tree::Inner(children) = node else { return };
            tree = &mut Rc::make_mut(children)[digit(cell.index(), level)];
        }
        let node = tree.get_or_insert_with(|| Tree::Leaf(Rc::new([Content::First; FAN])));
        if let Tree::Leaf(contents) = node {
            Rc::make_mut(contents)[digit(cell.index(), 0)] = content;
        }
    }

    /// The cells in which two stores differ, ascending, with both contents.
    pub fn differences(&self, other: &Store) -> Vec<(CellId, Content, Content)> {
        let mut found = Vec::new();
        compare(&self.root, &other.root, HEIGHT, 0, &mut found);
        found
    }
}

fn compare(
    a: &Option<Tree>,
    b: &Option<Tree>,
    level: u32,
    base: usize,
    found: &mut Vec<(CellId, Content, Content)>,
) {
    match (a, b) {
        (None, None) => return,
        (Some(a), Some(b)) if a.is(b) => return,
        _ => {}
    }
    for i in 0..FAN {
        let index = base + i * FAN.pow(level);
        if level == 0 {
            let content = |tree: &Option<Tree>| match tree {
                Some(Tree::Leaf(contents)) => contents[i],
                _ => Content::First,
            };
            let (x, y) = (content(a), content(b));
            if x != y {
                found.push((CellId::new(index), x, y));
            }
        } else {
            let child = |tree: &Option<Tree>| match tree {
                Some(Tree::Inner(children)) => children[i].clone(),
                _ => None,
            };
            compare(&child(a), &child(b), level - 1, index, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tp_ir::Width;
    use tp_terms::Terms;

    #[test]
    fn differences_of_copies() {
        let mut terms = Terms::new();
        let one = Content::Known(terms.constant(Width::W32, 1));
        let mut a = Store::default();
        for i in 0..2000 {
            a.set(CellId::new(i), one);
        }
        let mut b = a.clone();
        b.set(CellId::new(77), Content::Stale);
        b.set(CellId::new(40_000), one);
        assert_eq!(a.get(CellId::new(77)), one);
        let expected =
            vec![(CellId::new(77), one, Content::Stale), (CellId::new(40_000), Content::First, one)];
        assert_eq!(a.differences(&b), expected);
        assert!(b.differences(&b.clone()).is_empty());
    }
}
