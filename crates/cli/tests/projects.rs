//! Programs as they lie in the projects of users: functions that are not there.

mod common;

use common::{run, scratch_with};
use serde_json::Value;
use std::fs;

/// Uses functions with parameters and results of many types that nobody defines.
const INCOMPLETE: &str = "#include <stdarg.h>
#include <wchar.h>
struct device; struct pair { int a, b; }; struct large { long a[5]; };
typedef struct { int n; } hidden; enum colour { RED };
extern struct device *open_it(const char *name, int (*call)(void *, const char *));
extern int read_it(const struct device *d, hidden *h, unsigned long t, enum colour c);
extern void log_it(const char *format, ...);
extern int log_list(va_list list);
extern struct pair both(struct pair p, struct large l);
extern struct large large(void);
extern double _Complex root(double x);
extern int old();
extern _Bool flag(_Bool b, char **names, int matrix[3][4]);
extern _Noreturn void die(int status);
extern void hook(void);
void (*hooks[])(void) = { hook };
static int list(int n, ...) {
    va_list l; va_start(l, n); int r = log_list(l); va_end(l); return r;
}
int main(void) {
    wchar_t w[4] = { 0 };
    struct pair p = { 1, 2 };
    struct large l = large();
    open_it(\"a\", 0);
    read_it(0, 0, 1, RED);
    read_it(0, 0, 2, RED);
    log_it(\"%d\", 1);
    hooks[0]();
    int sum = list(1, 2) + both(p, l).a + (root(2) != 0) + old(1, 2) + (wcscoll(w, w) != 0);
    if (flag(1, 0, 0))
        die(sum);
    return 0;
}
";

#[test]
fn what_is_missing_is_listed_and_can_be_written() {
    let folder = scratch_with("projects/missing", "app.c", INCOMPLETE);
    let check = run(&folder, &["check", "app.c", "--json", "--write-models", "stubs.c"]);
    assert_eq!(
        (check.status, check.stderr.contains("wrote stubs.c: 12 stubs")),
        (5, true),
        "{}",
        check.stderr
    );
    let json: Value = serde_json::from_str(&check.stdout).expect("one document");
    let missing = json["diagnostic"]["missing"].as_array().expect("a list");
    let row = |i: usize| {
        (missing[i]["function"].as_str(), missing[i]["uses"].as_u64(), missing[i]["line"].as_u64())
    };
    assert_eq!((row(0), row(1)), ((Some("read_it"), Some(2), Some(25)), (Some("both"), Some(1), Some(29))));
    assert_eq!(missing.len(), 12, "{missing:?}");

    let given = ["--models", "stubs.c", "--property", "assert", "--runs", "5"];
    let all = run(&folder, &[&["run", "app.c"], &given[..]].concat());
    assert!(all.stdout.contains("no violation"), "{}{}", all.stdout, all.stderr);
    assert!(!all.stderr.contains("stubs.c"), "{}", all.stderr);
    let stubs = fs::read_to_string(folder.join("stubs.c")).expect("it was written");
    for line in [
        "struct device *open_it(const char *p1, int (*p2)(void *, const char *))",
        "int read_it(const struct device *p1, void *p2, unsigned long p3, unsigned int p4)",
        "void log_it(const char *p1, ...)",
        "_Bool flag(_Bool p1, char **p2, int (*p3)[4])",
        "/* read_it: used 2 times, first at app.c:25.",
        "_Noreturn void die(int p1)",
    ] {
        assert!(stubs.contains(line), "{line} is not in\n{stubs}");
    }
    // What was filled in is not written over; where nothing is missing, nothing is written.
    assert_eq!(run(&folder, &["check", "app.c", "--write-models", "stubs.c"]).status, 1);
    let complete = run(&folder, &["check", "app.c", "--models", "stubs.c", "--write-models", "more.c"]);
    assert!(complete.stderr.contains("nothing to write"), "{}", complete.stderr);
    assert!(!folder.join("more.c").exists());
}
