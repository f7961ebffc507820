//! The assumptions that a finding rests on. With one, the verdict is *possible*, not *violated*.
//!
//! Functions without body and model may be taken to return any value and to change nothing. A finding rests on that if
//! such a value, or what such a function could have written, has decided something on the way to it: the run is
//! repeated with these values followed (`tp_machine::Symbols`), and its path constraints tell. A program that was
//! optimised before it was read may have races that its source does not have.

use crate::execution::RunConfig;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_frontend::{FileContents, FrontendOptions, GivenFile, Loaded, SpuriousWakeups};
use tp_ir::{Program, Property, Type};
use tp_machine::{
    Attempt, InputRequest, Inputs, ObjectName, ReplayInputs, Session, SymbolOrigin, Symbols, Trace,
};
use tp_report::{Assumption, Diagnostic, LedgerFile, Verdict};
use tp_terms::{Term, TermKind};

/// What was assumed when the program was loaded.
#[derive(Clone, Default, Debug)]
pub struct Assumptions {
    /// How often a thread that waits on a condition variable is woken without a signal: `never`, `once`, `always`.
    pub spurious_wakeups: &'static str,
    /// A weak compare-exchange can fail where it would succeed.
    pub spurious_failures: bool,
    /// Freed memory may be reused.
    pub reuse: bool,
    /// Functions that are taken to return any value and change nothing.
    pub pure: Vec<Box<str>>,
    /// Files that were optimised before they were read.
    pub optimised: Vec<String>,
    /// The files that are there when the program begins.
    pub files: Vec<LedgerFile>,
    /// What standard input is, if that is given.
    pub stdin: Option<String>,
    /// How many bytes the outside sends on each of its connections.
    pub connections: Vec<u32>,
    /// Reads and writes of files may fail or stop early.
    pub io_errors: bool,
    /// No signal comes from outside, and no handler runs.
    pub no_signals: bool,
}

impl Assumptions {
    pub fn of(options: &FrontendOptions, loaded: &Loaded) -> Assumptions {
        Assumptions {
            spurious_wakeups: match options.spurious_wakeups {
                SpuriousWakeups::Never => "never",
                SpuriousWakeups::Once => "once",
                SpuriousWakeups::Always => "always",
            },
            spurious_failures: options.spurious_failures,
            reuse: options.reuse,
            pure: loaded.assumed_pure.clone(),
            optimised: loaded.optimised.clone(),
            files: options.files.iter().map(ledger_file).collect(),
            stdin: options.stdin.as_ref().map(|path| path.to_string_lossy().into_owned()),
            connections: options.connections.clone(),
            io_errors: options.io_errors,
            no_signals: options.no_signals,
        }
    }

    /// What the violation of this property rests on to which these decisions lead.
    pub fn behind(
        &self,
        program: &Program,
        config: RunConfig<'_>,
        trace: &Trace,
        property: Property,
    ) -> Vec<Assumption> {
        let Deciding { returned, written } = self.deciding(program, config, trace, property);
        let returned = returned.into_iter().map(|function| Assumption::Returned { function });
        let written = written.into_iter().map(|function| Assumption::ChangedNothing { function });
        let mut assumed: Vec<Assumption> = returned.chain(written).collect();
        if property == Property::Race {
            assumed.extend(self.optimised.iter().map(|path| Assumption::NotMoved { path: path.clone() }));
        }
        assumed
    }

    /// The functions without model whose values have decided something.
    fn deciding(
        &self,
        program: &Program,
        config: RunConfig<'_>,
        trace: &Trace,
        property: Property,
    ) -> Deciding {
        let mut deciding = Deciding::default();
        let is_pure = |name: &str| self.pure.iter().any(|f| &**f == name);
        let functions: Vec<_> = program.functions.iter().filter(|(_, f)| is_pure(&f.name)).collect();
        if functions.is_empty() {
            return deciding;
        }
        let symbols = RefCell::new(Symbols::of_functions(functions.iter().map(|(id, _)| *id)));
        let names = RefCell::new(Names::default());
        if !repeat(program, config, trace, &mut Followed::new(trace, &self.pure, &names), &symbols) {
            let asked = trace.inputs.iter().map(|input| &input.name);
            deciding.returned.extend(asked.filter(|name| is_pure(name)).cloned());
            deciding.written.extend(self.pure.iter().map(|name| name.to_string()));
            return deciding;
        }
        let names = names.into_inner();
        let mut symbols = symbols.into_inner();
        if matches!(property, Property::Leak | Property::Cleanup) {
            let had_heap = symbols.had_heap().iter().map(|f| program.functions[*f].name.to_string());
            deciding.written.extend(had_heap);
        }
        let constraints = symbols.take_constraints();
        for unknown in unknowns_of(&symbols, constraints.iter().map(|c| c.term).collect()) {
            match unknown {
                SymbolOrigin::WrittenBy(f) => {
                    _ = deciding.written.insert(program.functions[f].name.to_string())
                }
                SymbolOrigin::Input(nth) => deciding.returned.extend(names.followed.get(nth).cloned()),
            }
        }
        deciding.returned.extend(names.not_followed);
        deciding
    }
}

