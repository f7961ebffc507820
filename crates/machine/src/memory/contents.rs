//! Reading and writing the contents of objects.

use super::*;
use crate::digest::Hasher;
use crate::value::ObjectRef;
use tp_terms::Term;

impl Memory {
    /// Reads `len` ≤ 16 bytes. The last result is `false` if none of them was ever written.
    #[inline]
    pub fn read(&self, r: ObjectRef, offset: u64, len: u64) -> (u128, Option<ObjectRef>, bool) {
        let o = &self.objects[r.slot()];
        let bits = get_bytes(&o.bytes, offset as usize, len as usize);
        let object = if !o.pointers.is_empty() && len >= self.word && offset.is_multiple_of(self.word) {
            o.pointers[(offset / self.word) as usize]
        } else {
            None
        };
        let written = match &o.written {
            Written::All => true,
            w => (offset..offset + len).any(|i| w.get(i)),
        };
        (bits, object, written)
    }

    /// Writes the low `len` ≤ 16 bytes.
    #[inline]
    pub fn write(&mut self, r: ObjectRef, offset: u64, len: u64, bits: u128, object: Option<ObjectRef>) {
        if self.journal.is_some() {
            self.journal_contents(r.slot(), offset, len);
        }
        let word = self.word;
        let o = self.changing_contents(r.slot(), offset, len);
        let is_as_before = get_bytes(&o.bytes, offset as usize, len as usize) == bits & low(len);
        put_bytes(&mut o.bytes, offset as usize, len as usize, bits);
        o.drop_symbols(offset, len);
        if !matches!(o.written, Written::All) {
            o.written.mark(offset, len, true, o.size);
        }
        if object.is_some() || !o.pointers.is_empty() {
            for w in offset / word..(offset + len).div_ceil(word) {
                o.set_pointer(w as usize, None, word);
            }
            if object.is_some() && len >= word && offset.is_multiple_of(word) {
                o.set_pointer((offset / word) as usize, object, word);
            }
        }
        if !is_as_before {
            match o.is_own_local() {
                true => self.changes_of_locals += 1,
                false => self.changes += 1,
            }
        }
    }

    /// The initial contents of an object.
    pub fn set_bytes(&mut self, r: ObjectRef, bytes: &[u8]) {
        self.changing(r.slot()).bytes[..bytes.len()].copy_from_slice(bytes);
    }

    /// Makes bytes unwritten again (an uninitialised value was stored there).
    pub fn unwrite(&mut self, r: ObjectRef, offset: u64, len: u64) {
        self.write(r, offset, len, 0, None);
        let o = &mut self.objects[r.slot()];
        o.written.mark(offset, len, false, o.size);
    }

    /// Copies bytes, and which of them were written, with their pointers and terms; ranges may overlap.
    pub fn copy(&mut self, dst: (ObjectRef, u64), src: (ObjectRef, u64), len: u64) {
        if len == 0 {
            return;
        }
        self.journal_contents(dst.0.slot(), dst.1, len);
        self.changed(dst.0);
        let word = self.word;
        let from = &self.objects[src.0.slot()];
        let bytes = from.bytes[src.1 as usize..(src.1 + len) as usize].to_vec();
        let written: Option<Vec<bool>> = match &from.written {
            Written::All => None,
            w => Some((src.1..src.1 + len).map(|i| w.get(i)).collect()),
        };
        let pointers: Vec<(u64, ObjectRef)> = (src.1.next_multiple_of(word)
            ..(src.1 + len).saturating_sub(word - 1))
            .step_by(word as usize)
            .filter_map(|at| Some((at - src.1, (*from.pointers.get((at / word) as usize)?)?)))
            .collect();
        let symbols = from.symbols_in(src.1, len);
        let to = self.changing_contents(dst.0.slot(), dst.1, len);
        let size = to.size;
        to.bytes[dst.1 as usize..(dst.1 + len) as usize].copy_from_slice(&bytes);
        match written {
            None => to.written.mark(dst.1, len, true, size),
            Some(flags) => {
                for (i, f) in flags.into_iter().enumerate() {
                    to.written.mark(dst.1 + i as u64, 1, f, size);
                }
            }
        }
        to.drop_symbols(dst.1, len);
        to.symbols.extend(symbols.into_iter().map(|(at, byte)| (at - src.1 + dst.1, byte)));
        for w in dst.1 / word..(dst.1 + len).div_ceil(word) {
            to.set_pointer(w as usize, None, word);
        }
        for (at, object) in pointers {
            if (dst.1 + at).is_multiple_of(word) {
                to.set_pointer(((dst.1 + at) / word) as usize, Some(object), word);
            }
        }
    }

