//! Inputs as decisions: which values are tried for each, and the values that one step is given.

use crate::Given;
use std::cell::RefCell;
use tp_ir::{InputKind, Type, eval};
use tp_machine::{Input, InputKey, InputRequest, InputSource, Inputs};

/// Inputs of more bits than this are not enumerated.
const ENUMERATED_BITS: u32 = 8;

/// With a solver, only inputs of at most this many bits are enumerated.
const ENUMERATED_BESIDE: u32 = 2;

/// The inputs of a step: the given values, then the first of each domain.
#[derive(Default)]
pub struct Tape {
    /// All inputs are below this.
    below: Option<u128>,
    given: Vec<u128>,
    /// The inputs of this step, and the domain of each.
    pub label: Vec<u128>,
    domains: Vec<Domain>,
    asked: Vec<Input>,
    /// An input of which not all values are tried.
    pub sampled: Option<String>,
    /// The values of followed inputs, zero for those without an entry; `None`: no input is followed.
    pub followed: Option<Given>,
}

#[derive(Clone)]
enum Domain {
    Below(u128),
    /// 1 or 0, in this order: a loop may do nothing else than wait for what seldom happens.
    Rare,
    Some(Vec<u128>),
}

impl Domain {
    fn of(request: &InputRequest<'_>, below: Option<u128>) -> Domain {
        if request.source == InputSource::Output {
            return Domain::Below(1);
        }
        if request.kind == InputKind::Event {
            return Domain::Rare;
        }
        let bits = request.width.bits();
        match request.ty {
            Type::Int(_) if below.is_some_and(|b| bits >= 128 || b < 1 << bits) => {
                Domain::Below(below.unwrap_or(1))
            }
            Type::Int(_) if bits <= ENUMERATED_BITS => Domain::Below(1 << bits),
            Type::Int(_) => {
                let top = 1u128 << (bits - 1);
                let all = eval::truncate(u128::MAX, request.width);
                Domain::Some(vec![0, 1, 2, all, top, top - 1])
            }
            Type::F32 | Type::F64 => {
                let bits = |v: f64| eval::from_f64(request.ty, v) as u128;
                Domain::Some(vec![bits(0.0), bits(1.0), bits(-1.0)])
            }
            Type::Ptr => Domain::Some(vec![0]),
        }
    }

    fn first(&self) -> u128 {
        match self {
            Domain::Below(_) => 0,
            Domain::Rare => 1,
            Domain::Some(values) => values.first().copied().unwrap_or(0),
        }
    }

    fn others(&self, than: u128) -> Vec<u128> {
        match self {
            Domain::Below(end) => (0..*end).filter(|v| *v != than).collect(),
            Domain::Rare => vec![1 - than.min(1)],
            Domain::Some(values) => values.iter().copied().filter(|v| *v != than).collect(),
        }
    }
}

impl Tape {
    pub fn new(below: Option<u128>) -> Tape {
        Tape { below, ..Tape::default() }
    }

    /// A step begins that is given these values.
    pub fn begin(&mut self, given: &[u128]) {
        self.given.clear();
        self.given.extend_from_slice(given);
        self.label.clear();
        self.domains.clear();
        self.asked.clear();
    }

    /// The other inputs the step could have been given, from index `fixed` on, as prefixes of labels: each other label
    /// with the same first `fixed` values begins with exactly one of them.
    pub fn alternatives(&self, fixed: usize) -> Vec<Vec<u128>> {
        let mut all = Vec::new();
        for i in fixed..self.label.len() {
            for value in self.domains[i].others(self.label[i]) {
                let mut label = self.label[..i].to_vec();
                label.push(value);
                all.push(label);
            }
        }
        all
    }

    /// The inputs of this step.
    pub fn inputs(&self) -> Vec<Input> {
        self.asked.clone()
    }

    /// Whether the input has one value in each class, chosen by the solver, instead of being enumerated.
    fn is_followed(&self, request: &InputRequest<'_>) -> bool {
        let bits = request.width.bits();
        self.followed.is_some()
            && self.below.is_none()
            && request.source != InputSource::Output
            && matches!(request.ty, Type::Int(_))
            && bits > ENUMERATED_BESIDE
            && bits <= 64
    }

    fn value(&mut self, request: &InputRequest<'_>) -> u128 {
        if self.is_followed(request) {
            let key = InputKey::new(request.thread, request.source);
            let value = self.followed.as_ref().and_then(|given| given.get(&key)).copied().unwrap_or(0);
            self.note(request, value);
            return value;
        }
        let domain = Domain::of(request, self.below);
        if matches!(domain, Domain::Some(_)) && self.sampled.is_none() {
            self.sampled = Some(request.name.to_owned());
        }
        let value = self.given.get(self.label.len()).copied().unwrap_or_else(|| domain.first());
        self.label.push(value);
        self.domains.push(domain);
        self.note(request, value);
        value
    }

    fn note(&mut self, request: &InputRequest<'_>, value: u128) {
        self.asked.push(Input {
            name: request.name.to_owned(),
            width: request.width.bits(),
            signed: request.signed,
            rare: request.kind == InputKind::Event,
            bits: eval::truncate(value, request.width),
        });
    }
}

/// The tape as the machine sees it.
pub struct Reader<'t>(pub &'t RefCell<Tape>);

impl Inputs for Reader<'_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        Some(self.0.borrow_mut().value(request))
    }

    fn is_followed(&mut self, request: &InputRequest<'_>) -> bool {
        self.0.borrow().is_followed(request)
    }
}
