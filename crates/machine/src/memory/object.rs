//! An object: its bytes, which of them were written, and which pointers lie in it.

use crate::race::Shadow;
use crate::trace::ThreadNumber;
use crate::value::ObjectRef;
use std::collections::BTreeMap;
use tp_ir::{FuncId, GlobalId, Names, PlaceId, Reach};
use tp_terms::Term;

/// A byte that depends on inputs: byte number `byte` of `term`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolByte {
    pub term: Term,
    pub byte: u32,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// A local of a function; the block and index of its `Alloca` name it.
    Local {
        function: FuncId,
        block: u32,
        index: u32,
    },
    Heap,
    Function(FuncId),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ObjectState {
    Live,
    /// A local whose scope has ended but may begin again.
    OutOfScope,
    Dead,
}

/// Which bytes were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Written {
    All,
    Small(u64),
    Large(Vec<u64>),
}

impl Written {
    pub(super) fn none(size: u64) -> Written {
        match size {
            0 => Written::All,
            1..=64 => Written::Small(0),
            _ => Written::Large(vec![0; (size as usize).div_ceil(64)]),
        }
    }

    #[inline]
    pub(super) fn mark(&mut self, offset: u64, len: u64, written: bool, size: u64) {
        match self {
            Written::All if written => {}
            Written::All => {
                *self = Written::none(size);
                self.mark(0, offset, true, size);
                self.mark(offset + len, size - offset - len, true, size);
            }
            Written::Small(bits) => {
                let mask = if len >= 64 { u64::MAX } else { ((1u64 << len) - 1) << (offset & 63) };
                *bits = if written { *bits | mask } else { *bits & !mask };
                let all = if size == 64 { u64::MAX } else { (1u64 << size) - 1 };
                if *bits == all {
                    *self = Written::All;
                }
            }
            Written::Large(words) => {
                let (mut at, end) = (offset, offset + len);
                while at < end {
                    let count = (64 - at % 64).min(end - at);
                    let mask = (u64::MAX >> (64 - count)) << (at % 64);
                    let word = &mut words[(at / 64) as usize];
                    *word = if written { *word | mask } else { *word & !mask };
                    at += count;
                }
            }
        }
    }

    pub(super) fn get(&self, offset: u64) -> bool {
        match self {
            Written::All => true,
            Written::Small(bits) => bits >> offset & 1 == 1,
            Written::Large(words) => words[(offset / 64) as usize] >> (offset % 64) & 1 == 1,
        }
    }
}

/// What the parts of an object that changed in a stretch of the run take, as bytes of the whole object.
#[derive(Copy, Clone, Default)]
pub(super) struct Parts {
    pub(super) stretch: u64,
    pub(super) bytes: u64,
}

/// The contents of a part of an object, as they were.
#[derive(Clone)]
pub(super) struct OldContents {
    pub(super) offset: u64,
    bytes: Box<[u8]>,
    /// `None`: every byte of the object was written.
    written: Option<Box<[bool]>>,
    /// By word; `None`: no pointer lay in the object.
    pointers: Option<Box<[Option<ObjectRef>]>>,
    symbols: Vec<(u64, SymbolByte)>,
}

impl OldContents {
    pub(super) fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

#[derive(Clone)]
pub struct Object {
    pub base: u64,
    pub size: u64,
    pub generation: u32,
    pub kind: ObjectKind,
    pub state: ObjectState,
    /// No other thread can have its address.
    pub private: bool,
    /// A local that a thread has accessed to which it does not belong.
    pub seen_by_others: bool,
    pub constant: bool,
    /// Of the heap: a fingerprint of the calls that made it (`tp_analysis::future_writes::chain_hash`), if `Config::wakers`
    /// is given.
    pub chain: u64,
    /// A variable that only the models touch: only their atomic steps count as accesses.
    pub internal: bool,
    /// The journal in which it was made: while that is open, its old contents need not be kept.
    pub(super) made_in: u64,
    /// The stretch of the run in which all of it was last copied; see `history`.
    pub(super) kept: u64,
    /// The stretch in which its contents may have changed last.
    pub(super) changed: u64,
    pub(super) parts: Parts,
    /// A waiting thread read it: a write may wake that thread.
    pub watched: bool,
    /// The thread that made it.
    pub made_by: u32,
    /// Memory that a model has allocated for itself.
    pub is_record: bool,
    /// Identifies it in equivalent runs; see `Touch`.
    pub key: u64,
    /// How many objects its thread had made before; `None` for variables, and for objects made in output functions.
    pub nth: Option<u64>,
    /// How often its scope has begun.
    pub scope: u64,
    /// A local that has ended before its function: its thread may still have its address.
    pub outlived: bool,
    pub made_at: Option<PlaceId>,
    /// The thread that freed it, and where.
    pub freed_at: Option<(u32, PlaceId)>,
    pub(super) bytes: Vec<u8>,
    pub(super) written: Written,
    /// The objects that pointers stored here belong to, one entry per aligned word; empty while there are none.
    pub(super) pointers: Vec<Option<ObjectRef>>,
    /// Bytes that depend on inputs, by offset.
    pub(super) symbols: BTreeMap<u64, SymbolByte>,
    pub shadow: Shadow,
    /// Words that hold numbers of threads, by offset; only noted where there is a history.
    pub(super) names: BTreeMap<u64, Names>,
}

impl Object {
    /// A local that no other thread has accessed.
    #[inline]
    pub fn is_own_local(&self) -> bool {
        matches!(self.kind, ObjectKind::Local { .. }) && !self.seen_by_others
    }

