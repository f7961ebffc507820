//! Small random programs: threads that are created and joined, branches, waiting, updates in one step.

use super::Build;
use fastrand::Rng;
use tp_events::*;
use tp_terms::Term;

pub struct Random {
    pub build: Build,
    /// Unknowns that no read decides.
    pub free: Vec<Term>,
    pub goals: Vec<Term>,
    pub variables: usize,
}

struct Maker {
    rng: Rng,
    build: Build,
    cells: Vec<CellId>,
    free: Vec<Term>,
    variables: usize,
    nodes_left: usize,
}

/// A thread that is being made: the guard of what comes next, and what it knows.
struct At {
    thread: ThreadId,
    guard: Term,
    locals: Vec<Term>,
    last: Option<NodeId>,
}

pub fn program(seed: u64) -> Random {
    let mut rng = Rng::with_seed(seed);
    let mut build = Build::new(2);
    let cells = (0..rng.usize(1..4)).map(|_| build.cell(0)).collect();
    let mut maker = Maker { nodes_left: rng.usize(3..8), rng, build, cells, free: Vec::new(), variables: 0 };
    let ends = maker.threads();
    let goals = maker.goals(&ends);
    let Maker { build, free, variables, .. } = maker;
    Random { build, free, goals, variables }
}

impl Maker {
    /// Main creates the others, each at a node of its own or all at one, and may wait for them.
    fn threads(&mut self) -> Vec<At> {
        let mut main = self.start(None);
        let mut children = Vec::new();
        if self.rng.bool() {
            self.body(&mut main, 1);
        }
        for _ in 0..self.rng.usize(1..4) {
            let node = self.node(&mut main);
            let mut child = self.start(Some(node));
            child.guard = main.guard;
            child.locals = main.locals.clone();
            let budget = self.rng.usize(1..4);
            self.body(&mut child, budget);
            let joined = self.rng.u8(0..3) == 0;
            if joined {
                let done = self.build.cell(0);
                let node = self.node(&mut child);
                let one = self.build.constant(1);
                self.build.write(node, done, child.guard, one);
                main.guard = self.wait(&mut main, done, 1);
            }
            children.push(child);
        }
        let rest = self.nodes_left;
        self.body(&mut main, rest);
        children.push(main);
        children
    }

    fn start(&mut self, parent: Option<NodeId>) -> At {
        let thread = self.build.thread(parent);
        At { thread, guard: self.build.truth(), locals: Vec::new(), last: None }
    }

    fn node(&mut self, at: &mut At) -> NodeId {
        let node = self.build.node(at.thread, at.guard);
        at.last = Some(node);
        if self.rng.u8(0..4) == 0 {
            self.build.local(at.guard, node);
        }
        node
    }

    fn body(&mut self, at: &mut At, budget: usize) {
        for _ in 0..budget {
            if self.nodes_left == 0 {
                return;
            }
            self.nodes_left -= 1;
            match self.rng.u8(0..9) {
                0..3 => self.read(at),
                3..5 => self.write(at),
                5 => self.update(at),
                6 => self.branch(at),
                7 => {
                    let cell = self.any_cell();
                    let value = self.rng.u128(0..3);
                    at.guard = self.wait(at, cell, value);
                }
                _ => self.two_cells(at),
            }
        }
    }

    fn any_cell(&mut self) -> CellId {
        self.cells[self.rng.usize(..self.cells.len())]
    }

    /// A guard for one event on a node.
    fn event_guard(&mut self, at: &At) -> Term {
        match at.locals.last() {
            Some(&local) if self.rng.u8(0..3) == 0 => {
                let value = self.rng.u128(0..3);
                let is = self.build.is(local, value);
                self.build.all(&[at.guard, is])
            }
            _ => at.guard,
        }
    }

    /// Reads, and remembers the value if the read took part.
    fn read_on(&mut self, at: &mut At, node: NodeId, cell: CellId) -> Term {
        let guard = self.event_guard(at);
        let value = self.build.read(node, cell, guard);
        self.variables += 1;
        let zero = self.build.constant(0);
        let known = self.build.program.terms.ite(guard, value, zero);
        at.locals.push(known);
        known
    }

    fn any_value(&mut self, at: &At) -> Term {
        match (self.rng.u8(0..4), at.locals.last()) {
            (0..2, Some(&local)) => {
                let one = self.build.constant(1);
                self.build.program.terms.add(local, one)
            }
            (2, _) if self.free.len() < 2 => {
                let input = self.build.variable();
                self.variables += 1;
                self.free.push(input);
                input
            }
            _ => {
                let value = self.rng.u128(1..4);
                self.build.constant(value)
            }
        }
    }

    fn read(&mut self, at: &mut At) {
        let (node, cell) = (self.node(at), self.any_cell());
        self.read_on(at, node, cell);
    }

    fn write(&mut self, at: &mut At) {
        let (node, cell, guard) = (self.node(at), self.any_cell(), self.event_guard(at));
        let value = self.any_value(at);
        self.build.write(node, cell, guard, value);
    }

    fn update(&mut self, at: &mut At) {
        let (node, cell) = (self.node(at), self.any_cell());
        let old = self.read_on(at, node, cell);
        let one = self.build.constant(1);
        let new = self.build.program.terms.add(old, one);
        let guard = self.event_guard(at);
        self.build.write(node, cell, guard, new);
    }

    fn two_cells(&mut self, at: &mut At) {
        let node = self.node(at);
        for cell in self.cells.clone().into_iter().take(2) {
            self.read_on(at, node, cell);
        }
        let (cell, guard, value) = (self.any_cell(), self.event_guard(at), self.any_value(at));
        self.build.write(node, cell, guard, value);
    }

    fn branch(&mut self, at: &mut At) {
        let Some(&local) = at.locals.last() else { return self.read(at) };
        let guard = at.guard;
        let value = self.rng.u128(0..3);
        let is = self.build.is(local, value);
        let is_not = self.build.program.terms.not(is);
        for condition in [is, is_not] {
            at.guard = self.build.all(&[guard, condition]);
            self.body(at, 1);
        }
        // What follows comes after both branches, or only after the second one and its waits.
        let stuck = self.rng.bool();
        if !stuck {
            at.guard = guard;
        }
    }

    fn wait(&mut self, at: &mut At, cell: CellId, value: u128) -> Term {
        let wait = self.build.wait_for(at.thread, at.guard, cell, value);
        self.variables += 2;
        self.free.push(wait.passed);
        at.last = Some(wait.node);
        wait.guard
    }

    /// A thread gets to its end, and a local of each thread has some value.
    fn goals(&mut self, ends: &[At]) -> Vec<Term> {
        let mut goals = Vec::new();
        for end in ends {
            let mut parts = vec![end.guard];
            for other in ends {
                if let Some(&local) = other.locals.get(self.rng.usize(..other.locals.len().max(1))) {
                    let value = self.rng.u128(0..4);
                    parts.push(self.build.is(local, value));
                }
            }
            goals.push(self.build.all(&parts));
            // The same for the thread's own locals, so that it can be a claim.
            let own: Vec<Term> = end.locals.iter().copied().take(2).collect();
            let mut parts = vec![end.guard];
            for local in own {
                let value = self.rng.u128(0..4);
                parts.push(self.build.is(local, value));
            }
            let fails = self.build.all(&parts);
            if let Some(last) = end.last {
                self.build.claim(last, fails);
            }
        }
        goals
    }
}
