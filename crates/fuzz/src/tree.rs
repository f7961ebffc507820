//! A C program as lines and blocks of lines, so that parts of it can be left out.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceNode {
    Line(String),
    /// `open` ends in a brace, `close` begins with one.
    Block {
        open: String,
        body: Vec<SourceNode>,
        close: String,
    },
}

pub fn line(text: impl Into<String>) -> SourceNode {
    SourceNode::Line(text.into())
}

pub fn block(open: impl Into<String>, body: Vec<SourceNode>) -> SourceNode {
    SourceNode::Block { open: open.into(), body, close: "}".into() }
}

/// A text as nodes: lines that end in `{` and those that begin with `}` enclose blocks. `None` where they do not match.
pub fn parse(text: &str) -> Option<Vec<SourceNode>> {
    let mut open: Vec<(String, Vec<SourceNode>)> = Vec::new();
    let mut nodes = Vec::new();
    for text in text.lines().map(|l| l.trim().to_owned()) {
        if text.ends_with('{') && !text.starts_with('}') {
            open.push((text, std::mem::take(&mut nodes)));
        } else if text.starts_with('}') {
            let (opened, before) = open.pop()?;
            let body = std::mem::replace(&mut nodes, before);
            nodes.push(SourceNode::Block { open: opened, body, close: text });
        } else {
            nodes.push(SourceNode::Line(text));
        }
    }
    open.is_empty().then_some(nodes)
}

/// The text, four blanks for each level.
pub fn print(program: &[SourceNode]) -> String {
    let mut text = String::new();
    print_at(program, 0, &mut text);
    text
}

fn print_at(nodes: &[SourceNode], depth: usize, text: &mut String) {
    let put = |text: &mut String, line: &str| *text += &format!("{}{line}\n", "    ".repeat(depth));
    for node in nodes {
        match node {
            SourceNode::Line(line) => put(text, line),
            SourceNode::Block { open, body, close } => {
                put(text, open);
                print_at(body, depth + 1, text);
                put(text, close);
            }
        }
    }
}

/// The program with one text in place of another.
pub fn replace(nodes: &[SourceNode], from: &str, to: &str) -> Vec<SourceNode> {
    let node = |n: &SourceNode| match n {
        SourceNode::Line(text) => SourceNode::Line(text.replace(from, to)),
        SourceNode::Block { open, body, close } => SourceNode::Block {
            open: open.replace(from, to),
            body: replace(body, from, to),
            close: close.replace(from, to),
        },
    };
    nodes.iter().map(node).collect()
}

/// How many nodes there are.
pub fn count(nodes: &[SourceNode]) -> usize {
    nodes.iter().map(|n| if let SourceNode::Block { body, .. } = n { 1 + count(body) } else { 1 }).sum()
}

/// The numbers of all nodes: the last node first, and a block before its contents.
pub fn last_and_outermost_first(nodes: &[SourceNode]) -> Vec<usize> {
    fn add(nodes: &[SourceNode], mut end: usize, numbers: &mut Vec<usize>) {
        for node in nodes.iter().rev() {
            let begin = end - count(std::slice::from_ref(node));
            numbers.push(begin);
            if let SourceNode::Block { body, .. } = node {
                add(body, end, numbers);
            }
            end = begin;
        }
    }
    let mut numbers = Vec::new();
    add(nodes, count(nodes), &mut numbers);
    numbers
}

/// The program without its `n`-th node; with `keep_body`, a block's contents take its place.
pub fn without(nodes: &[SourceNode], mut n: usize, keep_body: bool) -> Option<Vec<SourceNode>> {
    let mut result = Vec::new();
    let mut found = false;
    for node in nodes {
        let size = count(std::slice::from_ref(node));
        match node {
            _ if found || n >= size => result.push(node.clone()),
            SourceNode::Line(_) if keep_body => return None,
            SourceNode::Line(_) => found = true,
            SourceNode::Block { body, .. } if n == 0 => {
                if keep_body {
                    result.extend(body.iter().cloned());
                }
                found = true;
            }
            SourceNode::Block { open, body, close } => {
                let body = without(body, n - 1, keep_body)?;
                result.push(SourceNode::Block { open: open.clone(), body, close: close.clone() });
                found = true;
            }
        }
        n = if found { 0 } else { n - size };
    }
    found.then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_it_is_printed() {
        let text = "int x;\nint main(void) {\n    do {\n        x++;\n    } while (x);\n    return 0;\n}\n";
        let nodes = parse(text).unwrap();
        assert_eq!(print(&nodes), text);
        assert_eq!((nodes.len(), count(&nodes)), (2, 5));
        assert_eq!(parse("int f() {"), None);
        assert_eq!(parse("}"), None);
    }

    #[test]
    fn nodes_have_numbers() {
        let nodes = parse("a\nb {\nc {\nd\n}\ne\n}\nf").unwrap();
        assert_eq!(last_and_outermost_first(&nodes), [5, 1, 4, 2, 3, 0]);
    }

    #[test]
    fn nodes_are_left_out() {
        let nodes = parse("a\nb {\nc\n}\nd").unwrap();
        let text = |n, keep| without(&nodes, n, keep).map(|nodes| print(&nodes));
        assert_eq!(text(0, false).as_deref(), Some("b {\n    c\n}\nd\n"));
        assert_eq!(text(1, false).as_deref(), Some("a\nd\n"));
        assert_eq!(text(1, true).as_deref(), Some("a\nc\nd\n"));
        assert_eq!(text(2, false).as_deref(), Some("a\nb {\n}\nd\n"));
        assert_eq!(text(3, true), None);
        assert_eq!(text(4, false), None);
    }
}
