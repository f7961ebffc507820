//! The checker on a small certificate, on everything that can be wrong with it, and on what is no certificate at all.

use threadproof_certify::{CertificateError, CertificateSummary, Counts, OrderSummary, PartSummary, check};

/// Message passing. One thread writes `x` (node 1) and then a flag (2), the other reads the flag (3) and then `x` (4);
/// both are initialised by node 0. Literals: the flag is seen set (1) or not (2), `x` is seen new (3) or old (4), the
/// writes happen (5), and the goal (9) is that the flag is set and `x` is old.
const RIGHT: &str = "threadproof certificate 2
about program message.c
verdict safe
part order no assertion fails
goal 9 assertion failed at message.c:7:5
thread 0
thread 1 2
thread 3 4
before 0 1
before 0 3
read 1 3
candidate 2 1 5
candidate 0 2 -
read 2 4
candidate 1 3 5
candidate 0 4 -
clause 1 -9 1
clause 2 -9 4
clause 3 5
order 10 2 4
lemma 4 -1 -4 -5
sees 1 1
later 2 2 1 : 0 1
cycle 1 2 3 4 1
lemma 5 -1 10
sees 1 1
ordered -10
cycle 2 3 4 2
step 6 -9 : 1 2 3 4
step 7 : 0 6
end
complete
";

/// `expect`: the message, from the line number on.
#[track_caller]
fn rejected(bytes: &[u8], expect: &str) {
    let text = String::from_utf8_lossy(bytes);
    match check(bytes) {
        Err(CertificateError::Rejected(rejected)) => assert_eq!(rejected.to_string(), expect, "\n{text}"),
        other => panic!("not rejected: {other:?}\n{text}"),
    }
}

/// The right certificate with one change.
#[track_caller]
fn changed(from: &str, to: &str, expect: &str) {
    assert_eq!(RIGHT.matches(from).count(), 1, "`{from}` has to be there once");
    rejected(RIGHT.replace(from, to).as_bytes(), expect);
}

#[test]
fn a_right_one() {
    let summary = check(RIGHT.as_bytes()).expect("it is right");
    let expect = CertificateSummary {
        verdict: "safe".to_owned(),
        about: vec![("program".to_owned(), "message.c".to_owned())],
        parts: vec![PartSummary {
            shows: "no assertion fails".to_owned(),
            counts: Counts::Order(OrderSummary {
                goals: vec!["assertion failed at message.c:7:5".to_owned()],
                clauses: 3,
                threads: 3,
                nodes: 5,
                reads: 2,
                orders: 1,
                lemmas: 2,
                steps: 2,
            }),
        }],
    };
    assert_eq!(summary, expect);
}

#[test]
fn nothing_to_show() {
    let text = "threadproof certificate 2\nverdict safe\npart order nothing\nend\ncomplete\n";
    let summary = check(text.as_bytes()).expect("it is right");
    assert_eq!(summary.parts[0].counts, Counts::Order(OrderSummary::default()));
}

/// Parts are proved one by one: what one has derived is not available to the next, and each has to be proved.
#[test]
fn several_parts() {
    let (head, part) = RIGHT.trim_end_matches("complete\n").split_once("part ").expect("it has a part");
    let twice = format!("{head}part {part}part {part}complete\n");
    let summary = check(twice.as_bytes()).expect("both are right");
    assert_eq!(summary.parts.len(), 2);
    let again = "part order once more\ngoal 9 the same\nend\ncomplete\n";
    let text = format!("{head}part {part}{again}");
    rejected(text.as_bytes(), "line 34: everything holds, but a goal may still be reached");
    let other = format!("{head}part {part}part races nothing races\nend\ncomplete\n");
    let summary = check(other.as_bytes()).expect("without accesses nothing races");
    assert!(matches!(summary.parts[1].counts, Counts::Races(_)));
    let between = format!("{head}part {part}goal 9 the same\ncomplete\n");
    rejected(between.as_bytes(), "line 32: no line begins with `goal`");
    changed("part order", "part other", "line 4: no part is of the kind `other`");
    changed("part order no assertion fails", "part", "line 4: the kind of the part is missing");
    let none = format!("{head}complete\n");
    rejected(none.as_bytes(), "line 4: a part is missing");
}

