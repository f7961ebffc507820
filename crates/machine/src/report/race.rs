//! The two accesses of a race.

use crate::finding::{End, Finding, Label};
use crate::machine::{Machine, Probe, Stop};
use crate::memory::ObjectKind;
use crate::race::{Access, AccessKind, Earlier};
use crate::thread::Thread;
use crate::value::ObjectRef;
use tp_ir::Property;

impl<'p> Machine<'p, '_> {
    pub(crate) fn access_text(&self, t: &Thread<'p>, access: &Access) -> String {
        let locks: Vec<String> =
            t.held.iter().map(|h| format!("`{}`", self.describe_pointer(h.lock))).collect();
        let locks = if locks.is_empty() { "no lock".to_owned() } else { locks.join(" and ") };
        let atomic = if access.order.is_atomic() { "atomic " } else { "" };
        let verb = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::ReadWrite => "update",
            AccessKind::Free => "free",
        };
        format!("{atomic}{verb} by thread `{}`, holding {locks}", self.thread_name(t))
    }

    pub fn earlier_label(&self, t: &Thread<'p>, access: &Access) -> Label {
        Label { text: format!("(1) {}", self.access_text(t, access)), moment: self.moment(t) }
    }

    pub fn race(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access, earlier: Earlier) -> Stop {
        self.note_racing(t, r, access);
        let object = self.memory.object(r);
        let address = object.base + earlier.offset;
        self.earlier = Some(Probe { step: earlier.step, address, len: earlier.len, write: earlier.write });
        let name = self.describe(r, earlier.offset.max(access.offset));
        let name = if object.kind == ObjectKind::Heap { name } else { format!("`{name}`") };
        let one = match (access.kind, earlier.write) {
            (AccessKind::Free, _) => "one of them frees it",
            (AccessKind::Read, _) | (_, false) => "one of them writes",
            _ => "both write",
        };
        Stop::from(End::Violation(Box::new(Finding {
            property: Property::Race,
            message: format!("two threads access {name} at the same time, {one}"),
            labels: vec![Label {
                text: format!("(2) {}", self.access_text(t, access)),
                moment: self.moment(t),
            }],
            notes: vec!["the two accesses are not ordered by any lock, join, or atomic".to_owned()],
        })))
    }
}
