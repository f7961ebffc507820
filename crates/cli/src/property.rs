//! `--property`: which properties to check, in our words, in SV-COMP's, or as an SV-COMP property file.

use crate::args::EngineArg;
use crate::exit::CommandError;
use tp_driver::{ENGINES, EngineKind};
use tp_ir::Property;
use tp_machine::Checks;

/// The set that the words name; everything when there are none.
pub fn checks(words: &[String]) -> Result<Checks, CommandError> {
    if words.is_empty() {
        return Ok(usual().into_iter().fold(Checks::NONE, Checks::with));
    }
    let (mut checks, mut without) = (Checks::NONE, Checks::NONE);
    for word in words {
        match word.strip_prefix('-') {
            Some(word) => without = named(word)?.into_iter().fold(without, Checks::with),
            None => {
                let properties = if word.ends_with(".prp") { file(word)? } else { named(word)? };
                checks = properties.into_iter().fold(checks, Checks::with);
            }
        }
    }
    let left = checks.minus(without);
    match left == Checks::NONE {
        true if checks == Checks::NONE => Err(CommandError::Usage(format!(
            "--property: `{}` takes away from nothing; `{EVERYTHING},{}` is everything but that",
            words.join(","),
            words.join(",")
        ))),
        true => {
            Err(CommandError::Usage(format!("--property: `{}` leaves nothing to look for", words.join(","))))
        }
        false => Ok(left),
    }
}

/// The word for the default set.
const EVERYTHING: &str = "all";

/// The default set.
fn usual() -> Vec<Property> {
    Property::ALL.into_iter().filter(|p| Checks::ALL.has(*p)).collect()
}

/// No property is named, except to be left out.
pub fn is_usual(words: &[String]) -> bool {
    words.iter().all(|word| word == EVERYTHING || word.starts_with('-'))
}

/// Properties that only engines that execute the program can decide.
const UNDECIDED: [Property; 1] = [Property::Uninitialised];

/// The set that the words name, for `check`; what all engines can decide when there are none.
pub fn decided(engine: EngineArg, words: &[String]) -> Result<Checks, CommandError> {
    let mut checks = checks(words)?;
    // A property that is not named by its own word is left out where it cannot be decided.
    for property in Property::ALL {
        let is_named = words.iter().any(|word| word == property.word());
        if !is_named
            && UNDECIDED.contains(&property)
            && (is_usual(words) || !matches!(engine, EngineArg::One(one) if one.looks_for(Checks::ALL)))
        {
            checks = checks.without(property);
        }
    }
    // Engines that execute the program look for every property.
    if engine.looks_for_all() || !UNDECIDED.iter().any(|p| checks.has(*p)) {
        return Ok(checks);
    }
    let undecided: Vec<&str> = UNDECIDED.iter().filter(|p| checks.has(**p)).map(|p| p.word()).collect();
    let names = ENGINES.iter().filter(|engine| engine.kind == EngineKind::Explores).map(|engine| engine.name);
    let able: Vec<String> =
        ["auto"].into_iter().chain(names).map(|name| format!("`--engine {name}`")).collect();
    Err(CommandError::Usage(format!(
        "the engine `{}` cannot decide {} yet; {} can, and `run` looks for it",
        engine.name(),
        undecided.join(", "),
        able.join(" and "),
    )))
}

/// The words of the properties in the set.
pub fn words(checks: Checks) -> Vec<String> {
    let checked = Property::ALL.into_iter().filter(|p| checks.has(*p));
    checked.map(|p| p.word().to_owned()).collect()
}

