//! Certificates about races, points-to sets: each statement with sets that are closed under it, and with sets that are
//! not.

use threadproof_certify::{CertificateError, check_races};

/// Objects 0 and 1 are variables, 2 is a constant, 3 and 4 are functions, 5 is memory from outside.
const OBJECTS: &str = "\
thread -
point 0 0
object variable 8
object variable 4
object constant 1
object function 1
object function 1
object outside 1
";

/// Sets: 1 to 5 are object 0 at 0, object 0 at 8, object 1 at 0, any place of object 0, and part of an address of it.
const SETS: &str = "set whole 0 0 0
set whole 0 8 0
set whole 1 0 0
set whole 0 0 1
set part 0 0 1
set whole 0 0 8
set whole 3 0 0
set whole 4 0 0
set whole 5 0 1
set whole 0 0 0 1 0 0
set whole 2 4 0
set part 0 0 1 1 0 1
escaped 0 1 5
entry 0 0
";

/// `facts`: lines `register` and `cell`, separated by commas.
#[track_caller]
fn check(facts: &str, statement: &str, expect: &str) {
    let facts: String =
        facts.split(',').filter(|f| !f.is_empty()).map(|f| format!("{}\n", f.trim())).collect();
    let (sets, rest) = SETS.split_at(SETS.find("escaped").unwrap_or(0));
    let text = format!("{OBJECTS}{sets}{facts}{rest}{statement}\nend\n");
    let found = match check_races(text.as_bytes()) {
        Ok(_) => "accepted".to_owned(),
        Err(CertificateError::Rejected(rejected)) => rejected.why.to_string(),
        Err(other) => other.to_string(),
    };
    assert!(found.contains(expect), "{expect}: {found}\n{text}");
}

const OTHER: &str = "a value has another address";
const PART: &str = "a part of an address is used as an address";

#[test]
fn values_that_are_copied() {
    check("register 1 1", "copy 1 &0+0", "accepted");
    check("register 1 10", "copy 1 &0+0", "accepted");
    check("register 1 4", "copy 1 &0+0", "accepted");
    check("", "copy 1 &0+0", OTHER);
    check("register 1 2", "copy 1 &0+0", OTHER);
    check("register 1 3", "copy 1 &0+0", OTHER);
    check("register 1 1", "copy 1 &0", OTHER);
    check("register 1 4, register 2 5", "copy 1 2", OTHER);
    check("", "copy 1 -", "accepted");
}

#[test]
fn values_that_are_moved() {
    check("register 1 2, register 2 1", "move 1 2 8", "accepted");
    check("register 1 2, register 2 1", "move 1 2 4", OTHER);
    check("register 1 6, register 2 1", "move 1 2 -", OTHER);
    check("register 1 4, register 2 1", "move 1 2 -", "accepted");
    check("register 1 6, register 2 1", "index 1 2 8", "accepted");
    check("register 1 6, register 2 1", "index 1 2 16", "accepted");
    check("register 1 6, register 2 1", "index 1 2 4", OTHER);
    check("register 1 1, register 2 1", "index 1 2 8", OTHER);
}

#[test]
fn parts_of_addresses() {
    check("register 1 5, register 2 1", "part 1 2", "accepted");
    check("register 1 4, register 2 1", "part 1 2", OTHER);
    check("", "part 1 2", "accepted");
    // Bits that the alignment leaves free.
    check("register 2 1", "mask 1 2 7", "accepted");
    check("register 2 1", "mask 1 2 8", OTHER);
    check("register 2 5", "mask 1 2 7", OTHER);
    check("register 2 10", "mask 1 2 4", OTHER);
    check("register 1 4, register 2 1", "mask 1 2 -8", "accepted");
    check("register 1 4, register 2 1", "mask 1 2 -16", OTHER);
    check("register 1 5, register 2 1", "mask 1 2 -16", "accepted");
    check("register 1 4, register 2 1", "tag 1 2 1", "accepted");
    check("register 1 4, register 2 1", "tag 1 2 8", OTHER);
    check("register 1 4, register 2 1", "tag 1 2 -1", OTHER);
    check("", "tag 1 &0+0 1", OTHER);
    // The distance of two places in one variable is a number.
    check("register 2 1, register 3 2", "subtract 1 2 3", "accepted");
    check("register 2 1, register 3 3", "subtract 1 2 3", OTHER);
    check("register 1 12, register 2 1, register 3 3", "subtract 1 2 3", "accepted");
    check("register 2 1, register 3 5", "subtract 1 2 3", OTHER);
    check("", "subtract 1 &5+0 &5+4", OTHER);
}