    /// A local of another thread than this one.
    #[inline]
    pub fn is_local_of_another(&self, thread: ThreadNumber) -> bool {
        self.made_by != thread && matches!(self.kind, ObjectKind::Local { .. }) && !self.private
    }

    /// How visible it is to other threads.
    #[inline]
    pub fn reach(&self) -> Reach {
        Reach { is_private: self.private, is_constant: self.constant, is_internal: self.internal }
    }

    pub(super) fn new(kind: ObjectKind, base: u64, size: u64, generation: u32, written: Written) -> Object {
        Object {
            base,
            size,
            generation,
            kind,
            state: ObjectState::Live,
            private: false,
            seen_by_others: false,
            constant: false,
            internal: false,
            made_in: 0,
            kept: 0,
            changed: 0,
            parts: Parts::default(),
            watched: false,
            made_by: 0,
            is_record: false,
            chain: 0,
            key: 0,
            nth: None,
            scope: 0,
            outlived: false,
            made_at: None,
            freed_at: None,
            bytes: Vec::new(),
            written,
            pointers: Vec::new(),
            symbols: BTreeMap::new(),
            shadow: Shadow::default(),
            names: BTreeMap::new(),
        }
    }

    pub(super) fn contents_at(&self, offset: u64, len: u64, word: u64) -> OldContents {
        let words = (offset / word) as usize..(offset + len).div_ceil(word) as usize;
        OldContents {
            offset,
            bytes: self.bytes[offset as usize..(offset + len) as usize].into(),
            written: match &self.written {
                Written::All => None,
                written => Some((offset..offset + len).map(|i| written.get(i)).collect()),
            },
            pointers: (!self.pointers.is_empty()).then(|| self.pointers[words].into()),
            symbols: self.symbols_in(offset, len),
        }
    }

    pub(super) fn put_back(&mut self, old: OldContents, word: u64) {
        let (offset, end) = (old.offset, old.end());
        self.bytes[offset as usize..end as usize].copy_from_slice(&old.bytes);
        match old.written {
            None => self.written = Written::All,
            Some(flags) => {
                for (i, written) in (offset..).zip(flags) {
                    self.written.mark(i, 1, written, self.size);
                }
            }
        }
        match old.pointers {
            None => self.pointers.clear(),
            Some(pointers) => {
                for (i, pointer) in ((offset / word) as usize..).zip(pointers) {
                    self.set_pointer(i, pointer, word);
                }
            }
        }
        self.drop_symbols(offset, end - offset);
        self.symbols.extend(old.symbols);
    }

    /// Whether a part of the object has its old contents.
    pub(super) fn has_contents(&self, old: &OldContents, word: u64) -> bool {
        let (offset, end) = (old.offset, old.end());
        if self.bytes.len() < end as usize {
            // It has ended.
            return false;
        }
        let now = self.contents_at(offset, end - offset, word);
        let no_pointers =
            |pointers: &Option<Box<[Option<ObjectRef>]>>| pointers.iter().flatten().all(Option::is_none);
        let all_written = |flags: &Option<Box<[bool]>>| flags.iter().flatten().all(|written| *written);
        now.bytes == old.bytes
            && now.symbols == old.symbols
            && (now.written == old.written || all_written(&now.written) && all_written(&old.written))
            && (now.pointers == old.pointers || no_pointers(&now.pointers) && no_pointers(&old.pointers))
    }

    /// A range is overwritten by bytes that depend on no inputs.
    #[inline(always)]
    pub(super) fn drop_symbols(&mut self, offset: u64, len: u64) {
        if !self.symbols.is_empty() {
            let gone = self.symbols_in(offset, len);
            gone.into_iter().for_each(|(at, _)| _ = self.symbols.remove(&at));
        }
    }

    pub(super) fn symbols_in(&self, offset: u64, len: u64) -> Vec<(u64, SymbolByte)> {
        self.symbols.range(offset..offset + len).map(|(at, byte)| (*at, *byte)).collect()
    }

    pub(super) fn set_pointer(&mut self, word: usize, object: Option<ObjectRef>, word_size: u64) {
        if self.pointers.is_empty() {
            if object.is_none() {
                return;
            }
            self.pointers = vec![None; self.size.div_ceil(word_size) as usize];
        }
        self.pointers[word] = object;
    }
}
