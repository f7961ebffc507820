//! Errors of one thread: arithmetic, pointers, heap, assertions, leaks.

use crate::finding::{End, Finding, Label, Moment, StackEntry};
use crate::leak;
use crate::machine::{Machine, Stop};
use crate::memory::{Fault, ObjectKind, State};
use crate::report::{cwe, held, remedy};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use tp_ir::{BinOp, Operand, OperandKind, Property, Type, Width, eval};

type Found = Result<(ObjectRef, u64), Fault>;

impl<'p> Machine<'p, '_> {
    /// A violation if it was to be checked; otherwise the run only cannot go on.
    pub fn ended_by(&self, finding: Finding) -> End {
        if self.is_known(&finding) {
            End::Assumption
        } else if self.config.checks.has(finding.property) {
            End::Violation(Box::new(finding))
        } else {
            End::Undefined(Box::new(finding))
        }
    }

    pub(crate) fn wrong(&self, t: &Thread<'p>, property: Property, message: String, label: &str) -> Finding {
        let label = Label { text: label.to_owned(), moment: self.moment(t) };
        let cwe = cwe::of(property, &message);
        let notes = self.held_text(t, |_| true).into_iter().collect();
        Finding { property, cwe, message, labels: vec![label], notes, help: vec![] }
    }

    pub(crate) fn stop(&self, t: &Thread<'p>, property: Property, message: String, label: &str) -> Stop {
        self.ended_by(self.wrong(t, property, message, label)).into()
    }

    pub fn uninitialised(&self, t: &Thread<'p>, operand: Operand) -> Stop {
        let name = match operand.kind() {
            OperandKind::Reg(r) if self.in_user_code(t) => {
                t.frames.last().and_then(|f| f.body.regs.get(r)?.name.clone())
            }
            OperandKind::Reg(_) | OperandKind::Const(_) => None,
        };
        let what = name.map_or("a value".to_owned(), |n| format!("`{n}`"));
        self.stop(t, Property::Uninitialised, format!("{what} is used but was never written"), "used here")
    }

    pub fn unreachable_code(&self, t: &Thread<'p>) -> Stop {
        let message = "control reaches code that the program declares unreachable".to_owned();
        End::Undefined(Box::new(self.wrong(t, Property::Assert, message, "reached here"))).into()
    }

    pub fn arithmetic_error(
        &self,
        t: &Thread<'p>,
        error: Property,
        op: BinOp,
        width: Width,
        a: u128,
        b: u128,
    ) -> Result<Value, Stop> {
        if !self.config.checks.has(error) && error != Property::DivisionByZero {
            return Ok(Value::from_wide(eval::binary_after_error(op, width, a, b), width));
        }
        let signed = |v| eval::sign_extend(v, width) as i128;
        let bits = width.bits();
        let (message, label) = match error {
            Property::DivisionByZero => (format!("{} is divided by zero", signed(a)), "division by zero"),
            Property::Shift => {
                (format!("a value of {bits} bits is shifted by {}", signed(b)), "shift out of range")
            }
            _ => {
                let sign = match op {
                    BinOp::Add => "+",
                    BinOp::Sub => "-",
                    BinOp::Mul => "*",
                    BinOp::SRem => "%",
                    _ => "/",
                };
                (
                    format!("{} {sign} {} does not fit into {bits} bits", signed(a), signed(b)),
                    "signed overflow",
                )
            }
        };
        Err(self.stop(t, error, message, label))
    }

    pub fn conversion_error(
        &self,
        t: &Thread<'p>,
        error: Property,
        from: Type,
        to: Type,
        bits: u128,
    ) -> Stop {
        let value = eval::to_f64(from, bits as u64);
        let width = to.width(self.program.data_model).bits();
        self.stop(t, error, format!("{value} does not fit into an integer of {width} bits"), "converted here")
    }

    pub fn overlapping_copy(&self, t: &Thread<'p>) -> Stop {
        let message = "memory is copied onto a part of itself, which only memmove allows".to_owned();
        let mut finding = self.wrong(t, Property::OutOfBounds, message, "copied here");
        finding.cwe = cwe::of_overlap();
        self.ended_by(finding).into()
    }

    pub fn fault(&self, t: &Thread<'p>, fault: Fault, len: u64, write: bool) -> Stop {
        let verb = if write { "written" } else { "read" };
        let label = if write { "written here" } else { "read here" };
        let (property, message, object) = match fault {
            Fault::Null { address: 0 } => {
                (Property::InvalidDeref, "a null pointer is dereferenced".to_owned(), None)
            }
            Fault::Null { address } => (
                Property::InvalidDeref,
                format!("a null pointer with offset {address} is dereferenced"),
                None,
            ),
            Fault::Wild { address } => (
                Property::InvalidDeref,
                format!("{address:#x} is dereferenced, but no object is there"),
                None,
            ),
            Fault::Dead { object } => {
                let name = self.dead_name(object);
                let was = self.memory.object(object);
                let message = match was.kind {
                    _ if was.generation != object.generation() => {
                        format!("{name} is {verb} after it has ceased to exist")
                    }
                    ObjectKind::Heap => format!("{name} is {verb} after it was freed"),
                    _ if was.outlived => format!("{name} is {verb} outside its scope"),
                    _ => format!("{name} is {verb} after it has ceased to exist"),
                };
                (Property::UseAfterFree, message, Some(object))
            }
            Fault::OutOfScope { object } => {
                let name = self.describe_whole(object);
                (Property::UseAfterFree, format!("{name} is {verb} outside its scope"), Some(object))
            }
            Fault::Bounds { object, offset } => {
                let size = self.memory.object(object).size;
                let name = self.describe_whole(object);
                let (bytes, are, size) = (bytes(len), if len == 1 { "is" } else { "are" }, bytes(size));
                let message = format!("{bytes} {are} {verb} at offset {offset} of {name}, which has {size}");
                (Property::OutOfBounds, message, Some(object))
            }
            Fault::ReadOnly { object } => (
                Property::InvalidDeref,
                format!("{} is written, but is constant", self.describe_whole(object)),
                Some(object),
            ),
            Fault::NotData { object } => {
                let name = self.describe_whole(object);
                (Property::InvalidDeref, format!("function {name} is {verb} as if it were data"), None)
            }
        };
        let mut finding = self.wrong(t, property, message, label);
        finding.cwe = cwe::of_fault(fault, object.is_some_and(|r| self.is_heap(r)), write);
        if let Some(r) = object {
            self.add_history(t, r, &mut finding);
        }
        self.ended_by(finding).into()
    }

    /// Something that is gone may have given its slot to another object.
    pub(crate) fn dead_name(&self, r: ObjectRef) -> String {
        if self.memory.object(r).generation != r.generation() {
            return "an object".to_owned();
        }
        self.describe_whole(r)
    }

    /// Where an object was made and where it ended.
    pub(crate) fn add_history(&self, t: &Thread<'p>, r: ObjectRef, finding: &mut Finding) {
        let object = self.memory.object(r);
        if object.generation != r.generation() {
            return;
        }
        if object.state != State::Live {
            self.add_end(t, r, finding);
        }
        if let Some(place) = object.made_at {
            let text = match object.kind {
                ObjectKind::Heap => "allocated here",
                local @ ObjectKind::Local { .. } if self.program.places[place].column > 0 => {
                    if self.has_name(local) { "declared here" } else { "made here" }
                }
                _ => return,
            };
            let moment = self.at_place(object.made_by, place, t);
            finding.labels.push(Label { text: text.to_owned(), moment });
        }
    }

    fn add_end(&self, t: &Thread<'p>, r: ObjectRef, finding: &mut Finding) {
        let object = self.memory.object(r);
        let seen = self.hindsight.as_ref().and_then(|h| h.seen.ended.get(&r));
        let freed = object.freed_at.map(|(thread, place)| self.at_place(thread, place, t));
        let Some(moment) = seen.cloned().or(freed) else { return };
        let mut text = match object.kind {
            ObjectKind::Heap => "freed here",
            _ if object.outlived || object.state == State::OutOfScope => "its scope ended here",
            _ if moment.stack.is_empty() => "it ended with its thread",
            _ => "it ended here",
        }
        .to_owned();
        if moment.thread != t.number {
            if let Some(now) = finding.labels.first_mut() {
                now.text += &format!(" by thread `{}`", now.moment.thread_name);
            }
            text += match object.kind {
                ObjectKind::Heap => " by thread `",
                _ => ", in thread `",
            };
            text += &format!("{}`", moment.thread_name);
            finding.help.push(match object.kind {
                ObjectKind::Heap => remedy::of_free(),
                _ => remedy::of_local(),
            });
            if seen.is_some() && object.kind == ObjectKind::Heap {
                text += &format!(", holding {}", held(&moment.locks));
            }
        }
        finding.labels.push(Label { text, moment });
    }

    pub fn bad_free(&self, t: &Thread<'p>, p: Value, found: Found) -> Stop {
        let (property, message, object) = match found {
            Ok((r, 0)) => (
                Property::InvalidFree,
                format!("{} is freed but is not heap memory", self.describe_whole(r)),
                None,
            ),
            Ok((r, offset)) => {
                let (name, offset) = (self.describe_whole(r), bytes(offset));
                (Property::InvalidFree, format!("a pointer {offset} into {name} is freed"), Some(r))
            }
            Err(Fault::Dead { object }) if self.is_heap(object) => {
                (Property::DoubleFree, format!("{} is freed again", self.dead_name(object)), Some(object))
            }
            Err(Fault::Bounds { object, .. }) => {
                let name = self.describe_whole(object);
                (Property::InvalidFree, format!("a pointer outside of {name} is freed"), Some(object))
            }
            Err(_) => (Property::InvalidFree, format!("{:#x} is freed but is no heap memory", p.bits), None),
        };
        let mut finding = self.wrong(t, property, message, "freed here");
        finding.cwe = cwe::of_free(property, object.is_some());
        if let Some(r) = object {
            if let Some(label) = finding.labels.first_mut() {
                label.text = if property == Property::DoubleFree { "freed again here" } else { "freed here" }
                    .to_owned();
            }
            self.add_history(t, r, &mut finding);
        }
        self.ended_by(finding).into()
    }

    pub(crate) fn is_heap(&self, r: ObjectRef) -> bool {
        let object = self.memory.object(r);
        object.generation != r.generation() || object.kind == ObjectKind::Heap
    }

    pub fn bad_call(&self, t: &Thread<'p>, p: Value) -> Stop {
        let message = if p.bits == 0 {
            "a null pointer is called".to_owned()
        } else {
            format!("`{}` is called but is not a function", self.describe_pointer(p))
        };
        let mut finding = self.wrong(t, Property::InvalidDeref, message, "called here");
        finding.cwe = cwe::of_call(p.bits);
        self.ended_by(finding).into()
    }

    pub fn assertion_failed(
        &mut self,
        t: &Thread<'p>,
        property: Property,
        message: String,
    ) -> Result<(), Stop> {
        let checked = self.config.checks.has(property);
        match property {
            // Without the check, the program goes on as it would by itself; what an assertion does next is to abort it.
            Property::Assert | Property::ReachError if !checked => Ok(()),
            Property::Assert => {
                Err(self.stop(t, property, format!("assertion `{message}` fails"), "this does not hold"))
            }
            Property::ReachError => {
                let mut finding = self.wrong(t, property, message, "called here");
                if let Some(label) = finding.labels.first_mut()
                    && label.moment.stack.len() > 1
                    && label.moment.stack[0].function == "reach_error"
                {
                    label.moment.stack.remove(0);
                }
                Err(self.ended_by(finding).into())
            }
            Property::Lock => Err(self.lock_misused(t, message)),
            _ => Err(self.stop(t, property, message, "here")),
        }
    }

    pub fn exit(&self, t: &Thread<'p>, status: i32) -> Stop {
        match self.leak(Some(t)) {
            Some(finding) => End::Violation(Box::new(finding)).into(),
            None => End::Exited { status }.into(),
        }
    }

    pub(crate) fn leak(&self, current: Option<&Thread<'p>>) -> Option<Finding> {
        let threads = self.threads.iter().flatten().map(|t| &**t).chain(current);
        let lost = match self.config.checks.has(Property::Leak) {
            true => leak::unreachable(&self.memory, threads),
            false => Vec::new(),
        };
        let left = match self.config.checks.has(Property::Cleanup) {
            true => leak::left(&self.memory),
            false => Vec::new(),
        };
        let findings =
            [(Property::Leak, lost), (Property::Cleanup, left)].into_iter().flat_map(|(p, all)| {
                let count = all.len();
                all.into_iter().map(move |first| self.lost(p, first, count, current))
            });
        findings.into_iter().find(|finding| !self.is_known(finding))
    }

    /// An object that is there at the end, one of as many.
    fn lost(
        &self,
        property: Property,
        first: ObjectRef,
        count: usize,
        current: Option<&Thread<'p>>,
    ) -> Finding {
        let object = self.memory.object(first);
        let size = object.size;
        let moment = match (object.made_at, current) {
            (Some(place), Some(t)) => self.at_place(object.made_by, place, t),
            (Some(place), None) => {
                let stack = vec![StackEntry { function: String::new(), place }];
                Moment { thread: object.made_by, stack, ..self.nowhere() }
            }
            _ => self.nowhere(),
        };
        let notes = match count {
            1 => vec![],
            n => vec![format!("{} more like it", n - 1)],
        };
        let what = match property {
            Property::Leak => "lost: nothing points there when the program ends",
            _ => "not freed when the program ends",
        };
        Finding {
            property,
            cwe: property.cwe(),
            message: format!("{} of heap memory {what}", bytes(size)),
            labels: vec![Label { text: "allocated here".to_owned(), moment }],
            notes,
            help: vec![],
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