#[test]
fn lemmas_that_do_not_hold() {
    // Without the literal, the lemma does not assume that the read sees the write, or that the write happens.
    changed(
        "lemma 4 -1 -4 -5",
        "lemma 4 -4 -5",
        "line 22: lemma 4 does not hold: it does not say that 1 is true",
    );
    changed(
        "lemma 4 -1 -4 -5",
        "lemma 4 -1 -5",
        "line 23: lemma 4 does not hold: it does not say that 4 is true",
    );
    changed(
        "lemma 4 -1 -4 -5",
        "lemma 4 -1 -4",
        "line 23: lemma 4 does not hold: it does not say that 5 is true",
    );
    changed(
        "lemma 4 -1 -4 -5",
        "lemma 4 1 -4 -5",
        "line 22: lemma 4 does not hold: it does not say that 1 is true",
    );
    changed("ordered -10", "ordered 10", "line 27: lemma 5 does not hold: it does not say that 10 is true");
    changed(
        "lemma 5 -1 10",
        "lemma 5 -1 11",
        "line 27: lemma 5 does not hold: it does not say that -10 is true",
    );
    changed("ordered -10", "ordered 1", "line 27: lemma 5 does not hold: 1 is the order of no two nodes");
}

#[test]
fn cycles_that_are_none() {
    let not = |a: u32, b: u32| {
        format!("line 24: lemma 4 does not hold: node {a} was not shown to be before node {b}")
    };
    changed("cycle 1 2 3 4 1", "cycle 1 3 4 1", &not(1, 3));
    changed("cycle 1 2 3 4 1", "cycle 1 2 4 1", &not(2, 4));
    changed("cycle 1 2 3 4 1", "cycle 2 1 2", &not(2, 1));
    changed("cycle 1 2 3 4 1", "cycle 1 1", &not(1, 1));
    let no_cycle = "line 24: lemma 4 does not hold: a cycle is missing";
    changed("cycle 1 2 3 4 1", "cycle 1", no_cycle);
    changed("cycle 1 2 3 4 1", "cycle", no_cycle);
    let open = "line 24: lemma 4 does not hold: the path from node 1 ends at node 4 and is no cycle";
    changed("cycle 1 2 3 4 1", "cycle 1 2 3 4", open);
    changed("cycle 1 2 3 4 1\n", "", "line 24: lemma 4 does not hold: no cycle is shown");
    // What one lemma derives is not available to the next.
    changed(
        "lemma 5 -1 10\nsees 1 1\n",
        "lemma 5 -1 10\n",
        "line 27: lemma 5 does not hold: node 2 was not shown to be before node 3",
    );
}

#[test]
fn orders_that_do_not_follow() {
    let lemma = |why: &str| format!("line 23: lemma 4 does not hold: {why}");
    let later = "later 2 2 1 : 0 1";
    changed(later, "later 2 2 1 : 0 3", &lemma("the path ends at node 3, not at 1"));
    changed(later, "later 2 2 1 : 3 1", &lemma("the path begins at node 3, not at 0"));
    changed(later, "later 2 2 1 : 0 2 1", &lemma("node 0 was not shown to be before node 2"));
    changed(later, "later 2 2 1 :", &lemma("a path is missing"));
    changed(later, "earlier 2 2 1 : 1 4", &lemma("node 1 was not shown to be before node 4"));
    changed(later, "later 2 1 2 : 1 0", &lemma("it does not say that 3 is true"));
    changed(later, "later 2 2 2 : 0 0", &lemma("both candidates are on node 0"));
    changed(later, "later 2 2 3 : 0 1", &lemma("read 2 has no candidate 3"));
    changed(later, "later 2 2 0 : 0 1", &lemma("read 2 has no candidate 0"));
    changed(later, "later 3 2 1 : 0 1", &lemma("there is no read 3"));
    changed(later, "later 2 2 1 0 1", &lemma("`:` is missing"));
    changed(
        "candidate 0 4 -",
        "candidate 0 - -",
        "line 23: lemma 4 does not hold: read 2 never sees candidate 2",
    );
    // A write on the node of a read comes after the read.
    changed(
        "candidate 2 1 5",
        "candidate 3 1 5",
        "line 22: lemma 4 does not hold: candidate 1 is on the node of read 1",
    );
    let own = "line 23: lemma 4 does not hold: candidate 1 is on the node of read 2";
    changed("candidate 1 3 5", "candidate 4 3 5", own);
}

#[test]
fn steps_that_do_not_follow() {
    let nothing = |line: u32, step: u32, hint: u32| {
        format!("line {line}: step {step} does not hold: its hint {hint} forces nothing")
    };
    let open = |line: u32, step: u32| {
        format!("line {line}: step {step} does not hold: its hints lead to no contradiction")
    };
    changed(": 1 2 3 4", ": 3 4", &nothing(29, 6, 4));
    changed(": 1 2 3 4", ": 4 1 2 3", &nothing(29, 6, 4));
    changed(": 1 2 3 4", ": 1 2 3", &open(29, 6));
    changed(": 1 2 3 4", ": 2 3 4", &open(29, 6));
    changed("step 6 -9 :", "step 6 :", &nothing(29, 6, 1));
    changed("step 6 -9 :", "step 6 9 :", &nothing(29, 6, 1));
    changed("step 7 : 0 6", "step 7 : 6", &open(30, 7));
    changed("goal 9", "goal 8", &open(30, 7));
    changed(": 1 2 3 4", ": 1 2 3 6", "line 29: there is no clause 6 before this line");
    let far = "line 29: there is no clause 99999999999999999 before this line";
    changed(": 1 2 3 4", ": 1 2 3 99999999999999999", far);
    changed("step 7 : 0 6\n", "", "line 30: everything holds, but a goal may still be reached");
}

