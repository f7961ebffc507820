//! The lines of the ledger.

use super::*;

fn checks(properties: &[Property]) -> Checks {
    properties.iter().copied().fold(Checks::NONE, Checks::with)
}

#[test]
fn every_property_is_in_one_group() {
    for property in Property::ALL {
        let groups = GROUPS.iter().filter(|g| g.1.contains(&property)).count();
        assert_eq!(groups, 1, "{property:?}");
    }
}

#[test]
fn a_bounded_proof() {
    let spot = |line| SourceSpot { file: "a.c".to_owned(), line, column: 5 };
    let mut ledger = Ledger::new(checks(&[Property::Assert, Property::Lock]), "never", false);
    ledger.assumed_pure = vec!["sensor".into()];
    ledger.uses_conditions = true;
    ledger.bounds = Some(Bounds {
        unwind: Some(4),
        contexts: None,
        loops: (1..=6).map(spot).collect(),
        not_reached: vec!["worker".to_owned()],
        ended_by: Some("timeout".to_owned()),
    });
    let expect = "may need more than 4 iterations: a.c:1:5, a.c:2:5, a.c:3:5, a.c:4:5, a.c:5:5 and 1 more
not reached: `worker`
ended by: timeout
assumed to return any value and change nothing: `sensor`
assumed: condition variables wake only when signalled (--no-spurious-wakeups)
looked for: failed assertions, lock misuse
not looked for: error calls, data races, deadlocks, waiting for ever in loops, memory errors, uninitialised reads, \
arithmetic errors, unsafe calls in signal handlers
memory model: sequentially consistent";
    assert_eq!(ledger.lines().join("\n"), expect);
}

#[test]
fn a_part_of_a_group() {
    let mut ledger = Ledger::new(checks(&[Property::Leak, Property::DoubleFree]), "never", false);
    ledger.never_fail = vec!["malloc".into(), "pthread_create".into()];
    ledger.unchecked = vec!["misaligned accesses"];
    let expect = "assumed: `malloc`, `pthread_create` do not fail
looked for: memory errors (double free, memory leak)
not looked for: failed assertions, error calls, lock misuse, data races, deadlocks, waiting for ever in loops, memory \
errors (invalid pointer, out of bounds, use after free, invalid free), uninitialised reads, arithmetic errors, \
unsafe calls in signal handlers, misaligned accesses
memory model: sequentially consistent";
    assert_eq!(ledger.lines().join("\n"), expect);
}

#[test]
fn files() {
    let check = |files: &[(&str, Option<u32>)], expect: &str| {
        let mut ledger = Ledger::new(Checks::ALL, "always", false);
        let row = |(name, any): &(&str, Option<u32>)| LedgerFile { name: (*name).to_owned(), any: *any };
        ledger.files = Some(files.iter().map(row).collect());
        assert_eq!(ledger.lines()[0], expect);
    };
    check(
        &[("words.txt", None), ("input.bin", Some(4))],
        "files: `words.txt` (the contents given), `input.bin` (any 4 bytes); other names do not exist",
    );
    check(&[("bit", Some(1))], "files: `bit` (any byte); other names do not exist");
    check(&[], "files: none but those that the program makes (--file NAME=PATH)");
}

#[test]
fn weak_orders() {
    let mut ledger = Ledger::new(Checks::ALL, "always", false);
    ledger.weak_orders = (1..=7).map(|line| SourceSpot { file: "a.c".to_owned(), line, column: 0 }).collect();
    let expect = "memory model: sequentially consistent; not looked at: what only the weaker memory orders allow, at \
                  a.c:1, a.c:2, a.c:3, a.c:4, a.c:5 and 2 more";
    assert_eq!(ledger.lines().pop().as_deref(), Some(expect));
}

#[test]
fn a_full_proof() {
    let expect = "looked for: failed assertions, error calls, lock misuse, data races, deadlocks, \
                  waiting for ever in loops, memory errors, uninitialised reads, arithmetic errors, unsafe calls in signal handlers\nmemory model: sequentially consistent";
    let mut ledger = Ledger::new(Checks::ALL, "always", false);
    assert_eq!(ledger.lines().join("\n"), expect);
    ledger.certificate = Some(CertificateFile { path: "a.cert".to_owned(), lemmas: 1, steps: 20, pairs: 0 });
    let last = "certificate: a.cert (1 lemma, 20 steps); check it with: threadproof certify a.cert";
    assert_eq!(ledger.lines().pop().as_deref(), Some(last));
}
