//! Observers of a run. They do not affect it, and cost nothing when there are none.
//!
//! What the machine itself notes of the past is here as well: what a step touches, for exploration; what to look for
//! when a run is repeated; the events that a report shows; whether anything still changes.

use crate::finding::Event;
use crate::hindsight::{Hindsight, HindsightQuestion};
use crate::known::{Identity, KnownFindings};
use crate::race::{Access, AccessKind, StepNumber};
use crate::stuck::LivelockWatch;
use crate::touch::Touched;
use crate::trace::ThreadNumber;
use tp_ir::{MemoryOrder, PlaceId};

/// An access to memory that others can reach, of a step that is taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ObservedAccess {
    pub step: StepNumber,
    pub thread: ThreadNumber,
    /// In the user's code: the access, or the call of the model that makes it.
    pub place: Option<PlaceId>,
    /// The key of the object, the same in runs that differ only in the order of independent steps.
    pub object: u64,
    pub offset: u64,
    pub len: u64,
    pub kind: AccessKind,
    pub order: MemoryOrder,
}

/// Sees what a run does, in the order in which it happens.
pub trait Observer {
    fn access(&mut self, access: ObservedAccess);
}

/// Everything that observes a run.
pub(crate) struct Watchers<'p, 'r> {
    /// Only while a run is repeated.
    pub hindsight: Option<Hindsight>,
    /// What to look for if the run is repeated.
    pub question: Option<HindsightQuestion>,
    /// Known findings, and what is needed to go past them.
    pub past: KnownFindings<'r>,
    /// What the current step touches, while that is recorded.
    pub touched: Touched,
    /// If they are to be recorded.
    pub events: Vec<Event>,
    /// How long nothing has changed.
    pub livelock: LivelockWatch<'p>,
    pub observer: Option<&'r mut dyn Observer>,
}

impl<'r> Watchers<'_, 'r> {
    pub fn new(known: &'r [Identity], hindsight: Option<HindsightQuestion>) -> Self {
        Watchers {
            hindsight: hindsight.map(Hindsight::new),
            question: None,
            past: KnownFindings::new(known),
            touched: Touched::default(),
            events: Vec::new(),
            livelock: LivelockWatch::default(),
            observer: None,
        }
    }

    /// The run goes on from another state: forgets what was seen on the way to this one.
    pub fn forget(&mut self) {
        self.past.forget();
        self.touched.clear();
        self.livelock = LivelockWatch::default();
    }
}

impl Access {
    pub(crate) fn observed(
        &self,
        (step, thread): (StepNumber, ThreadNumber),
        place: Option<PlaceId>,
        object: u64,
    ) -> ObservedAccess {
        let Access { offset, len, kind, order, .. } = *self;
        ObservedAccess { step, thread, place, object, offset, len, kind, order }
    }
}