/// What a single word stands for.
pub fn named(word: &str) -> Result<Vec<Property>, CommandError> {
    if word == EVERYTHING {
        return Ok(usual());
    }
    let words = if word == MEMORY_SAFETY.0 { &MEMORY_SAFETY.1[..] } else { &[word] };
    let rows = SV_COMP.iter().filter(|(name, _, _)| words.contains(name));
    let of_sv_comp: Vec<Property> = rows.flat_map(|(_, _, properties)| properties.iter().copied()).collect();
    if !of_sv_comp.is_empty() {
        return Ok(of_sv_comp);
    }
    // An overflow has an id of its own, and is an error of arithmetic as well.
    let also = (word == Property::Shift.id()).then_some(Property::Overflow);
    let is_meant = |p: &Property| p.word() == word || p.id() == word || also == Some(*p);
    let ours: Vec<Property> = Property::ALL.into_iter().filter(is_meant).collect();
    if ours.is_empty() {
        return Err(CommandError::Usage(format!(
            "`{word}` is not a property; these are: {}; `-WORD` takes one away",
            known().join(", ")
        )));
    }
    Ok(ours)
}

/// All words that are understood: properties, the ids of several, SV-COMP's words.
fn known() -> Vec<&'static str> {
    let ours = Property::ALL.iter().map(|p| p.word()).chain(Property::ALL.iter().map(|p| p.id()));
    let mut known: Vec<&str> = Vec::new();
    for word in ours.chain(SV_COMP.iter().map(|row| row.0)).chain([MEMORY_SAFETY.0, EVERYTHING]) {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// SV-COMP's words, the formulas of its property files, and what they are here.
const SV_COMP: [(&str, &str, &[Property]); 8] = [
    ("unreach-call", "G ! call(reach_error())", &[Property::ReachError, Property::Assert]),
    ("no-data-race", "G ! data-race", &[Property::Race]),
    ("valid-free", "G valid-free", &[Property::DoubleFree, Property::InvalidFree]),
    (
        "valid-deref",
        "G valid-deref",
        &[Property::InvalidDeref, Property::OutOfBounds, Property::UseAfterFree],
    ),
    ("valid-memtrack", "G valid-memtrack", &[Property::Leak]),
    ("valid-memcleanup", "G valid-memcleanup", &[Property::Cleanup]),
    ("no-overflow", "G ! overflow", &[Property::Overflow]),
    ("no-deadlock", "G ! deadlock", &[Property::Deadlock]),
];

/// SV-COMP's word for several of these, as in its property file.
const MEMORY_SAFETY: (&str, [&str; 3]) = ("valid-memsafety", ["valid-free", "valid-deref", "valid-memtrack"]);

fn file(path: &str) -> Result<Vec<Property>, CommandError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| CommandError::Unreadable { path: path.to_owned(), reason: e.to_string() })?;
    in_property_file(&text).map_err(|what| CommandError::Usage(format!("{path}: {what}")))
}

