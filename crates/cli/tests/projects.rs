//! Programs as they lie in the projects of users: functions that are not there, flags of compilers, a harness beside a
//! compilation database.

mod common;

use common::{run, scratch, scratch_with};
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

    // Also with the warnings that a project may ask for.
    let given = ["--models", "stubs.c", "-Wall", "-Wextra", "--property", "assert", "--runs", "5"];
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

#[test]
fn flags_of_a_makefile_can_be_pasted() {
    let source =
        "#ifndef GIVEN\n#error not given\n#endif\nint main(void) { return sizeof(long) == SIZE ? 0 : 1; }\n";
    let folder = scratch_with("projects/flags", "app.c", source);
    let line = "check app.c -pthread -O3 -Os -Wall -Wextra -Werror -g -ggdb3 -std=gnu11 -fPIC -march=native -mtune=generic \
        -fcommon -fstack-protector-strong -flto -D GIVEN -DSIZE=8 -I. -Iinclude -L. -L lib -lm -lpthread -l z -Wl,-O1 \
        -Wl,--as-needed -pipe -c -o app -MD -MF app.d -include given.h -U UNUSED -fsanitize=thread -rdynamic -static";
    fs::write(folder.join("given.h"), "").expect("the folder is writable");
    let words: Vec<&str> = line.split_whitespace().collect();
    let check = run(&folder, &words);
    assert_eq!((check.status, check.stderr.as_str()), (0, ""), "{}", check.stdout);
    let small = run(&folder, &["run", "app.c", "-m32", "-DGIVEN", "-DSIZE=4", "--runs", "1"]);
    assert!(small.stdout.contains("no violation"), "{}{}", small.stdout, small.stderr);
    // What is no flag of a compiler is still a mistake.
    assert_eq!(run(&folder, &["check", "app.c", "-json"]).status, 1);
}

#[test]
fn tentative_definitions() {
    let folder = scratch("projects/common");
    fs::write(folder.join("a.h"), "int shared; int f(void);\n").expect("the folder is writable");
    fs::write(folder.join("a.c"), "#include \"a.h\"\nint main(void) { shared = 3; return f() - 3; }\n")
        .expect("the same");
    fs::write(folder.join("b.c"), "#include \"a.h\"\nint f(void) { return shared; }\n").expect("the same");
    let apart = run(&folder, &["check", "a.c", "b.c"]);
    let expect = "error: `shared` is defined twice: in a.c and in b.c; `-fcommon` makes one variable of definitions without a value";
    assert_eq!((apart.status, apart.stderr.trim_end()), (2, expect));
    let one = run(&folder, &["run", "a.c", "b.c", "-fcommon", "--runs", "1", "--json"]);
    assert!(one.stdout.contains("\"exit_status\": 0"), "{}{}", one.stdout, one.stderr);
}

/// A harness that the project does not know is compiled like the source beside it, from the folder of the project.
#[test]
fn harness_beside_a_compilation_database() {
    let folder = scratch("projects/harness");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    };
    write("project/include/queue.h", "int put(int);\n");
    write("project/src/queue.c", "#include <queue.h>\nint put(int n) { return n < LIMIT; }\n");
    write("project/src/app.c", "int main(void) { return 1; }\n");
    write(
        "test/harness.c",
        "#include <assert.h>\n#include <queue.h>\nint main(void) { assert(put(LIMIT - 1)); }\n",
    );
    let database = r#"[
        {"directory": "DIR", "file": "src/queue.c", "command": "cc -Iinclude -DLIMIT=8 -O2 -c src/queue.c"},
        {"directory": "DIR", "file": "src/app.c", "command": "cc -Iinclude -DLIMIT=9 -c src/app.c"}]"#;
    let project = folder.join("project");
    write("project/compile_commands.json", &database.replace("DIR", &project.to_string_lossy()));
    let database = "project/compile_commands.json";
    let check =
        run(&folder, &["check", "test/harness.c", "project/src/queue.c", "--compile-commands", database]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    let missing = run(&folder, &["check", "test/harness.c", "--compile-commands", database]);
    assert!(missing.stdout.contains("test/harness.c:3"), "{}{}", missing.stdout, missing.stderr);
}
