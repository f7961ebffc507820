//! `--input name=value[,value…]`: values for the program's inputs.

use std::collections::BTreeSet;
use std::str::FromStr;
use tp_ir::{Type, eval};
use tp_machine::{InputRequest, Inputs, RandomInputs};

#[derive(Clone, PartialEq, Debug)]
pub struct GivenInput {
    pub name: String,
    pub values: Vec<Number>,
}

/// A number as it was written; which bits it stands for depends on the type of the input.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Number {
    Int(u128),
    Float(f64),
}

impl FromStr for GivenInput {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenInput, String> {
        let (name, values) = text.split_once('=').ok_or("it has the form NAME=VALUE[,VALUE…]")?;
        let number = |v: &str| Number::parse(v).ok_or_else(|| format!("`{v}` is not a number"));
        let values = values.split(',').map(|v| number(v.trim())).collect::<Result<_, _>>()?;
        Ok(GivenInput { name: name.to_owned(), values })
    }
}

impl Number {
    fn parse(text: &str) -> Option<Number> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => digits.parse::<u128>().ok(),
        };
        match magnitude {
            Some(m) if negative => Some(Number::Int(m.wrapping_neg())),
            Some(m) => Some(Number::Int(m)),
            None => text.parse().ok().map(Number::Float),
        }
    }

    /// The value as the type has it: integers wrap, fractions of an integer are cut, as in C.
    fn bits(self, ty: Type) -> u128 {
        match (self, ty) {
            (Number::Int(i), Type::F32 | Type::F64) => eval::from_f64(ty, i as i128 as f64) as u128,
            (Number::Float(x), Type::F32 | Type::F64) => eval::from_f64(ty, x) as u128,
            (Number::Int(i), _) => i,
            (Number::Float(x), _) => x as i128 as u128,
        }
    }
}

/// The given values, each used in turn and the last one from then on; random ones for the other inputs.
pub struct NamedInputs<'a> {
    given: &'a [GivenInput],
    /// The given inputs that were used, with the number of the request: a step that could not be taken asks again.
    used: Vec<(usize, &'a str)>,
    others: RandomInputs,
}

impl<'a> NamedInputs<'a> {
    pub fn new(seed: u64, given: &'a [GivenInput]) -> NamedInputs<'a> {
        NamedInputs { given, used: Vec::new(), others: RandomInputs::new(seed) }
    }
}

impl Inputs for NamedInputs<'_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let Some(given) = self.given.iter().rev().find(|g| g.name == request.name) else {
            return self.others.value(request);
        };
        self.used.retain(|(index, _)| *index < request.index);
        let used = self.used.iter().filter(|(_, name)| *name == given.name).count();
        let number = given.values.get(used).or(given.values.last())?;
        self.used.push((request.index, &given.name));
        Some(number.bits(request.ty))
    }
}

/// A sentence for each given name that no run asked for.
pub fn unused(given: &[GivenInput], asked: &BTreeSet<String>) -> Vec<String> {
    let names = asked.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let unused = given.iter().filter(|g| !asked.contains(&g.name));
    unused
        .map(|g| match asked.is_empty() {
            true => format!("no input is called `{}`: the runs asked for no input", g.name),
            false => format!("no input is called `{}`; the runs asked for {names}", g.name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let check = |text: &str, expect: Option<Number>| assert_eq!(Number::parse(text), expect, "{text}");
        check("5", Some(Number::Int(5)));
        check("-1", Some(Number::Int(u128::MAX)));
        check("0xff", Some(Number::Int(255)));
        check("-0x1", Some(Number::Int(u128::MAX)));
        check("1.5", Some(Number::Float(1.5)));
        check("-2e3", Some(Number::Float(-2000.0)));
        check("--1", None);
        check("five", None);
        check("", None);
    }

    #[test]
    fn bits_depend_on_the_type() {
        let i32 = Type::Int(tp_ir::Width::W32);
        assert_eq!(Number::Int(2).bits(Type::F64), u128::from(2.0f64.to_bits()));
        assert_eq!(Number::Float(0.5).bits(Type::F32), u128::from(0.5f32.to_bits()));
        assert_eq!(Number::Float(-1.5).bits(i32) as u32, -1i32 as u32);
        assert_eq!(Number::Int(7).bits(i32), 7);
    }
}