    pub fn fill(&mut self, r: ObjectRef, offset: u64, len: u64, byte: u8) {
        if len == 0 {
            return;
        }
        self.journal_contents(r.slot(), offset, len);
        self.changed(r);
        let word = self.word;
        let o = self.changing_contents(r.slot(), offset, len);
        o.bytes[offset as usize..(offset + len) as usize].fill(byte);
        o.drop_symbols(offset, len);
        o.written.mark(offset, len, true, o.size);
        for w in offset / word..(offset + len).div_ceil(word) {
            o.set_pointer(w as usize, None, word);
        }
    }

    /// The bytes of an object from an offset on.
    pub fn bytes(&self, r: ObjectRef, offset: u64, len: u64) -> &[u8] {
        &self.objects[r.slot()].bytes[offset as usize..(offset + len) as usize]
    }

    /// The objects that pointers inside an object belong to.
    pub fn pointers_in(&self, r: ObjectRef) -> impl Iterator<Item = ObjectRef> {
        self.objects[r.slot()].pointers.iter().filter_map(|p| *p)
    }

    /// Gives bytes the bytes of a term, from its lowest.
    pub fn set_symbol(&mut self, r: ObjectRef, offset: u64, len: u32, term: Term) {
        let o = self.changing_contents(r.slot(), offset, len.into());
        o.symbols.extend((0..len).map(|byte| (offset + byte as u64, SymbolByte { term, byte })));
    }

    #[inline(always)]
    pub fn has_symbols(&self, r: ObjectRef) -> bool {
        !self.objects[r.slot()].symbols.is_empty()
    }

    pub fn symbol_at(&self, r: ObjectRef, offset: u64) -> Option<SymbolByte> {
        self.objects[r.slot()].symbols.get(&offset).copied()
    }

