//! Depth-first search over the states that were not visited.

use super::components::{BottomComponent, Components};
use super::conflicts::Recent;
use super::contexts::Context;
use super::transaction::Outcome;
use super::tree::{TreeNodeKind, TreeStep};
use super::upcoming::{StepKind, upcoming};
use super::visible::Visible;
use super::{Pass, PassOptions};
use crate::confirm::{Confirmation, confirm_stuck};
use crate::explorer::Over;
use crate::tape::Tape;
use crate::{Exploration, Incomplete, Search, Visitor, ends};
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use tp_ir::Property;
use tp_machine::{Attempt, Beside, End, Session, ThreadNumber};

/// States after which the visitor is told how far the search is.
const TELL: usize = 4096;

/// A state on the way to the present one.
pub struct Node {
    /// Of the session.
    pub depth: usize,
    pub context: Context,
    recent: Recent,
    /// Transactions that were not tried, with the inputs that they are given.
    open: Vec<(ThreadNumber, Vec<u128>)>,
    /// Threads that are tried only if the one in `open` has to wait.
    postponed: Vec<ThreadNumber>,
    /// Threads that are tried only if no other one can step, since an interchangeable thread goes first.
    held_back: Vec<ThreadNumber>,
    /// Threads that are not tried, because of the bound on context switches.
    pub cut_off: Vec<ThreadNumber>,
    /// Some of these may step, so that a state in which no other can need not be the end.
    pub may_move: bool,
    /// All threads are tried.
    is_switch: bool,
    /// Some thread has taken a transaction.
    pub is_left: bool,
    pub waiting: Vec<ThreadNumber>,
    pub spins: bool,
    exits: Option<ThreadNumber>,
    /// The transaction that led here has done more than read, lock, release and change its own locals.
    has_effect: bool,
    /// A state that was not visited before comes after it.
    has_child: bool,
    /// In `Exploration::tree`.
    drawn: Option<usize>,
}

pub struct StateSearch<'e, 'p, 'r> {
    pub search: Search<'p>,
    pub session: Session<'p, 'r>,
    pub tape: &'e RefCell<Tape>,
    pub visible: &'e mut Visible,
    pub result: &'e mut Exploration,
    /// The most context switches of an execution; `None`: they are not counted.
    pub bound: Option<u32>,
    max_depth: Option<usize>,
    /// The step under way, where a tree is drawn.
    pub tree_step: TreeStep,
    /// Conflicts of plain accesses that are no races.
    pub unconfirmed: u64,
    visitor: &'e mut dyn Visitor,
    components: Components,
    path: Vec<Node>,
    /// Whether memory that nothing points to matters.
    counts_heap: bool,
}

