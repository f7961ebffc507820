//! Accesses and frees that fail, with the history of the object; memory that is lost.

use super::{Naming, Wording, bytes};
use tp_ir::Property;
use tp_machine::{
    AccessFault, BadAccess, BadFree, Began, EndedBy, FreeFault, Lost, Moment, ObjectEnd, ObjectHistory,
};

/// Memory that one thread frees and another uses.
pub(super) const HELP_FOR_FREE: &str =
    "free it when no other thread can use it any more: after a join, or as the last of its users";

/// A variable of a function that another thread uses.
const HELP_FOR_LOCAL: &str =
    "let it live as long as others use it: make it static, take it from malloc, or join them before it ends";

impl<'f> Wording<'f> {
    pub(super) fn bad_access(&mut self, names: Naming<'_>, at: &'f Moment, access: &'f BadAccess) {
        let verb = if access.write { "written" } else { "read" };
        self.message = match &access.fault {
            AccessFault::Null { address: 0 } => "a null pointer is dereferenced".to_owned(),
            AccessFault::Null { address } => format!("a null pointer with offset {address} is dereferenced"),
            AccessFault::Wild { address } => format!("{address:#x} is dereferenced, but no object is there"),
            AccessFault::Replaced => format!("an object is {verb} after it has ceased to exist"),
            AccessFault::Ended { object, how } => {
                let when = match how {
                    EndedBy::Freed => "after it was freed",
                    EndedBy::Scope => "outside its scope",
                    EndedBy::Otherwise => "after it has ceased to exist",
                };
                format!("{} is {verb} {when}", names.whole(object))
            }
            AccessFault::Bounds { object, offset, size } => {
                let are = if access.len == 1 { "is" } else { "are" };
                let (len, name, size) = (bytes(access.len), names.whole(object), bytes(*size));
                format!("{len} {are} {verb} at offset {offset} of {name}, which has {size}")
            }
            AccessFault::ReadOnly { object } => {
                format!("{} is written, but is constant", names.whole(object))
            }
            AccessFault::NotData { object } => {
                format!("function {} is {verb} as if it were data", names.whole(object))
            }
        };
        self.note_locks(names, at);
        self.with_history(names, (format!("{verb} here"), at), &access.history);
    }

    pub(super) fn bad_free(&mut self, names: Naming<'_>, at: &'f Moment, free: &'f BadFree) {
        let mut label = "freed here";
        self.message = match &free.fault {
            FreeFault::NotHeap { object } => {
                format!("{} is freed but is not heap memory", names.whole(object))
            }
            FreeFault::Inside { object, offset } => {
                format!("a pointer {} into {} is freed", bytes(*offset), names.whole(object))
            }
            FreeFault::Outside { object } => format!("a pointer outside of {} is freed", names.whole(object)),
            FreeFault::Again { object } => {
                label = "freed again here";
                let name = object.as_ref().map_or("an object".to_owned(), |object| names.whole(object));
                format!("{name} is freed again")
            }
            FreeFault::NoObject { address } => format!("{address:#x} is freed but is no heap memory"),
        };
        self.note_locks(names, at);
        self.with_history(names, (label.to_owned(), at), &free.history);
    }

    /// The label of what happened, then those of how the object ended and began.
    fn with_history(
        &mut self,
        names: Naming<'_>,
        (now, at): (String, &'f Moment),
        history: &'f ObjectHistory,
    ) {
        let end = history.end.as_ref();
        let by_other = end.is_some_and(|end| end.at.thread != at.thread);
        let by = if by_other { format!(" by thread `{}`", at.thread_name) } else { String::new() };
        self.label(now + &by, at);
        if let Some(end) = end {
            self.label(end_text(names, end, by_other), &end.at);
            if by_other {
                let is_freed = end.how == EndedBy::Freed;
                self.help.push(if is_freed { HELP_FOR_FREE } else { HELP_FOR_LOCAL }.to_owned());
            }
        }
        if let Some(beginning) = &history.beginning {
            let text = match beginning.how {
                Began::Allocated => "allocated here",
                Began::Declared => "declared here",
                Began::Made => "made here",
            };
            self.label(text, &beginning.at);
        }
    }

    pub(super) fn lost(&mut self, property: Property, at: &'f Moment, lost: &Lost) {
        let what = match property {
            Property::Leak => "lost: nothing points there when the program ends",
            _ => "not freed when the program ends",
        };
        self.message = format!("{} of heap memory {what}", bytes(lost.bytes));
        self.label("allocated here", at);
        if lost.more > 0 {
            self.notes.push(format!("{} more like it", lost.more));
        }
    }
}

fn end_text(names: Naming<'_>, end: &ObjectEnd, by_other: bool) -> String {
    let mut text = match end.how {
        EndedBy::Freed => "freed here",
        EndedBy::Scope => "its scope ended here",
        EndedBy::Otherwise if end.at.stack.is_empty() => "it ended with its thread",
        EndedBy::Otherwise => "it ended here",
    }
    .to_owned();
    if by_other {
        let by = if end.how == EndedBy::Freed { " by" } else { ", in" };
        text += &format!("{by} thread `{}`", end.at.thread_name);
        if end.knows_locks && end.how == EndedBy::Freed {
            text += &format!(", holding {}", names.locks(&end.at.locks));
        }
    }
    text
}