    /// A hash of the contents of a range, and of which bytes were never written.
    pub fn fingerprint(&self, r: ObjectRef, offset: u64, len: u64) -> u64 {
        let o = &self.objects[r.slot()];
        let end = (offset + len).min(o.bytes.len() as u64);
        if o.generation != r.generation() || o.state != ObjectState::Live || offset >= end {
            return u64::MAX;
        }
        let mix = |h: u64, v: u64| (h ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let chunks = o.bytes[offset as usize..end as usize].chunks(8);
        let contents = chunks.fold(len, |h, chunk| mix(h, get_bytes(chunk, 0, chunk.len()) as u64));
        let contents = match o.symbols.is_empty() {
            true => contents,
            false => o.symbols.range(offset..end).fold(contents, |h, (at, byte)| {
                mix(mix(h, *at), (byte.term.number() as u64) << 32 | byte.byte as u64)
            }),
        };
        // Two objects may have had one address: it matters which of them a pointer points to.
        let words = (offset / self.word) as usize..end.div_ceil(self.word) as usize;
        let pointers = o.pointers.get(words).unwrap_or_default();
        let contents = pointers.iter().flatten().fold(contents, |h, &to| mix(h, self.objects[to.slot()].key));
        match &o.written {
            Written::All => contents,
            w => (offset..end).filter(|&i| !w.get(i)).fold(contents, |h, i| mix(h, i + 1)),
        }
    }

    /// Adds the contents of an object to a hash, except for pointers and numbers of threads, which bytes were never written,
    /// and the terms of those that depend on inputs.
    pub fn hash_contents(&self, r: ObjectRef, hash: &mut Hasher) {
        let o = &self.objects[r.slot()];
        let word = self.word as usize;
        let is_pointer = |at: usize| o.pointers.get(at / word).copied().flatten().is_some();
        let without_names = (!o.names.is_empty()).then(|| {
            let mut bytes = o.bytes.clone();
            for (at, names) in &o.names {
                bytes[*at as usize..(*at + names.bytes()) as usize].fill(0);
            }
            bytes
        });
        let bytes = without_names.as_ref().unwrap_or(&o.bytes);
        for (i, chunk) in bytes.chunks(word).enumerate() {
            hash.add(if is_pointer(i * word) { 0 } else { get_bytes(chunk, 0, chunk.len()) as u64 });
        }
        match &o.written {
            Written::All => {}
            Written::Small(bits) => hash.add(*bits),
            Written::Large(words) => words.iter().for_each(|&bits| hash.add(bits)),
        }
        for (at, symbol) in &o.symbols {
            hash.add(*at);
            hash.add((symbol.term.number() as u64) << 32 | symbol.byte as u64);
        }
    }

    /// The pointers in an object: the word, the address, and the object that it belongs to.
    pub fn pointers_at(&self, r: ObjectRef) -> impl Iterator<Item = (usize, u64, ObjectRef)> {
        let (o, word) = (&self.objects[r.slot()], self.word as usize);
        let pointers = o.pointers.iter().enumerate().filter_map(|(i, to)| Some((i, (*to)?)));
        pointers.map(move |(i, to)| (i, get_bytes(&o.bytes, i * word, word) as u64, to))
    }

    /// Whether any byte of the range was never written.
    pub fn has_unwritten(&self, r: ObjectRef, offset: u64, len: u64) -> bool {
        let o = &self.objects[r.slot()];
        !matches!(o.written, Written::All) && (offset..offset + len).any(|i| !o.written.get(i))
    }

    /// The first unwritten bytes of a range, up to the end of a word: their offset, and how many.
    pub fn next_unwritten(&self, r: ObjectRef, from: u64, end: u64) -> Option<(u64, u64)> {
        let o = &self.objects[r.slot()];
        if matches!(o.written, Written::All) {
            return None;
        }
        let start = (from..end).find(|i| !o.written.get(*i))?;
        let end = (start + 1).next_multiple_of(self.word).min(end);
        let stop = (start..end).find(|i| o.written.get(*i)).unwrap_or(end);
        Some((start, stop - start))
    }

    /// Gives the unwritten bytes of a range these values, without counting as a write of the program.
    pub fn settle(&mut self, r: ObjectRef, offset: u64, len: u64, bits: u128) {
        self.journal_contents(r.slot(), offset, len);
        let o = self.changing_contents(r.slot(), offset, len);
        for i in 0..len {
            if !o.written.get(offset + i) {
                o.bytes[(offset + i) as usize] = (bits >> (8 * i)) as u8;
            }
        }
        o.written.mark(offset, len, true, o.size);
    }

    /// Makes the contents of an object unknown: reads of it are inputs.
    pub fn forget(&mut self, r: ObjectRef) {
        let o = self.changing(r.slot());
        o.written = Written::none(o.size);
    }
}

/// The bits of the low `len` ≤ 16 bytes.
fn low(len: u64) -> u128 {
    u128::MAX.checked_shr(128 - 8 * len as u32).unwrap_or(0)
}

/// `len` ≤ 16 bytes as a number. The common lengths are compiled to one load.
#[inline(always)]
fn get_bytes(bytes: &[u8], at: usize, len: usize) -> u128 {
    fn take<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
        bytes[at..].first_chunk().copied().unwrap_or([0; N])
    }
    match len {
        1 => bytes[at] as u128,
        4 => u32::from_le_bytes(take(bytes, at)) as u128,
        8 => u64::from_le_bytes(take(bytes, at)) as u128,
        _ => {
            let mut word = [0u8; 16];
            word[..len].copy_from_slice(&bytes[at..at + len]);
            u128::from_le_bytes(word)
        }
    }
}

#[inline(always)]
fn put_bytes(bytes: &mut [u8], at: usize, len: usize, bits: u128) {
    let target = &mut bytes[at..at + len];
    match len {
        1 => target[0] = bits as u8,
        4 => target.copy_from_slice(&(bits as u32).to_le_bytes()),
        8 => target.copy_from_slice(&(bits as u64).to_le_bytes()),
        _ => target.copy_from_slice(&bits.to_le_bytes()[..len]),
    }
}