/// The properties of lines such as `CHECK( init(main()), LTL(G ! data-race) )`.
fn in_property_file(text: &str) -> Result<Vec<Property>, String> {
    let mut properties = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let formula = line
            .strip_prefix("CHECK(")
            .and_then(|l| l.split_once("LTL("))
            .and_then(|(_, l)| l.strip_suffix(')'))
            .and_then(|l| l.trim_end().strip_suffix(')'))
            .ok_or_else(|| format!("`{line}` is not of the form CHECK( init(main()), LTL(…) )"))?;
        let formula = formula.split_whitespace().collect::<Vec<_>>().join(" ");
        let row = SV_COMP.iter().find(|(_, of_file, _)| *of_file == formula);
        let (_, _, found) =
            row.ok_or_else(|| format!("`{formula}` is not a property that can be checked"))?;
        properties.extend_from_slice(found);
    }
    if properties.is_empty() { Err("it names no property".to_owned()) } else { Ok(properties) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(properties: &[Property]) -> Checks {
        properties.iter().copied().fold(Checks::NONE, Checks::with)
    }

    fn check(words: &[&str], expect: &[Property]) {
        let words: Vec<String> = words.iter().map(|w| w.to_string()).collect();
        assert_eq!(checks(&words).ok(), Some(of(expect)), "{words:?}");
    }

    #[test]
    fn words_of_ours_and_of_sv_comp() {
        check(&["race"], &[Property::Race]);
        check(&["race", "leak"], &[Property::Race, Property::Leak]);
        check(&["no-data-race"], &[Property::Race]);
        check(&["unreach-call"], &[Property::ReachError, Property::Assert]);
        let arithmetic = [Property::DivisionByZero, Property::Shift, Property::FloatConversion];
        check(&["arithmetic"], &[&arithmetic[..], &[Property::Overflow]].concat());
        check(&["overflow"], &[Property::Overflow]);
        check(&["valid-memcleanup"], &[Property::Cleanup]);
        check(&["valid-memtrack"], &[Property::Leak]);
        let memory = ["valid-free", "valid-deref", "valid-memtrack"];
        check(&["valid-memsafety"], &memory.map(|word| named(word).unwrap()).concat());
        let usual: Vec<Property> = Property::ALL.into_iter().filter(|p| Checks::ALL.has(*p)).collect();
        check(&[], &usual);
        check(&["all"], &usual);
        let but = |left_out: &[Property]| -> Vec<Property> {
            usual.iter().copied().filter(|p| !left_out.contains(p)).collect()
        };
        check(&["all", "-leak"], &but(&[Property::Leak]));
        check(&["-leak", "all", "-overflow"], &but(&[Property::Leak, Property::Overflow]));
        check(&["all", "-unreach-call"], &but(&[Property::ReachError, Property::Assert]));
        check(&["race", "leak", "-leak"], &[Property::Race]);
    }

    #[test]
    fn every_property_has_its_word() {
        for property in Property::ALL {
            check(&[property.word()], &named(property.word()).unwrap());
            assert_eq!(words(of(&[property])), [property.word()]);
        }
    }

    #[test]
    fn a_family_is_what_can_be_decided_of_it() {
        let memory = |engine| decided(engine, &["memory".to_owned()]).unwrap();
        assert!(!memory(EngineArg::of("order")).has(Property::Uninitialised));
        assert!(memory(EngineArg::of("explore")).has(Property::Uninitialised));
        assert!(decided(EngineArg::of("order"), &["uninitialised".to_owned()]).is_err());
    }

    #[test]
    fn an_unknown_word_is_named() {
        let error = checks(&["rice".to_owned()]).unwrap_err().to_string();
        assert!(error.starts_with("`rice` is not a property"), "{error}");
        assert!(error.contains(", memory, arithmetic, unreach-call, "), "{error}");
        assert!(known().into_iter().all(|word| named(word).is_ok()), "{error}");
    }

    #[test]
    fn words_that_leave_nothing() {
        let check = |words: &[&str], expect: &str| {
            let words: Vec<String> = words.iter().map(|w| w.to_string()).collect();
            assert_eq!(checks(&words).unwrap_err().to_string(), expect);
        };
        check(&["-leak"], "--property: `-leak` takes away from nothing; `all,-leak` is everything but that");
        check(&["leak", "-memory"], "--property: `leak,-memory` leaves nothing to look for");
        check(&["all", "-all"], "--property: `all,-all` leaves nothing to look for");
    }

    /// `all,-leak` leaves out what cannot be decided, as `all` does.
    #[test]
    fn all_but_some_is_what_can_be_decided() {
        let words = ["all".to_owned(), "-leak".to_owned()];
        let checks = decided(EngineArg::of("order"), &words).unwrap();
        assert!(!checks.has(Property::Uninitialised) && !checks.has(Property::Leak));
        assert!(checks.has(Property::Race) && checks.has(Property::Overflow));
    }

    #[test]
    fn property_files() {
        let check = |text: &str, expect: Option<&[Property]>| {
            assert_eq!(in_property_file(text).ok().as_deref(), expect, "{text}");
        };
        check("CHECK( init(main()), LTL(G ! data-race) )\n\n", Some(&[Property::Race]));
        check("CHECK( init(main()), LTL(G ! overflow) )", Some(&[Property::Overflow]));
        check(
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            Some(&[Property::ReachError, Property::Assert]),
        );
        check("CHECK( init(main()), LTL(G valid-memtrack) )", Some(&[Property::Leak]));
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
            Some(&[Property::DoubleFree, Property::InvalidFree, Property::Leak]),
        );
        check("CHECK( init(main()), LTL(F end) )", None);
        check("something else", None);
        check("", None);
    }
}
