//! The call graph, with contexts. A *context* is a function reached through one chain of call sites. An *abstract
//! thread* stands for the threads that are started through one chain of call sites.
//!
//! A call of a function that is already on the chain leads to its context there. A thread that is started through the
//! same chain as one of its ancestors is another instance of that ancestor. So contexts and threads are finitely many.
//! If there are still too many, a user function has one context per thread, and only models are distinguished by
//! their callers.
//!
//! The graph is built by `pointsto`, which finds calls through pointers as it goes.

use std::collections::BTreeMap;
use tp_ir::{BlockId, FuncId, Origin, Program};

/// A function reached through one chain of call sites.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContextId(pub(crate) u32);

impl ContextId {
    /// The entry of the program.
    pub const ENTRY: ContextId = ContextId(0);

    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The threads started through one chain of call sites. An execution may have several instances.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AbstractThreadId(pub(crate) u32);

impl AbstractThreadId {
    /// The thread in which the program begins.
    pub const FIRST: AbstractThreadId = AbstractThreadId(0);

    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An instruction of a context.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstSite {
    pub context: ContextId,
    pub block: BlockId,
    pub inst: usize,
}

/// How calls of the user's functions are distinguished.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sensitivity {
    /// By the chain of calls.
    Chains,
    /// By the thread only.
    Functions,
}

struct CallContext {
    function: FuncId,
    thread: AbstractThreadId,
    callers: Vec<InstSite>,
    /// The context of the first caller.
    above: Option<ContextId>,
}

struct AbstractThread {
    root: ContextId,
    starts: Vec<InstSite>,
    parent: Option<AbstractThreadId>,
}

/// A call site in a chain.
type ChainLink = (FuncId, BlockId, usize);

/// The calls and threads of a program.
pub struct CallGraph<'p> {
    program: &'p Program,
    sensitivity: Sensitivity,
    contexts: Vec<CallContext>,
    threads: Vec<AbstractThread>,
    by_call: BTreeMap<(InstSite, FuncId), ContextId>,
    by_function: BTreeMap<(AbstractThreadId, FuncId), ContextId>,
    by_start: BTreeMap<(InstSite, FuncId), AbstractThreadId>,
}

impl<'p> CallGraph<'p> {
    pub(crate) fn new(program: &'p Program, sensitivity: Sensitivity) -> CallGraph<'p> {
        let first = CallContext {
            function: program.entry,
            thread: AbstractThreadId::FIRST,
            callers: Vec::new(),
            above: None,
        };
        CallGraph {
            program,
            sensitivity,
            contexts: vec![first],
            threads: vec![AbstractThread { root: ContextId::ENTRY, starts: Vec::new(), parent: None }],
            by_call: BTreeMap::new(),
            by_function: BTreeMap::new(),
            by_start: BTreeMap::new(),
        }
    }

    fn context(&self, id: ContextId) -> &CallContext {
        &self.contexts[id.index()]
    }

    fn thread(&self, id: AbstractThreadId) -> &AbstractThread {
        &self.threads[id.index()]
    }

    pub fn contexts(&self) -> impl Iterator<Item = ContextId> + use<> {
        (0..self.contexts.len() as u32).map(ContextId)
    }

    pub fn context_count(&self) -> usize {
        self.contexts.len()
    }

    /// The function of a context.
    pub fn function(&self, context: ContextId) -> FuncId {
        self.context(context).function
    }

    /// The thread that executes a context.
    pub fn thread_of(&self, context: ContextId) -> AbstractThreadId {
        self.context(context).thread
    }

    /// The call sites that lead to a context. The root of a thread has only recursive ones.
    pub fn callers(&self, context: ContextId) -> &[InstSite] {
        &self.context(context).callers
    }

    /// All threads. A thread comes after the one that starts it.
    pub fn threads(&self) -> impl Iterator<Item = AbstractThreadId> + use<> {
        (0..self.threads.len() as u32).map(AbstractThreadId)
    }

    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// The context that a thread starts with.
    pub fn root(&self, thread: AbstractThreadId) -> ContextId {
        self.thread(thread).root
    }

    /// The instructions that start a thread. The first thread has none.
    pub fn starts(&self, thread: AbstractThreadId) -> &[InstSite] {
        &self.thread(thread).starts
    }

    /// The thread that first started this one. `None` for the first thread.
    pub fn parent(&self, thread: AbstractThreadId) -> Option<AbstractThreadId> {
        self.thread(thread).parent
    }

    /// The contexts that a call may lead to.
    pub fn callees(&self, site: InstSite) -> impl Iterator<Item = ContextId> + '_ {
        let last = FuncId::from_u32(u32::MAX - 1);
        self.by_call.range((site, FuncId::from_u32(0))..=(site, last)).map(|(_, &context)| context)
    }

