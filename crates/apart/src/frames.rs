//! Calls and threads as the analysis tells them apart: a *frame* is a function as it is called through one chain of calls,
//! a *thread* is a frame that a thread starts with, as started through one chain of calls.
//!
//! A call of a function that is already on the chain goes to the frame that is there. A thread that is started in the
//! same way as one of those that led to it is that one, once more. So there are finitely many; where they would still be too
//! many, a function of the user has one frame in each thread, and only the models are told apart by who calls them.

use std::collections::BTreeMap;
use tp_ir::{BlockId, FuncId, Origin, Program};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrameId(pub u32);

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread in which the program begins.
    pub const FIRST: ThreadId = ThreadId(0);
}

/// An instruction of a frame.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub frame: FrameId,
    pub block: BlockId,
    pub inst: usize,
}

/// How calls of the user's functions are told apart.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// By the chain of calls.
    Chains,
    /// By the thread only.
    Functions,
}

pub struct Frame {
    pub function: FuncId,
    pub thread: ThreadId,
    /// Who calls it; nobody calls what a thread starts with.
    pub callers: Vec<Site>,
    /// The first one.
    above: Option<FrameId>,
}

pub struct Thread {
    pub root: FrameId,
    /// Who starts it; nobody starts the first one.
    pub starts: Vec<Site>,
    /// The thread that starts it, or a thread that it has led to does. `None` for the first.
    pub parent: Option<ThreadId>,
}

/// A static instruction: what a chain of calls is made of.
type Place = (FuncId, BlockId, usize);

pub struct Frames<'p> {
    program: &'p Program,
    detail: Detail,
    pub frames: Vec<Frame>,
    pub threads: Vec<Thread>,
    by_call: BTreeMap<(Site, FuncId), FrameId>,
    by_function: BTreeMap<(ThreadId, FuncId), FrameId>,
    by_start: BTreeMap<(Site, FuncId), ThreadId>,
}

impl<'p> Frames<'p> {
    pub fn new(program: &'p Program, detail: Detail) -> Frames<'p> {
        let first =
            Frame { function: program.entry, thread: ThreadId::FIRST, callers: Vec::new(), above: None };
        Frames {
            program,
            detail,
            frames: vec![first],
            threads: vec![Thread { root: FrameId(0), starts: Vec::new(), parent: None }],
            by_call: BTreeMap::new(),
            by_function: BTreeMap::new(),
            by_start: BTreeMap::new(),
        }
    }

    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id.0 as usize]
    }

    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = FrameId> + use<> {
        (0..self.frames.len() as u32).map(FrameId)
    }

    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len() as u32).map(ThreadId)
    }

    /// The frames that a call may lead to.
    pub fn callees(&self, site: Site) -> impl Iterator<Item = FrameId> + '_ {
        let last = FuncId::from_u32(u32::MAX - 1);
        self.by_call.range((site, FuncId::from_u32(0))..=(site, last)).map(|(_, &frame)| frame)
    }

    /// The threads that an instruction may start.
    pub fn started(&self, site: Site) -> impl Iterator<Item = ThreadId> + '_ {
        let last = FuncId::from_u32(u32::MAX - 1);
        self.by_start.range((site, FuncId::from_u32(0))..=(site, last)).map(|(_, &thread)| thread)
    }

    /// The frame of a function called here.
    pub fn call(&mut self, site: Site, function: FuncId) -> FrameId {
        if let Some(&frame) = self.by_call.get(&(site, function)) {
            return frame;
        }
        let thread = self.frame(site.frame).thread;
        let is_merged =
            self.detail == Detail::Functions && self.program.functions[function].origin == Origin::User;
        let known = match is_merged {
            true => self.by_function.get(&(thread, function)).copied(),
            false => self.on_the_chain(site.frame, function),
        };
        let frame = known.unwrap_or_else(|| {
            let frame = self.new_frame(function, thread, Some(site.frame));
            if is_merged {
                self.by_function.insert((thread, function), frame);
            }
            frame
        });
        self.frames[frame.0 as usize].callers.push(site);
        self.by_call.insert((site, function), frame);
        frame
    }

    /// The thread that starts with a function, started here.
    pub fn start(&mut self, site: Site, function: FuncId) -> ThreadId {
        if let Some(&thread) = self.by_start.get(&(site, function)) {
            return thread;
        }
        let starter = self.frame(site.frame).thread;
        let thread = self.led_here(site, function).unwrap_or_else(|| {
            let thread = ThreadId(self.threads.len() as u32);
            let root = self.new_frame(function, thread, None);
            self.threads.push(Thread { root, starts: Vec::new(), parent: Some(starter) });
            thread
        });
        self.threads[thread.0 as usize].starts.push(site);
        self.by_start.insert((site, function), thread);
        thread
    }

    fn new_frame(&mut self, function: FuncId, thread: ThreadId, above: Option<FrameId>) -> FrameId {
        let id = FrameId(self.frames.len() as u32);
        self.frames.push(Frame { function, thread, callers: Vec::new(), above });
        id
    }

    fn on_the_chain(&self, from: FrameId, function: FuncId) -> Option<FrameId> {
        let mut at = Some(from);
        while let Some(id) = at {
            let frame = self.frame(id);
            if frame.function == function {
                return Some(id);
            }
            at = frame.above;
        }
        None
    }

    /// A thread that led to this one and was started in the same way.
    fn led_here(&self, site: Site, function: FuncId) -> Option<ThreadId> {
        let chain = self.chain(site);
        let mut at = Some(self.frame(site.frame).thread);
        while let Some(id) = at {
            let thread = self.thread(id);
            let same = |&start: &Site| self.chain(start) == chain;
            if self.frame(thread.root).function == function && thread.starts.iter().any(same) {
                return Some(id);
            }
            at = thread.parent;
        }
        None
    }

    /// The instructions that call one another down to this one, as far as they are told apart.
    fn chain(&self, site: Site) -> Vec<Place> {
        let mut chain = Vec::new();
        let mut at = Some(site);
        while let Some(Site { frame, block, inst }) = at {
            let frame = self.frame(frame);
            chain.push((frame.function, block, inst));
            let is_merged = self.detail == Detail::Functions
                && self.program.functions[frame.function].origin == Origin::User;
            at = frame.callers.first().copied().filter(|_| !is_merged);
        }
        chain
    }

    /// Whether a thread is, or was led to by, another one.
    pub fn leads_to(&self, ancestor: ThreadId, thread: ThreadId) -> bool {
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
