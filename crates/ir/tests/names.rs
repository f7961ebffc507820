//! Offsets described as the source would write them.

use threadproof_ir::{Program, SourceTypeId, describe_offset, parse};

const TYPES: &str = "
program LP64 entry &f
func &f()
type0 = scalar int size 4
type1 = pointer to type2
type2 = record node size 24 { next: type1 at 0, value: type0 at 8, pair: type3 at 12 }
type3 = array 2 of type0 stride 4
type4 = array 10 of type2 stride 24
type5 = record list size 8 { count: type0 at 0, items: type6 at 8 }
type6 = array 0 of type2 stride 24
type7 = record \"\" size 8 { word: type0 at 0, bytes: type8 at 0 }
type8 = array 8 of type9 stride 1
type9 = scalar char size 1
type10 = record outer size 12 { tag: type0 at 0, \"\": type7 at 4 }
type11 = record loop size 8 { inner: type11 at 0 }
type12 = array 3 of type3 stride 8
type13 = array 5 of type0 stride 0
type14 = record mutex size 8 { __count: type0 at 0, __owner: type0 at 4 }
type15 = array 2 of type14 stride 8
";

fn program() -> Program {
    parse(TYPES).unwrap_or_else(|error| panic!("{error}"))
}

fn check(ty: u32, offset: u64, expect: &str) {
    assert_eq!(describe_offset(&program(), SourceTypeId::from_u32(ty), offset), expect);
}

#[test]
fn scalars_and_pointers() {
    check(0, 0, "");
    check(0, 2, "+2");
    check(1, 0, "");
}

#[test]
fn records_and_arrays() {
    check(2, 0, ".next");
    check(2, 8, ".value");
    check(2, 9, ".value+1");
    check(2, 16, ".pair[1]");
    check(2, 20, "+20");
    check(4, 0, "[0].next");
    check(4, 24 * 3 + 8, "[3].value");
    check(4, 24 * 11, "[11].next");
    check(12, 20, "[2][1]");
}

#[test]
fn open_arrays_unions_and_nameless_members() {
    check(5, 8 + 24 + 8, ".items[1].value");
    check(5, 4, "+4");
    check(7, 0, ".word");
    check(7, 5, ".bytes[5]");
    check(10, 4, ".word");
    check(10, 9, ".bytes[5]");
}

#[test]
fn odd_types_end() {
    check(11, 0, &".inner".repeat(64));
    check(13, 8, "+8");
    check(99, 3, "+3");
}

#[test]
fn insides_of_the_library_have_no_name() {
    check(14, 4, "");
    check(15, 12, "[1]");
}