    /// The threads that an instruction may start.
    pub fn started(&self, site: InstSite) -> impl Iterator<Item = AbstractThreadId> + '_ {
        let last = FuncId::from_u32(u32::MAX - 1);
        self.by_start.range((site, FuncId::from_u32(0))..=(site, last)).map(|(_, &thread)| thread)
    }

    /// The context that a call of `function` leads to.
    pub(crate) fn call(&mut self, site: InstSite, function: FuncId) -> ContextId {
        if let Some(&context) = self.by_call.get(&(site, function)) {
            return context;
        }
        let thread = self.context(site.context).thread;
        let is_merged = self.sensitivity == Sensitivity::Functions
            && self.program.functions[function].origin == Origin::User;
        let known = match is_merged {
            true => self.by_function.get(&(thread, function)).copied(),
            false => self.on_the_chain(site.context, function),
        };
        let context = known.unwrap_or_else(|| {
            let context = self.new_context(function, thread, Some(site.context));
            if is_merged {
                self.by_function.insert((thread, function), context);
            }
            context
        });
        self.contexts[context.index()].callers.push(site);
        self.by_call.insert((site, function), context);
        context
    }

    /// The thread that an instruction starts with `function`.
    pub(crate) fn start(&mut self, site: InstSite, function: FuncId) -> AbstractThreadId {
        if let Some(&thread) = self.by_start.get(&(site, function)) {
            return thread;
        }
        let starter = self.context(site.context).thread;
        let thread = self.same_start_ancestor(site, function).unwrap_or_else(|| {
            let thread = AbstractThreadId(self.threads.len() as u32);
            let root = self.new_context(function, thread, None);
            self.threads.push(AbstractThread { root, starts: Vec::new(), parent: Some(starter) });
            thread
        });
        self.threads[thread.index()].starts.push(site);
        self.by_start.insert((site, function), thread);
        thread
    }

    fn new_context(
        &mut self,
        function: FuncId,
        thread: AbstractThreadId,
        above: Option<ContextId>,
    ) -> ContextId {
        let id = ContextId(self.contexts.len() as u32);
        self.contexts.push(CallContext { function, thread, callers: Vec::new(), above });
        id
    }

    fn on_the_chain(&self, from: ContextId, function: FuncId) -> Option<ContextId> {
        let mut at = Some(from);
        while let Some(id) = at {
            let context = self.context(id);
            if context.function == function {
                return Some(id);
            }
            at = context.above;
        }
        None
    }

    /// The ancestor that was started with the same function through the same chain.
    fn same_start_ancestor(&self, site: InstSite, function: FuncId) -> Option<AbstractThreadId> {
        let chain = self.chain(site);
        let mut at = Some(self.context(site.context).thread);
        while let Some(id) = at {
            let thread = self.thread(id);
            let same = |&start: &InstSite| self.chain(start) == chain;
            if self.context(thread.root).function == function && thread.starts.iter().any(same) {
                return Some(id);
            }
            at = thread.parent;
        }
        None
    }

    /// The call sites that lead to an instruction, innermost first, as far as contexts are distinguished.
    fn chain(&self, site: InstSite) -> Vec<ChainLink> {
        let mut chain = Vec::new();
        let mut at = Some(site);
        while let Some(InstSite { context, block, inst }) = at {
            let context = self.context(context);
            chain.push((context.function, block, inst));
            let is_merged = self.sensitivity == Sensitivity::Functions
                && self.program.functions[context.function].origin == Origin::User;
            // A root has no callers but its own recursive calls.
            let is_root = context.above.is_none();
            at = context.callers.first().copied().filter(|_| !is_merged && !is_root);
        }
        chain
    }

    /// The calls that lead to an instruction, outermost first, and the instruction itself. `None` if there may be several
    /// such chains, since contexts are merged or a function calls itself.
    pub(crate) fn only_chain(&self, site: InstSite) -> Option<Vec<ChainLink>> {
        let mut chain = Vec::new();
        let mut at = site;
        loop {
            let context = self.context(at.context);
            chain.push((context.function, at.block, at.inst));
            match (context.above, &context.callers[..]) {
                (None, []) => break,
                (Some(_), [caller]) => at = *caller,
                _ => return None,
            }
        }
        chain.reverse();
        Some(chain)
    }

    /// Whether `thread` is `ancestor` or one of its descendants.
    pub fn leads_to(&self, ancestor: AbstractThreadId, thread: AbstractThreadId) -> bool {
        let mut at = Some(thread);
        while let Some(id) = at {
            if id == ancestor {
                return true;
            }
            at = self.thread(id).parent;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use crate::callgraph::{AbstractThreadId, ContextId};
    use crate::testing::{contexts_of, points_to, program};

    const TEXT: &str = "program LP64 entry &main
func &leaf() {
bb0:
  return
}
func &again(%0: i1) {
bb0:
  branch %0, bb1, bb2
bb1:
  call &again(%0)
  jump bb2
bb2:
  call &leaf()
  return
}
func &work(%0: ptr) {
bb0:
  call &leaf()
  return
}
func &main() {
bb0:
  call &again(true)
  call &leaf()
  %0 = thread_start &work, null
  %1 = thread_start &work, null
  return
}
";

    #[test]
    fn contexts_are_told_apart_by_their_callers() {
        let program = program(TEXT);
        let points_to = points_to(&program);
        let calls = points_to.call_graph();
        let leaves = contexts_of(&points_to, "leaf");
        assert_eq!(leaves.len(), 4, "from main, from again, from two threads");
        assert!(leaves.iter().all(|leaf| calls.callers(*leaf).len() == 1));
        let [again] = contexts_of(&points_to, "again")[..] else {
            panic!("a recursive call makes no new context")
        };
        let callers: Vec<ContextId> = calls.callers(again).iter().map(|site| site.context).collect();
        assert_eq!(callers, [ContextId::ENTRY, again]);
        let site = calls.callers(again)[0];
        assert_eq!(calls.callees(site).collect::<Vec<_>>(), [again]);
    }

    #[test]
    fn threads_are_told_apart_by_where_they_are_started() {
        let program = program(TEXT);
        let points_to = points_to(&program);
        let calls = points_to.call_graph();
        let [main, first, second] = calls.threads().collect::<Vec<_>>()[..] else { panic!("three threads") };
        assert_eq!((main, calls.parent(main)), (AbstractThreadId::FIRST, None));
        assert_eq!((calls.parent(first), calls.parent(second)), (Some(main), Some(main)));
        assert!(calls.leads_to(main, second) && !calls.leads_to(first, second));
        assert_eq!(calls.started(calls.starts(second)[0]).collect::<Vec<_>>(), [second]);
        assert_eq!(calls.thread_of(calls.root(first)), first);
    }
}
