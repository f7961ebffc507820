//! Ranks for the nodes of a graph: no edge leads to a smaller rank, and an edge within a cycle leads to the same rank.
//! Strongly connected components are found in reverse topological order (Tarjan, 1972).

pub fn ranks(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut next = vec![Vec::new(); count];
    edges.iter().for_each(|(from, to)| next[*from].push(*to));
    let mut search = Search {
        next,
        number: vec![0; count],
        low: vec![0; count],
        component: vec![usize::MAX; count],
        stack: Vec::new(),
        numbers: 0,
        components: 0,
    };
    (0..count).for_each(|node| search.visit(node));
    search.component.iter().map(|component| search.components - component).collect()
}

struct Search {
    next: Vec<Vec<usize>>,
    /// In the order of the first visit, from 1; 0: not visited.
    number: Vec<usize>,
    low: Vec<usize>,
    component: Vec<usize>,
    stack: Vec<usize>,
    numbers: usize,
    components: usize,
}

impl Search {
    fn visit(&mut self, root: usize) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if self.number[root] == 0 {
            self.begin(root);
            path.push((root, 0));
        }
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            let to = self.next[node].get(*edge).copied();
            *edge += 1;
            match to {
                Some(to) if self.number[to] == 0 => {
                    self.begin(to);
                    path.push((to, 0));
                }
                Some(to) if self.component[to] == usize::MAX => {
                    self.low[node] = self.low[node].min(self.number[to]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    self.end(node);
                    if let Some((above, _)) = path.last() {
                        self.low[*above] = self.low[*above].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn begin(&mut self, node: usize) {
        self.numbers += 1;
        self.number[node] = self.numbers;
        self.low[node] = self.numbers;
        self.stack.push(node);
    }

    fn end(&mut self, node: usize) {
        if self.low[node] != self.number[node] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.component[member] = self.components;
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::ranks;

    #[test]
    fn cycles_have_one_rank() {
        let ranks = ranks(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 3), (3, 5)]);
        assert_eq!(ranks[1], ranks[2]);
        assert!(ranks[0] < ranks[1] && ranks[2] < ranks[3] && ranks[4] < ranks[3] && ranks[3] < ranks[5]);
    }
}