impl<'e, 'p, 'r> StateSearch<'e, 'p, 'r> {
    pub fn new(
        (search, options): (Search<'p>, PassOptions<'_>),
        session: Session<'p, 'r>,
        tape: &'e RefCell<Tape>,
        visible: &'e mut Visible,
        result: &'e mut Exploration,
        visitor: &'e mut dyn Visitor,
    ) -> StateSearch<'e, 'p, 'r> {
        let visible_prunes = !visible.is_everything;
        let counts_heap = search.checks.has(Property::Leak) || search.checks.has(Property::Cleanup);
        StateSearch {
            search,
            session,
            tape,
            visible,
            result,
            bound: options.bound,
            max_depth: options.max_depth,
            tree_step: TreeStep::default(),
            unconfirmed: 0,
            visitor,
            components: Components::new(visible_prunes),
            path: Vec::new(),
            counts_heap,
        }
    }

    pub fn run(mut self) -> Result<Pass, Over> {
        self.enter(Recent::default(), false, Context::default())?;
        while let Some(node) = self.path.last_mut() {
            if node.open.is_empty() && !node.is_left {
                node.open.extend(node.held_back.drain(..).map(|t| (t, Vec::new())));
            }
            let Some((thread, given)) = node.open.pop() else {
                match self.leave()? {
                    Some(pass) => return Ok(pass),
                    None => continue,
                }
            };
            self.session.back_to(node.depth);
            let recent = node.recent.clone();
            let mut others = Vec::new();
            let is_switch = node.is_switch;
            let (context, drawn) = (node.context.then(thread), node.drawn);
            if self.result.tree.is_some() {
                self.tree_step = TreeStep::of(self.search.program, &self.session, thread);
            }
            let outcome = self.transaction((thread, &given), is_switch, &recent, &mut others);
            if outcome.is_err() && self.result.has_failed() {
                self.result.interleavings += 1;
                self.draw(drawn, context.switches, TreeNodeKind::Fails);
            }
            let outcome = outcome?;
            if let Outcome::Ends = outcome {
                self.draw(drawn, context.switches, TreeNodeKind::End);
            }
            let Some(node) = self.path.last_mut() else { break };
            node.open.extend(others);
            match outcome {
                Outcome::Moved { has_effect, recent } => {
                    node.is_left = true;
                    self.components.moves(thread);
                    self.enter(recent, has_effect, context)?;
                    continue;
                }
                Outcome::Waits => node.waiting.push(thread),
                Outcome::Spins => node.spins = true,
                Outcome::Exits => node.exits = Some(thread),
                Outcome::Ends => node.is_left = true,
                Outcome::Again => return Ok(Pass::Again),
            }
            if !node.is_switch {
                node.is_switch = true;
                node.open.extend(node.postponed.drain(..).map(|t| (t, Vec::new())));
            }
        }
        if self.session.has_guessed() {
            self.result.give_up(Incomplete::UnwrittenBits);
        }
        if self.session.has_ordered_objects() {
            self.result.give_up(Incomplete::OrderOfObjects);
        }
        Ok(Pass::Complete)
    }

    /// The session is in a state, perhaps a new one.
    fn enter(&mut self, recent: Recent, has_effect: bool, context: Context) -> Result<(), Over> {
        let digest = self.session.digest(&Beside {
            tracked: &recent.accesses(),
            counts_heap: self.counts_heap,
            has_key: &|key| self.visible.has_key(key),
            sets: if self.visible.merges { recent.sets() } else { &[] },
        });
        let at = match self.bound {
            Some(_) => Context { active: self.session.role(context.active), ..context },
            None => Context::default(),
        };
        let before = self.path.last().and_then(|node| node.drawn);
        if !self.components.enter((digest, at), has_effect) {
            self.draw(before, context.switches, TreeNodeKind::Visited);
            return Ok(());
        }
        let drawn = self.draw(before, context.switches, TreeNodeKind::Inner);
        if let Some(before) = self.path.last_mut() {
            before.has_child = true;
        }
        self.result.states += 1;
        self.result.threads = self.result.threads.max(self.session.threads());
        if self.components.count().is_multiple_of(TELL) {
            self.visitor.progress(self.result);
        }
        if self.search.limits.stop.load(Ordering::Relaxed) {
            self.result.give_up(Incomplete::Stopped);
            return Err(Over);
        }
        if self.result.states >= self.search.limits.max_executions {
            self.result.give_up(Incomplete::MoreStates(self.result.states));
            return Err(Over);
        }
        // Not followed further: nothing is known of what comes after.
        let is_deep = self.max_depth.is_some_and(|most| self.session.depth() >= most);
        self.result.is_deep |= is_deep;
        // The one that is tried first comes last.
        let threads = if is_deep { 0 } else { self.session.threads() };
        let threads = (0..threads).rev().filter(|&t| self.session.is_alive(t));
        let (mut held_back, mut open): (Vec<_>, Vec<_>) = threads.partition(|&t| recent.is_held_back(t));
        let mut postponed = Vec::new();
        let mut cut_off = Vec::new();
        let mut is_switch = true;
        // No other thread needs to be let in before a step that is not visible. Only a new thread stands before one.
        let begins = |t: &ThreadNumber| recent.is_fresh(*t) && self.is_invisible(*t);
        // Where switches are counted, these steps are taken when the thread gets its turn.
        if let Some(thread) = open.iter().copied().find(|t| self.bound.is_none() && begins(t)) {
            postponed = std::mem::replace(&mut open, vec![thread]);
            postponed.retain(|t| *t != thread);
            is_switch = false;
        }
        if self.bound.is_some() {
            // The active thread goes first: what follows has the fewest switches.
            open.sort_by_key(|t| *t == context.active);
            for threads in [&mut open, &mut held_back] {
                cut_off.extend(threads.extract_if(.., |t| !self.has_turn(context, *t)));
            }
        }
        let open = open.into_iter().map(|t| (t, Vec::new())).collect();
        self.path.push(Node {
            depth: self.session.depth(),
            context,
            recent,
            open,
            postponed,
            held_back,
            cut_off,
            may_move: false,
            is_switch,
            is_left: is_deep,
            waiting: Vec::new(),
            spins: false,
            exits: None,
            has_effect,
            has_child: false,
            drawn,
        });
        Ok(())
    }

    /// Whether the next step of a thread is one that no other thread needs to be let in before.
    fn is_invisible(&self, thread: ThreadNumber) -> bool {
        upcoming(self.search.program, &self.session, thread).is_some_and(|next| {
            let is_special = matches!(next.kind, StepKind::Exit | StepKind::Unlock | StepKind::End);
            !is_special && !self.visible.contains(&next.site)
        })
    }

    /// All threads were tried in the last state of the path. `Some`: the search begins again.
    fn leave(&mut self) -> Result<Option<Pass>, Over> {
        let Some(node) = self.path.pop() else { return Ok(None) };
        let drawn = node.drawn;
        let left = self.leave_node(node);
        if left.is_err() && self.result.has_failed() {
            self.redraw(drawn, TreeNodeKind::Fails);
        }
        left
    }

    fn leave_node(&mut self, mut node: Node) -> Result<Option<Pass>, Over> {
        self.session.back_to(node.depth);
        let is_cut_off = !node.cut_off.is_empty();
        if is_cut_off {
            self.look_at_cut_off(&mut node)?;
        }
        self.result.interleavings += u64::from(!node.has_child);
        if !node.has_child && is_cut_off {
            self.redraw(node.drawn, TreeNodeKind::Bound);
        } else if !node.has_child && !node.is_left {
            self.redraw(node.drawn, TreeNodeKind::End);
        }
        node.waiting.sort_unstable();
        node.waiting.dedup();
        self.look_for_cycles(&node)?;
        if node.exits.is_some() {
            self.components.may_end();
        }
        self.end(&node)?;
        self.session.back_to(node.depth);
        match self.components.leave(node.has_effect) {
            Some(BottomComponent { has_effect: false, .. }) if self.search.checks.has(Property::Stuck) => {
                self.stuck(self.bound.is_some())?;
                Ok(None)
            }
            Some(BottomComponent { movers, .. }) => self.look_at_main(movers),
            None => Ok(None),
        }
    }

    /// Threads that wait try once more, one after the other, so that the machine sees whether they wait for each other.
    fn look_for_cycles(&mut self, node: &Node) -> Result<(), Over> {
        let needs = node.is_left && node.waiting.len() > 1 && self.search.checks.has(Property::Deadlock);
        for &thread in node.waiting.iter().filter(|_| needs) {
            self.tape.borrow_mut().begin(&[]);
            match self.session.attempt(thread) {
                Attempt::Ends(end) => {
                    self.ended(*end)?;
                    break;
                }
                // With other inputs it does not wait.
                Attempt::Taken => break,
                Attempt::Waits | Attempt::Spins => {}
            }
        }
        self.session.back_to(node.depth);
        Ok(())
    }

    /// The end of an execution, if this state can be one: nobody can step, or only the thread that ends the program.
    fn end(&mut self, node: &Node) -> Result<(), Over> {
        if let Some(thread) = node.exits {
            // An earlier exit, inside a transaction of another thread, may leave other memory allocated.
            let others = (0..self.session.threads()).any(|t| t != thread && self.session.is_alive(t));
            if others && self.search.checks.has(Property::Cleanup) {
                self.result.give_up(Incomplete::EarlierExit);
            }
            // Whatever the others can do, they can do before the program ends; but what is allocated then may differ.
            if !node.is_left || self.counts_heap {
                self.tape.borrow_mut().begin(&[]);
                if let Attempt::Ends(end) = self.session.attempt(thread) {
                    self.ended(*end)?;
                }
            }
            return Ok(());
        }
        if node.is_left {
            return Ok(());
        }
        if node.spins {
            let stopped = (0..self.session.threads()).any(|t| self.session.has_stopped(t));
            let looks = self.search.checks.has(Property::Stuck) && !stopped;
            return if looks { self.stuck(node.may_move) } else { Ok(()) };
        }
        for &thread in &node.waiting {
            self.tape.borrow_mut().begin(&[]);
            if let Attempt::Ends(end) = self.session.attempt(thread) {
                return self.ended(*end);
            }
        }
        let end = self.session.nobody_can_step();
        self.ended(end)
    }

    /// From the present state on, all threads wait for ever in loops. `may_be_wrong`: some threads were not followed, and may
    /// do more than that.
    fn stuck(&mut self, may_be_wrong: bool) -> Result<(), Over> {
        match confirm_stuck(self.search, self.session.trace()) {
            Confirmation::Fails(trace, finding) => self.result.found(trace, finding),
            Confirmation::Known => Ok(()),
            Confirmation::Nothing if may_be_wrong => {
                self.result.doubted.get_or_insert(Property::Stuck);
                Ok(())
            }
            Confirmation::Nothing => {
                self.result.give_up(Incomplete::NotConfirmed(Property::Stuck));
                Ok(())
            }
        }
    }

    pub fn ended(&mut self, end: End) -> Result<(), Over> {
        ends::ended(self.search, self.session.trace(), end, self.result)
    }
}
