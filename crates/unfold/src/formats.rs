//! Formats of `printf`: which bytes of its variable arguments a call reads.
//!
//! What a call writes does not matter, so a call whose format only has numbers is not executed. That its arguments
//! exist is claimed all the same: it reads them as `models/format.c` does, one after the other, from the area that the
//! caller has filled (`frontend::lower::calls`).

use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::store::Content;
use crate::*;
use tp_ir::{DataModel, MemoryOrder};

/// Longer formats are not parsed.
const LONGEST_FORMAT: u64 = 1024;

/// `gp_offset` and `fp_offset` of a `va_list` (x86-64 ABI) whose remaining arguments are all in the overflow area.
const GENERAL_REGISTERS_END: u128 = 48;
const FLOAT_REGISTERS_END: u128 = 176;

/// What a call reads besides its format, in order: pointers, each with a number of bytes.
pub(crate) struct Reads(Vec<(Term, u64)>);

impl Pass<'_> {
    /// What a call with a format reads, if the format is a constant that has only numbers, and it is known where the
    /// arguments lie.
    pub fn reads_of_numbers(&mut self, state: &State, arguments: &[Term], has_stream: bool) -> Option<Reads> {
        let &[to, format, list, ..] = arguments else { return None };
        let sizes = sizes_of_numbers(&self.constant_text(format)?, self.program.data_model)?;
        let mut reads = Vec::new();
        if has_stream {
            reads.push((to, 4));
        }
        if !sizes.is_empty() {
            let mut next = self.area_of(state, list)?;
            let slot = self.pointer_width().bytes() as u64;
            for size in sizes {
                reads.push((next, size));
                let step = self.out.terms.constant(self.pointer_width(), size.next_multiple_of(slot) as u128);
                next = self.out.terms.add(next, step);
            }
        }
        Some(Reads(reads))
    }

    /// Claims that these reads are valid.
    pub fn claim_reads(&mut self, state: &mut State, reads: &Reads) -> Alive<()> {
        for &(pointer, len) in &reads.0 {
            let mut access = self.begin_access(state, MemoryOrder::Plain);
            let found = self.locate(state, pointer, len, false, &mut access)?;
            self.end_locally(&access);
            if found.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// The text that a pointer to a constant points to, up to its terminator.
    fn constant_text(&mut self, text: Term) -> Option<Vec<u8>> {
        let object = self.object_of(text).filter(|o| self.objects[*o].constant)?;
        let start = self.out.terms.as_const(text)? as u64 - self.objects[object].base;
        let end = self.objects[object].size.min(start.saturating_add(LONGEST_FORMAT));
        let mut bytes = Vec::new();
        for at in start..end {
            let byte = self.first_value(object, at, 1);
            match self.out.terms.as_const(byte)? as u8 {
                0 => return Some(bytes),
                byte => bytes.push(byte),
            }
        }
        None
    }

    /// Where the next argument of a `va_list` lies. In 32-bit programs the list is that pointer, otherwise a record.
    fn area_of(&mut self, state: &State, list: Term) -> Option<Term> {
        if self.program.data_model == DataModel::Ilp32 {
            return Some(list);
        }
        let general = self.field_of_list(state, list, 0)?;
        let float = self.field_of_list(state, list, 4)?;
        let are_used_up = self.out.terms.as_const(general) == Some(GENERAL_REGISTERS_END)
            && self.out.terms.as_const(float) == Some(FLOAT_REGISTERS_END);
        let area = self.field_of_list(state, list, 8)?;
        (are_used_up && self.out.terms.width(area) == self.pointer_width()).then_some(area)
    }

    /// What lies at this offset of a list, if this thread knows it.
    fn field_of_list(&mut self, state: &State, list: Term, at: u64) -> Option<Term> {
        let object = self.object_of(list)?;
        let start = self.out.terms.as_const(list)? as u64 - self.objects[object].base;
        let cell = *self.objects[object].cells.get(&(start + at))?;
        let Content::Known(value) = state.store.get(cell) else { return None };
        let is_own = self.objects[object].private || !state.concurrent;
        (is_own || self.keeps_value(state, cell, value)).then_some(value)
    }
}

/// The sizes of the arguments that a format takes, in order, if all are numbers (C11 7.21.6.1). `None`: one is a
/// string, a number of more than eight bytes, or not modelled.
fn sizes_of_numbers(format: &[u8], data_model: DataModel) -> Option<Vec<u64>> {
    let word = match data_model {
        DataModel::Lp64 => 8,
        DataModel::Ilp32 => 4,
    };
    let mut sizes = Vec::new();
    let mut text = format.iter().copied().peekable();
    while let Some(byte) = text.next() {
        if byte != b'%' {
            continue;
        }
        while text.next_if(|b| b"-+ #0'".contains(b)).is_some() {}
        read_number(&mut text, &mut sizes);
        if text.next_if_eq(&b'.').is_some() {
            read_number(&mut text, &mut sizes);
        }
        let integer = match text.peek() {
            Some(b'h') => {
                text.next();
                text.next_if_eq(&b'h');
                4
            }
            Some(b'l') => {
                text.next();
                if text.next_if_eq(&b'l').is_some() { 8 } else { word }
            }
            Some(b'q' | b'j') => {
                text.next();
                8
            }
            Some(b'z' | b't' | b'Z') => {
                text.next();
                word
            }
            // A long double, or a long long.
            Some(b'L') => return None,
            _ => 4,
        };
        match text.next() {
            Some(b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => sizes.push(integer),
            Some(b'c') => sizes.push(4),
            Some(b'p') => sizes.push(word),
            Some(b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A') => sizes.push(8),
            // A percent sign, the text of `errno`, or the end: no argument.
            Some(b'%' | b'm') | None => {}
            Some(_) => return None,
        }
    }
    Some(sizes)
}

/// A width or a precision: digits, or an argument.
fn read_number(text: &mut std::iter::Peekable<impl Iterator<Item = u8>>, sizes: &mut Vec<u64>) {
    if text.next_if_eq(&b'*').is_some() {
        sizes.push(4);
        return;
    }
    while text.next_if(u8::is_ascii_digit).is_some() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_formats() {
        let sizes = |format: &str| sizes_of_numbers(format.as_bytes(), DataModel::Lp64);
        assert_eq!(sizes("seats: 100%% of all"), Some(vec![]));
        assert_eq!(sizes("%d %5.2f seats"), Some(vec![4, 8]));
        assert_eq!(sizes("%-*d|%0*.*lx|%.*g"), Some(vec![4, 4, 4, 4, 8, 4, 8]));
        assert_eq!(sizes("%hhd%hd%ld%lld%jd%zu%td%c%p"), Some(vec![4, 4, 8, 8, 8, 8, 8, 4, 8]));
        assert_eq!(sizes("%m%"), Some(vec![]));
        assert_eq!(sizes("%d %s"), None);
        assert_eq!(sizes("%1$d"), None);
        assert_eq!(sizes("%d%n"), None);
        assert_eq!(sizes("%Lf"), None);
        assert_eq!(sizes("%d %b"), None);
        assert_eq!(sizes_of_numbers(b"%ld%lld%zu%p%f", DataModel::Ilp32), Some(vec![4, 8, 4, 4, 8]));
    }
}
