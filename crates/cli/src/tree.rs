//! `--tree`: the interleavings that `lazy` has followed, as a picture. A node is a state, with the number of the thread whose
//! step led to it; time goes down. The failing branch is drawn thick.

use std::fmt::Write as _;
use std::path::Path;
use tp_explore::{Tree, TreeNode, TreeNodeKind};
use tp_ir::Program;

const COLUMN: f64 = 46.0;
const ROW: f64 = 46.0;
const RADIUS: f64 = 10.0;
const MARGIN: f64 = 36.0;
/// For the words at the bottom.
const LEGEND: f64 = 72.0;

/// One for each thread, in turn; light enough for a number on top.
const COLOURS: [&str; 8] =
    ["#dddddd", "#a6cee3", "#b2df8a", "#fdbf6f", "#cab2d6", "#ffff99", "#fb9a99", "#9edac9"];

/// Writes the picture. A disk that is full must not hide the verdict.
pub fn write(path: &Path, program: &Program, tree: &Tree) {
    if let Err(error) = std::fs::write(path, svg(program, tree)) {
        eprintln!("warning: cannot write {}: {error}", path.display());
    }
}

struct Layout {
    /// Of each node: the middle of its children, or the next free column.
    x: Vec<f64>,
    depth: Vec<usize>,
    columns: f64,
}

impl Layout {
    fn of(tree: &Tree) -> Layout {
        let count = tree.nodes.len();
        let mut depth = vec![0; count];
        let mut children = vec![Vec::new(); count];
        for (i, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                depth[i] = depth[parent] + 1;
                children[parent].push(i);
            }
        }
        let mut columns = 0.0;
        let mut x = vec![0.0; count];
        // The search is depth first, so leaves come from left to right.
        for i in (0..count).filter(|i| children[*i].is_empty()) {
            x[i] = columns;
            columns += 1.0;
        }
        for i in (0..count).rev() {
            if let (Some(first), Some(last)) = (children[i].first(), children[i].last()) {
                x[i] = (x[*first] + x[*last]) / 2.0;
            }
        }
        Layout { x, depth, columns }
    }

    fn at(&self, node: usize) -> (f64, f64) {
        (MARGIN + self.x[node] * COLUMN, MARGIN + self.depth[node] as f64 * ROW)
    }
}

fn svg(program: &Program, tree: &Tree) -> String {
    let layout = Layout::of(tree);
    let depth = layout.depth.iter().max().copied().unwrap_or(0);
    let width = (2.0 * MARGIN + layout.columns * COLUMN).max(660.0);
    let height = 2.0 * MARGIN + depth as f64 * ROW + LEGEND;
    let failing = failing(tree);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <title>Interleavings of {} steps</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        tree.nodes.len()
    );
    for (i, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let ((x0, y0), (x1, y1)) = (layout.at(parent), layout.at(i));
        let (colour, thickness) = if failing[i] { ("#c00000", 3) } else { ("#888888", 1) };
        let _ = writeln!(
            text,
            "<line x1=\"{x0:.1}\" y1=\"{y0:.1}\" x2=\"{x1:.1}\" y2=\"{y1:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{thickness}\"/>"
        );
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        draw(&mut text, program, node, layout.at(i));
    }
    legend(&mut text, tree, height - LEGEND);
    text.push_str("</svg>\n");
    text
}

/// Which nodes lead to one that fails.
fn failing(tree: &Tree) -> Vec<bool> {
    let mut failing = vec![false; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate().rev() {
        failing[i] |= node.kind == TreeNodeKind::Fails;
        if let Some(parent) = node.parent.filter(|_| failing[i]) {
            failing[parent] = true;
        }
    }
    failing
}

fn draw(text: &mut String, program: &Program, node: &TreeNode, (x, y): (f64, f64)) {
    let colour = COLOURS[node.thread as usize % COLOURS.len()];
    let (stroke, dash) = match node.kind {
        TreeNodeKind::Fails => ("#c00000\" stroke-width=\"3", ""),
        TreeNodeKind::Visited => ("#333333", " stroke-dasharray=\"2 2\""),
        TreeNodeKind::Bound => ("#333333", " stroke-dasharray=\"6 2\""),
        TreeNodeKind::Inner | TreeNodeKind::End => ("#333333", ""),
    };
    let line = node.place.and_then(|place| program.line_text(place)).unwrap_or_default();
    let number = line.rsplit(':').next().unwrap_or_default();
    let switches = node.switches;
    let _ = writeln!(
        text,
        "<g><title>thread {}, {}, {switches} context switches</title>\
         <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{colour}\" stroke=\"{stroke}\"{dash}/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#555555\" font-size=\"9\">{number}</text></g>",
        node.thread,
        escaped(&line),
        y + 4.0,
        node.thread,
        x + RADIUS + 2.0,
        y + 3.0,
    );
    // A bar under the ends of executions.
    if matches!(node.kind, TreeNodeKind::End | TreeNodeKind::Fails) {
        let (x0, x1, y) = (x - RADIUS, x + RADIUS, y + RADIUS + 4.0);
        let _ = writeln!(
            text,
            "<line x1=\"{x0:.1}\" y1=\"{y:.1}\" x2=\"{x1:.1}\" y2=\"{y:.1}\" stroke=\"{}\" stroke-width=\"2\"/>",
            if node.kind == TreeNodeKind::Fails { "#c00000" } else { "#333333" }
        );
    }
}

fn legend(text: &mut String, tree: &Tree, y: f64) {
    let mut lines = vec![
        "A circle is a state: in it the number of the thread that stepped last, beside it the line of that step.",
        "Red: fails. A bar: the execution ends. Dotted: visited before. Dashed: the bound on context switches.",
    ];
    if tree.is_cut {
        lines.push("The tree goes on: only its first states are drawn.");
    }
    for (i, line) in lines.iter().enumerate() {
        let _ = writeln!(text, "<text x=\"12\" y=\"{:.0}\">{line}</text>", y + 20.0 + 16.0 * i as f64);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failing_branch_is_marked() {
        let node = |parent, kind| TreeNode { parent, thread: 0, place: None, switches: 0, kind };
        let inner = TreeNodeKind::Inner;
        let nodes = vec![
            node(None, inner),
            node(Some(0), inner),
            node(Some(1), TreeNodeKind::End),
            node(Some(0), inner),
            node(Some(3), TreeNodeKind::Fails),
        ];
        let tree = Tree { nodes, is_cut: false };
        assert_eq!(failing(&tree), [true, false, false, true, true]);
        let layout = Layout::of(&tree);
        assert_eq!((layout.x, layout.columns), (vec![0.5, 0.0, 0.0, 1.0, 1.0], 2.0));
    }
}