fn ledger_file(file: &GivenFile) -> LedgerFile {
    let any = match file.contents {
        FileContents::Of(_) => None,
        FileContents::Any(size) => Some(size),
    };
    LedgerFile { name: file.name.clone(), any }
}

/// Functions of which something has decided: what they returned, or what they could have written.
#[derive(Default)]
struct Deciding {
    returned: BTreeSet<String>,
    written: BTreeSet<String>,
}

/// The verdict on a violation that rests on these assumptions, which are added to its notes.
pub fn verdict(property: Property, assumed: Vec<Assumption>, diagnostic: Option<&mut Diagnostic>) -> Verdict {
    if assumed.is_empty() {
        return Verdict::Violated(vec![property]);
    }
    if let Some(diagnostic) = diagnostic {
        diagnostic.notes.extend(assumed.iter().map(ToString::to_string));
    }
    Verdict::Possible(vec![property])
}

/// Lets a machine take the decisions; `false`: a thread has to wait where it should step.
fn repeat(
    program: &Program,
    config: RunConfig<'_>,
    trace: &Trace,
    inputs: &mut dyn Inputs,
    symbols: &RefCell<Symbols>,
) -> bool {
    let stop = AtomicBool::new(false);
    let machine = config.config(&stop, false);
    // A run may also end before its first step.
    let Ok(mut session) = Session::past(program, &machine, config.past, inputs, Some(symbols)) else {
        return true;
    };
    session.only_forward();
    for &(thread, steps) in trace.schedule() {
        for _ in 0..steps {
            match session.attempt(thread) {
                Attempt::Taken | Attempt::Spins => {}
                Attempt::Ends(_) => return true,
                Attempt::Waits => return false,
            }
        }
    }
    true
}

/// The unknowns that terms depend on.
fn unknowns_of(symbols: &Symbols, mut left: Vec<Term>) -> Vec<SymbolOrigin> {
    let (mut seen, mut unknowns) = (BTreeSet::new(), Vec::new());
    while let Some(term) = left.pop() {
        if seen.insert(term) {
            match symbols.terms().kind(term) {
                TermKind::Var(variable) => unknowns.push(symbols.stands_for(variable)),
                node => left.extend(node.parts()),
            }
        }
    }
    unknowns
}

/// The functions that returned the values.
#[derive(Default)]
struct Names {
    /// Indexed by the number in `Unknown::Input`.
    followed: Vec<String>,
    /// Pointers and floating-point numbers cannot be followed, and count as if they decided.
    not_followed: BTreeSet<String>,
}

/// The inputs of a trace; those that stand for what functions return are followed.
struct Followed<'a> {
    given: ReplayInputs,
    pure: &'a [Box<str>],
    names: &'a RefCell<Names>,
}

impl<'a> Followed<'a> {
    fn new(trace: &Trace, pure: &'a [Box<str>], names: &'a RefCell<Names>) -> Followed<'a> {
        Followed { given: ReplayInputs::new(Arc::new(trace.clone())), pure, names }
    }

    fn is_meant(&self, request: &InputRequest<'_>) -> bool {
        self.pure.iter().any(|f| **f == *request.name)
    }
}

impl Inputs for Followed<'_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let is_number = matches!(request.ty, Type::Int(_)) && request.width.bits() <= 64;
        if self.is_meant(request) && !is_number {
            self.names.borrow_mut().not_followed.insert(request.name.to_owned());
        }
        self.given.value(request)
    }

    fn address(&mut self, of: ObjectName) -> Option<u64> {
        self.given.address(of)
    }

    fn is_followed(&mut self, request: &InputRequest<'_>) -> bool {
        let is_meant = self.is_meant(request);
        if is_meant {
            self.names.borrow_mut().followed.push(request.name.to_owned());
        }
        is_meant
    }
}
