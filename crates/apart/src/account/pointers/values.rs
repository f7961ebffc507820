//! Computations that do not access memory, and what comparisons reveal.

use super::{Here, Statements};
use tp_analysis::address::constant;
use tp_analysis::callgraph::InstSite;
use tp_analysis::pointsto::{AbstractObject, Offset, PointsToSet, Taint, is_pointer};
use tp_ir::{BinOp, CastOp, CmpOp, Op, Operand, Type};

impl<'p> Statements<'_, 'p> {
    pub(super) fn computed(&mut self, here: &Here<'p>, site: InstSite, to: usize, op: &'p Op) {
        match op {
            Op::Binary { op, a, b, .. } => self.binary(here, to, *op, *a, *b),
            Op::Cmp { op, a, b, .. } => self.compared(here, *op, *a, *b),
            Op::FloatCmp { a, b, .. } => [*a, *b].into_iter().for_each(|value| self.decides(here, value)),
            Op::FloatBinary { a, b, .. } => self.mixed(here, to, &[*a, *b]),
            Op::FloatUnary { a, .. } => self.mixed(here, to, &[*a]),
            Op::Cast { op, a, from, to: ty } => match op {
                CastOp::IntToPtr | CastOp::PtrToInt | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast
                    if self.bytes(*from) <= self.bytes(*ty) =>
                {
                    self.hand(here, "copy", to, *a, "");
                }
                _ => self.mixed(here, to, &[*a]),
            },
            Op::Select { cond, a, b } => {
                self.decides(here, *cond);
                self.hand(here, "copy", to, *a, "");
                self.hand(here, "copy", to, *b, "");
            }
            Op::PtrAdd { base, index, scale, .. } => self.moved(here, to, *base, *index, *scale),
            Op::ThreadLocal { global } => {
                let thread = self.points_to.call_graph().thread_of(here.context);
                self.address(to, AbstractObject::ThreadLocal(*global, thread));
            }
            Op::Alloca { size, .. } | Op::HeapAlloc { size, .. } => {
                self.say(here, "number", *size);
                self.address(to, AbstractObject::Made(site));
            }
            Op::Input { ty: Type::Ptr, .. } => self.address(to, AbstractObject::Outside),
            Op::FormatFloat { value, .. } => self.say(here, "number", *value),
            Op::ParseFloat { text, .. } => {
                let text = self.points_to.targets(here.context, *text).anywhere();
                let mut read = PointsToSet::default();
                for (object, _) in text.iter() {
                    read.add_all(&self.points_to.memory(object).load(Offset::ANY, u64::MAX));
                }
                let (read, text) = (self.another(read), self.another(text));
                self.lines.push(format!("load {read} {text} -"));
                self.lines.push(format!("number {read}"));
            }
            _ => {}
        }
    }

    /// The result of an operation that is not modelled precisely.
    fn mixed(&mut self, here: &Here<'p>, to: usize, values: &[Operand]) {
        values.iter().for_each(|value| self.hand(here, "part", to, *value, ""));
    }

    fn binary(&mut self, here: &Here<'p>, to: usize, op: BinOp, a: Operand, b: Operand) {
        let (x, y) = (self.constant(a), self.constant(b));
        match (op, x, y) {
            (BinOp::Add, _, Some(n)) => self.hand(here, "move", to, a, &format!(" {n}")),
            (BinOp::Add, Some(n), _) => self.hand(here, "move", to, b, &format!(" {n}")),
            (BinOp::Sub, _, Some(n)) => {
                let by = n.checked_neg().map_or("-".to_owned(), |n| n.to_string());
                self.hand(here, "move", to, a, &format!(" {by}"));
            }
            (BinOp::And, _, Some(n)) => self.hand(here, "mask", to, a, &format!(" {n}")),
            (BinOp::And, Some(n), _) => self.hand(here, "mask", to, b, &format!(" {n}")),
            (BinOp::Or | BinOp::Xor, _, Some(n)) => self.hand(here, "tag", to, a, &format!(" {n}")),
            (BinOp::Or | BinOp::Xor, Some(n), _) => self.hand(here, "tag", to, b, &format!(" {n}")),
            (BinOp::Sub, None, None) if self.is_same(here, a, b) => {
                let (a, b) = (self.word(here, a), self.word(here, b));
                self.lines.push(format!("whole {a} {b}"));
            }
            (BinOp::Sub, None, None) if self.is_of_pointer(here, a) && self.is_of_pointer(here, b) => {
                let (a, b) = (self.word(here, a), self.word(here, b));
                self.lines.push(format!("subtract {to} {a} {b}"));
            }
            _ => self.mixed(here, to, &[a, b]),
        }
    }

    /// Whether both are whole addresses that are derived from the same one.
    fn is_same(&mut self, here: &Here<'p>, a: Operand, b: Operand) -> bool {
        let are_addresses = |operand| {
            let points = self.points_to.points(here.context, operand);
            points.has_places() && points.taint() == Taint::NONE
        };
        are_addresses(a) && are_addresses(b) && self.origins(here).is_same(a, b)
    }

    /// Whether an integer was cast from a pointer that was not cast from an integer before.
    fn is_of_pointer(&mut self, here: &Here<'p>, operand: Operand) -> bool {
        let Some(reg) = operand.as_reg() else { return false };
        match self.definition(here, reg) {
            Some(Op::Cast { op: CastOp::PtrToInt, a, .. }) => !self.is_number(here, *a),
            _ => false,
        }
    }

    /// Whether an operand is an integer, or was one.
    fn is_number(&mut self, here: &Here<'p>, operand: Operand) -> bool {
        let Some(reg) = operand.as_reg() else { return false };
        let is_cast = matches!(self.definition(here, reg), Some(Op::Cast { op: CastOp::IntToPtr, .. }));
        is_cast || !is_pointer(here.body, reg)
    }

    pub(super) fn compared(&mut self, here: &Here<'p>, op: CmpOp, a: Operand, b: Operand) {
        let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
        // Null, and -1, which failing functions return.
        let tells = |n: i64| n != 0 && !(is_equality && n == -1);
        match (self.constant(a), self.constant(b)) {
            _ if here.hides => {}
            (Some(_), Some(_)) => {}
            (Some(n), None) => self.say(here, if tells(n) { "number" } else { "whole" }, b),
            (None, Some(n)) => self.say(here, if tells(n) { "number" } else { "whole" }, a),
            (None, None) => {
                let (x, y) = (self.word(here, a), self.word(here, b));
                let is_plain = |operand| self.points_to.points(here.context, operand).is_plain();
                if is_plain(a) && is_plain(b) {
                    return self.lines.push(format!("number {x} {y}"));
                }
                if self.is_same(here, a, b) {
                    return self.lines.push(format!("whole {x} {y}"));
                }
                self.lines.push(format!("{} {x} {y}", if is_equality { "equal" } else { "order" }));
                let mut is_made = |operand| self.is_number(here, operand) || self.is_moved(here, operand);
                if is_made(a) || is_made(b) {
                    self.lines.push(format!("pair {x} {y}"));
                }
            }
        }
    }

    fn is_moved(&mut self, here: &Here<'p>, operand: Operand) -> bool {
        let definition = operand.as_reg().and_then(|reg| self.definition(here, reg));
        matches!(definition, Some(Op::PtrAdd { .. }))
    }

    fn moved(&mut self, here: &Here<'p>, to: usize, base: Operand, index: Operand, scale: u32) {
        if let Some(number) = constant(self.program, index) {
            let by = number.checked_mul(i64::from(scale)).map_or("-".to_owned(), |by| by.to_string());
            return self.hand(here, "move", to, base, &format!(" {by}"));
        }
        if self.word(here, base) == "-" {
            // The index is the address, as in `(char *)0 + address`.
            return self.hand(here, "move", to, index, " -");
        }
        self.decides(here, index);
        self.hand(here, "index", to, base, &format!(" {scale}"));
    }
}
