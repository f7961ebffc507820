//! Templates of inline assembly for x86, in AT&T syntax as clang hands them on: statements with operands. What is not
//! among the few forms that programs use for atomics is not parsed.

use tp_ir::RmwOp;

/// An operand of an instruction, as the template writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// `$1` or `${1:b}`: operand 1 of the constraints, with the bits that a modifier names.
    Operand { number: usize, bits: Option<u32> },
    /// `($1)`: the memory that operand 1 is the address of.
    Behind { number: usize },
    /// `$$1`.
    Immediate(i64),
    /// `%eax`: a register, by the name that constraints have for it.
    Register { name: &'static str, bits: u32 },
}

/// What one instruction does. AT&T syntax: the source first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Nothing,
    Pause,
    FullFence,
    LoadFence,
    StoreFence,
    Move,
    Exchange,
    CompareExchange,
    ExchangeAdd,
    /// `add`, `sub`, `and`, `or`, `xor`.
    Compute(RmwOp),
    /// `inc` and `dec`, which leave the carry flag.
    Step(RmwOp),
    Set(Condition),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub flag: Flag,
    pub negated: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Flag {
    Zero,
    Carry,
    Sign,
}

impl Condition {
    /// The letters after `set` in a mnemonic, and after `@cc` in a constraint.
    pub fn of(letters: &str) -> Option<Condition> {
        let (letters, negated) = match letters.strip_prefix('n') {
            Some(rest) => (rest, true),
            None => (letters, false),
        };
        let (flag, negated) = match letters {
            "e" | "z" => (Flag::Zero, negated),
            "c" | "b" => (Flag::Carry, negated),
            "ae" => (Flag::Carry, !negated),
            "s" => (Flag::Sign, negated),
            _ => return None,
        };
        Some(Condition { flag, negated })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    pub locked: bool,
    pub action: Action,
    /// From the letter at the end of the mnemonic.
    pub bits: Option<u32>,
    pub arguments: Vec<Argument>,
}

/// The statements of a template; `None`: there is something else in it.
pub fn parse(template: &str) -> Option<Vec<Statement>> {
    let mut statements = Vec::new();
    let (mut locked, mut repeated) = (false, false);
    for part in template.split([';', '\n']) {
        let mut text = part.trim();
        // A prefix may stand by itself, as in `lock; incl $0`.
        loop {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            match word.to_lowercase().as_str() {
                "lock" => locked = true,
                "rep" => repeated = true,
                _ => break,
            }
            text = rest.trim_start();
        }
        if text.is_empty() {
            continue;
        }
        let mut statement = statement(text)?;
        statement.locked = std::mem::take(&mut locked);
        if std::mem::take(&mut repeated) {
            match statement.action {
                Action::Nothing => statement.action = Action::Pause,
                _ => return None,
            }
        }
        if statement.locked && !can_be_locked(statement.action) {
            return None;
        }
        statements.push(statement);
    }
    (!locked && !repeated).then_some(statements)
}

fn can_be_locked(action: Action) -> bool {
    use Action::*;
    matches!(action, FullFence | Exchange | CompareExchange | ExchangeAdd | Compute(_) | Step(_))
}

fn statement(text: &str) -> Option<Statement> {
    let (mnemonic, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mnemonic = mnemonic.to_lowercase();
    if mnemonic.starts_with("add") && is_zero_to_stack(operands) {
        // The old way to write a full fence, with `lock`: an addition of 0 to the top of the stack.
        return Some(Statement {
            locked: false,
            action: Action::FullFence,
            bits: None,
            arguments: Vec::new(),
        });
    }
    let (action, bits) = instruction(&mnemonic)?;
    let arguments = split(operands)?.into_iter().map(argument).collect::<Option<Vec<_>>>()?;
    let wanted = match action {
        Action::Nothing | Action::Pause | Action::FullFence | Action::LoadFence | Action::StoreFence => 0,
        Action::Step(_) | Action::Set(_) => 1,
        _ => 2,
    };
    (arguments.len() == wanted).then_some(Statement { locked: false, action, bits, arguments })
}

fn instruction(mnemonic: &str) -> Option<(Action, Option<u32>)> {
    if let Some(condition) = mnemonic.strip_prefix("set").and_then(Condition::of) {
        return Some((Action::Set(condition), Some(8)));
    }
    let known = |name: &str| {
        Some(match name {
            "nop" => Action::Nothing,
            "pause" => Action::Pause,
            "mfence" => Action::FullFence,
            "lfence" => Action::LoadFence,
            "sfence" => Action::StoreFence,
            "mov" => Action::Move,
            "xchg" => Action::Exchange,
            "cmpxchg" => Action::CompareExchange,
            "xadd" => Action::ExchangeAdd,
            "add" => Action::Compute(RmwOp::Add),
            "sub" => Action::Compute(RmwOp::Sub),
            "and" => Action::Compute(RmwOp::And),
            "or" => Action::Compute(RmwOp::Or),
            "xor" => Action::Compute(RmwOp::Xor),
            "inc" => Action::Step(RmwOp::Add),
            "dec" => Action::Step(RmwOp::Sub),
            _ => return None,
        })
    };
    if let Some(action) = known(mnemonic) {
        return Some((action, None));
    }
    let (last, _) = mnemonic.char_indices().last()?;
    let (name, size) = mnemonic.split_at(last);
    let bits = match size {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    let action = known(name)?;
    matches!(
        action,
        Action::Move
            | Action::Exchange
            | Action::CompareExchange
            | Action::ExchangeAdd
            | Action::Compute(_)
            | Action::Step(_)
    )
    .then_some((action, Some(bits)))
}

/// The operands between commas; one in parentheses has none inside here.
fn split(operands: &str) -> Option<Vec<&str>> {
    let operands = operands.trim();
    if operands.is_empty() {
        return Some(Vec::new());
    }
    Some(operands.split(',').map(str::trim).collect())
}

fn argument(text: &str) -> Option<Argument> {
    if let Some(number) = text.strip_prefix("$$") {
        return number_of(number).map(Argument::Immediate);
    }
    if let Some(inner) = text.strip_suffix(')') {
        let inner = inner.strip_prefix('(').or_else(|| inner.strip_prefix("0("))?;
        return match argument(inner.trim())? {
            Argument::Operand { number, bits: None | Some(64) } => Some(Argument::Behind { number }),
            _ => None,
        };
    }
    if let Some(name) = text.strip_prefix('%') {
        return register(&name.to_lowercase());
    }
    let text = text.strip_prefix('$')?;
    let (number, modifier) = match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(inner) => inner.split_once(':').unwrap_or((inner, "")),
        None => (text, ""),
    };
    let bits = match modifier {
        "" => None,
        "b" => Some(8),
        "w" => Some(16),
        "k" => Some(32),
        "q" => Some(64),
        _ => return None,
    };
    Some(Argument::Operand { number: number.parse().ok()?, bits })
}

fn number_of(text: &str) -> Option<i64> {
    let (digits, sign) = match text.strip_prefix('-') {
        Some(rest) => (rest, -1),
        None => (text, 1),
    };
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    number.ok().map(|n| n * sign)
}

fn register(name: &str) -> Option<Argument> {
    let families = [("ax", 'a'), ("bx", 'b'), ("cx", 'c'), ("dx", 'd')];
    for (family, letter) in families {
        let bits = if name == format!("{letter}l") {
            8
        } else if name == family {
            16
        } else if name == format!("e{family}") {
            32
        } else if name == format!("r{family}") {
            64
        } else {
            continue;
        };
        return Some(Argument::Register { name: family, bits });
    }
    None
}

fn is_zero_to_stack(operands: &str) -> bool {
    let Some((zero, address)) = operands.split_once(',') else { return false };
    let is_zero = matches!(zero.trim().trim_start_matches('$'), "0" | "0x0");
    is_zero && (address.ends_with("(%esp)") || address.ends_with("(%rsp)"))
}

/// One constraint: what stands for an operand of the template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    pub place: Place,
    /// The result that it is, or the argument that it takes.
    pub value: Port,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The argument is the address.
    Memory,
    /// A register that has a name in constraints (`{ax}`).
    Named(String),
    /// The register of another operand.
    Tied(usize),
    /// Any register; a number that is known.
    Own,
    Flag(Condition),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Port {
    Result(usize),
    Argument(usize),
}

/// The operands in the order of their numbers, and whether the assembly may touch any memory. An output in memory (`=*m`) is
/// an argument and no result, but counts where a constraint names an output by its number.
pub fn constraints(text: &str) -> (Vec<Constraint>, bool) {
    let (mut operands, mut results, mut arguments) = (Vec::new(), 0, 0);
    let next = |counter: &mut usize| {
        *counter += 1;
        *counter - 1
    };
    for constraint in text.split(',').filter(|c| !c.starts_with('~') && !c.is_empty()) {
        let (output, rest) = match constraint.strip_prefix('=') {
            Some(rest) => (true, rest.trim_start_matches('&')),
            None => (false, constraint),
        };
        let in_memory = rest.contains('*');
        let value = match output && !in_memory {
            true => Port::Result(next(&mut results)),
            false => Port::Argument(next(&mut arguments)),
        };
        let named = rest.strip_prefix('{').and_then(|r| r.strip_suffix('}'));
        let place = match (named, rest.parse()) {
            _ if in_memory => Place::Memory,
            (Some(name), _) => match name.strip_prefix("@cc").map(Condition::of) {
                Some(Some(condition)) => Place::Flag(condition),
                _ => Place::Named(name.to_owned()),
            },
            (None, Ok(number)) => Place::Tied(number),
            (None, Err(_)) => Place::Own,
        };
        operands.push(Constraint { place, value });
    }
    (operands, text.split(',').any(|c| c == "~{memory}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        let check = |template: &str, expect: Option<&[Action]>| {
            let actions = parse(template).map(|list| list.iter().map(|s| s.action).collect::<Vec<_>>());
            assert_eq!(actions.as_deref(), expect, "{template}");
        };
        check("", Some(&[]));
        check("\n\t", Some(&[]));
        check("nop", Some(&[Action::Nothing]));
        check("pause\n", Some(&[Action::Pause]));
        check("rep; nop", Some(&[Action::Pause]));
        check("mfence", Some(&[Action::FullFence]));
        check("lock; addl $$0,0(%esp)", Some(&[Action::FullFence]));
        check("lock; addl $$1,$0", Some(&[Action::Compute(RmwOp::Add)]));
        let zero = Condition { flag: Flag::Zero, negated: false };
        check("lock ; cmpxchgl $3, $1 ; sete $0", Some(&[Action::CompareExchange, Action::Set(zero)]));
        check("lock incl ($0)", Some(&[Action::Step(RmwOp::Add)]));
        check("lock xaddq ${0:q}, $1", Some(&[Action::ExchangeAdd]));
        check("lock movl $$0, $0", None);
        check("rep movsb", None);
        check("rdtsc", None);
        check("1: lock decb $0; jns 3f", None);
        check("lock; cmpxchg8b $0", None);
        check("lock", None);
    }

    #[test]
    fn operands() {
        let check = |text: &str, expect: Option<Argument>| assert_eq!(argument(text), expect, "{text}");
        check("$0", Some(Argument::Operand { number: 0, bits: None }));
        check("${2:b}", Some(Argument::Operand { number: 2, bits: Some(8) }));
        check("$$-0x10", Some(Argument::Immediate(-16)));
        check("%al", Some(Argument::Register { name: "ax", bits: 8 }));
        check("0($1)", Some(Argument::Behind { number: 1 }));
        check("8($1)", None);
        check("%st", None);
    }

    #[test]
    fn places() {
        let check = |text: &str, expect: &[(Place, Port)]| {
            let found = constraints(text).0.into_iter().map(|c| (c.place, c.value)).collect::<Vec<_>>();
            assert_eq!(found, expect, "{text}");
        };
        check("=r,0,~{memory}", &[(Place::Own, Port::Result(0)), (Place::Tied(0), Port::Argument(0))]);
        let ax = || Place::Named("ax".to_owned());
        let zero = Place::Flag(Condition { flag: Flag::Zero, negated: false });
        check(
            "=*m,={@ccz},=&{ax},r,*m,2",
            &[
                (Place::Memory, Port::Argument(0)),
                (zero, Port::Result(0)),
                (ax(), Port::Result(1)),
                (Place::Own, Port::Argument(1)),
                (Place::Memory, Port::Argument(2)),
                (Place::Tied(2), Port::Argument(3)),
            ],
        );
        assert!(constraints("r,~{memory},~{flags}").1);
        assert!(!constraints("r,~{flags}").1);
    }
}