#[test]
fn clauses_that_are_missing() {
    changed("clause 2 -9 4\n", "", "line 18: number 3 where 2 comes next");
    changed("clause 3 5\n", "", "line 20: number 4 where 3 comes next");
    changed(
        "clause 2 -9 4",
        "clause 2 -9 -4",
        "line 29: step 6 does not hold: its hints lead to no contradiction",
    );
    changed("read 2 4\n", "", "line 22: lemma 4 does not hold: there is no read 2");
}

#[test]
fn the_program_and_names_for_orders() {
    changed("thread 3 4", "thread 3 4 1", "line 8: node 1 is in a thread already");
    changed("before 0 3", "before 0 7", "line 10: node 7 is in no thread");
    changed("read 2 4", "read 2 7", "line 14: node 7 is in no thread");
    changed("candidate 1 3 5", "candidate 7 3 5", "line 15: node 7 is in no thread");
    changed("read 1 3\n", "", "line 11: there is no read 1");
    // A name that the program already has would be a claim about it.
    changed("order 10 2 4", "order 4 2 4", "line 20: 4 has a meaning already");
    changed("order 10 2 4", "order -9 2 4", "line 20: -9 has a meaning already");
    changed("order 10 2 4", "order 10 2 4\norder -10 4 2", "line 21: -10 has a meaning already");
    changed("order 10 2 4", "order 10 4 4", "line 20: node 4 cannot be before itself");
    changed("order 10 2 4", "order 10 2 7", "line 20: node 7 is in no thread");
    changed("order 10 2 4", "order 10 2 4\nclause 4 10", "line 21: a line `clause` cannot stand here");
    changed("clause 3 5", "clause 3 5\ngoal 3 another", "line 20: a line `goal` cannot stand here");
}

#[test]
fn lines_that_are_none() {
    changed("clause 3 5", "clause 3 0", "line 19: `0` is no number that can stand here");
    changed("clause 3 5", "clause 3 99999999999", "line 19: `99999999999` is no number that can stand here");
    changed("clause 3 5", "clause 3 -2147483648", "line 19: `-2147483648` is no number that can stand here");
    changed("clause 3 5", "clause 3 x", "line 19: `x` is no number that can stand here");
    changed("clause 3 5", "clause", "line 19: its number is missing");
    changed("thread 1 2", "thread 1 -2", "line 7: `-2` is no number that can stand here");
    changed("before 0 1", "before 0", "line 9: a second node is missing");
    changed("before 0 1", "before 0 1 3", "line 9: nothing is expected at `3`");
    changed("clause 3 5", "klause 3 5", "line 19: no line begins with `klause`");
    changed("clause 3 5", "cycle 3 5", "line 19: this is a part of a lemma, and there is no lemma before it");
    changed("verdict safe\n", "", "line 3: a line `verdict` is missing");
    changed("certificate 2", "certificate 1", "line 1: version `1` of certificates is not known here");
    changed("end\n", "end\nend\n", "line 32: a line `end` cannot stand here");
    changed("end\n", "", "line 31: no line begins with `complete`");
    changed("complete\n", "", "line 31: the file ends too early");
    changed("complete\n", "complete\ncomplete\n", "line 33: a line `complete` cannot stand here");
}

#[test]
fn what_is_cut_off_is_noticed() {
    let end = RIGHT.trim_end().len();
    for length in 0..end {
        match check(&RIGHT.as_bytes()[..length]) {
            Err(CertificateError::NotACertificate) => assert!(length < "threadproof certificate".len()),
            Err(CertificateError::Rejected(_)) => {}
            other => panic!("after {length} bytes: {other:?}"),
        }
    }
}

#[test]
fn what_is_no_certificate() {
    for bytes in [&b""[..], b"\n", b"#include <assert.h>\n", b"\xff\xfe\x00", b"threadproof witness 1\n"] {
        assert!(matches!(check(bytes), Err(CertificateError::NotACertificate)), "{bytes:?}");
    }
    rejected(b"threadproof certificate 2\nabout \xff\n", "line 2: this is no text");
}