#[test]
fn what_addresses_decide() {
    const DECIDES: &str = "an address decides something";
    const TELLS: &str = "a comparison tells of an address";
    check("", "number 1 -", "accepted");
    check("register 1 1", "number 1", DECIDES);
    check("register 1 1", "number 2 1", DECIDES);
    check("register 1 1", "whole 1", "accepted");
    check("register 1 5", "whole 2 1", PART);
    check("register 1 1, register 2 3", "equal 1 2", "accepted");
    check("register 1 4, register 2 3", "equal 1 2", TELLS);
    check("register 1 4, register 2 10", "equal 1 2", "accepted");
    check("register 1 5", "equal 1 2", TELLS);
    check("register 1 4", "equal 1 2", "accepted");
    check("register 1 4, register 2 2", "order 1 2", "accepted");
    check("register 1 1, register 2 3", "order 1 2", TELLS);
    check("register 1 5, register 2 1", "order 1 2", TELLS);
    check("register 1 5", "order 1 2", TELLS);
    check("register 1 1, register 2 3", "pair 1 2", "accepted");
    check("register 1 1", "pair 1 2", "a number is compared with an address");
}

#[test]
fn what_is_read_and_written() {
    const HOLDS: &str = "memory holds another address";
    const STORED: &str = "another address is stored";
    check("register 1 3, cell 0 0 0 8 3", "load 1 &0+0 8", "accepted");
    check("cell 0 0 0 8 3", "load 1 &0+0 8", HOLDS);
    check("cell 0 0 0 8 3", "load 1 &0+8 8", "accepted");
    check("register 1 3, cell 0 0 0 8 3", "load 1 &0+4 8", HOLDS);
    check("register 1 3, cell 0 0 0 8 3", "load 1 &0+0 4", HOLDS);
    check("register 1 12, cell 0 0 0 8 3", "load 1 &0+0 4", "accepted");
    check("register 1 3, register 2 5, cell 0 0 0 8 3", "load 1 2 8", PART);
    check("register 2 4, cell 0 0 0 8 3", "load 1 2 8", HOLDS);
    check("cell 0 16 32 8 3", "load 1 &0+48 8", HOLDS);
    check("cell 0 16 32 8 3", "load 1 &0+32 8", "accepted");
    check("cell 0 0 0 8 3", "store &0+0 8 &1+0", "accepted");
    check("cell 0 0 0 4 3", "store &0+0 8 &1+0", STORED);
    check("cell 0 0 0 8 1", "store &0+0 8 &1+0", STORED);
    check("cell 0 8 0 8 3", "store &0+0 8 &1+0", STORED);
    check("cell 1 0 0 8 3", "store &0+0 8 &1+0", STORED);
    check("", "store &0+0 8 &1+0", STORED);
    check("", "store &0+0 8 -", "accepted");
    check("register 1 10, cell 0 0 0 8 3", "store 1 8 &1+0", STORED);
    check("register 1 10, cell 0 0 0 8 3, cell 1 0 0 8 3", "store 1 8 &1+0", "accepted");
    check("register 1 5, cell 0 0 1 8 3", "store 1 8 &1+0", PART);
    check("cell 0 0 0 8 12", "store-part &0+0 8 &1+0", "accepted");
    check("cell 0 0 0 8 3", "store-part &0+0 8 &1+0", STORED);
    check("cell 0 0 1 1 12", "fill &0+0 &1+0", "accepted");
    check("cell 0 0 0 1 12", "fill &0+0 &1+0", STORED);
}

#[test]
fn memory_that_is_copied() {
    const COPIED: &str = "another address is copied";
    check("cell 0 8 0 8 3, cell 1 24 0 8 3", "transfer &1+16 &0+0 16", "accepted");
    check("cell 0 8 0 8 3, cell 1 16 0 8 3", "transfer &1+16 &0+0 16", COPIED);
    check("cell 0 8 0 8 3", "transfer &1+16 &0+0 16", COPIED);
    check("cell 0 8 0 8 3", "transfer &1+16 &0+0 8", "accepted");
    check("cell 0 8 0 8 3, cell 1 8 0 8 3", "transfer &1+0 &0+0 -", "accepted");
    check("cell 0 8 0 8 3, cell 1 24 0 8 3", "transfer &1+16 &0+0 -", COPIED);
    check("cell 0 8 0 8 3, cell 1 0 1 8 3", "transfer &1+16 &0+0 -", "accepted");
    check("cell 0 8 0 8 3, cell 1 24 0 4 3", "transfer &1+16 &0+0 16", COPIED);
    check("cell 0 8 0 8 3, cell 1 24 0 8 1", "transfer &1+16 &0+0 16", COPIED);
    check("register 1 5", "transfer &1+0 1 8", PART);
    check("register 1 5", "transfer 1 &1+0 8", PART);
}

#[test]
fn what_is_called() {
    const CALLED: &str = "another function is called";
    check("register 1 7", "calls 1 3", "accepted");
    check("register 1 7", "calls 1 3 4", "accepted");
    check("register 1 8", "calls 1 3", CALLED);
    check("register 1 7", "calls 1", CALLED);
    check("register 1 9", "calls 1 3 4 5", CALLED);
    check("register 1 11", "formats 1 2 4", "accepted");
    check("register 1 11", "formats 1 2 0", "another format is used");
    check("register 1 4", "formats 1 0 0", "another format is used");
}

/// A set that came after its first use would invalidate the checks before it.
#[test]
fn sets_come_first() {
    for late in ["register 1 1", "cell 0 0 0 8 3", "set whole 0 0 0"] {
        check("", &format!("number 1\n{late}"), "cannot stand here");
    }
}
