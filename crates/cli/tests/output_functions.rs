//! What the models write to the world is written inside output functions, and nowhere else.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tp_machine::{Checks, Choice, Config, End, RandomInputs, RoundRobin, Schedule, ThreadNumber};

const PROGRAM: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <stdarg.h>

int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);

static void with_list(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    va_start(list, format);
    vdprintf(1, format, list);
    va_end(list);
}

int main(void)
{
    char changing[] = "%-08.3f|%5.*e|%%\n";
    int n = 0;
    printf("%d %s %5.2f %#lx %%\n", 1, "two", 3.0, 4ul);
    printf(changing, 1.0, 2, 3.0);
    printf("%.300f\n", 0.1);
    fprintf(stderr, "%c\n", 'x');
    dprintf(1, "%p\n", (void *)0);
    with_list("%i\n", 5);
    __printf_chk(1, "%u\n", 6u);
    __fprintf_chk(stderr, 1, "%u\n", 7u);
    puts("puts");
    fputs("fputs\n", stdout);
    putchar('a');
    putc('b', stdout);
    fputc('\n', stderr);
    fwrite("bytes", 1, 5, stdout);
    write(1, "more", 4);
    errno = EINVAL;
    perror("perror");
    perror(0);
    n = 1;
    STORES
    return n;
}
"#;

/// Remembers whether the last step was taken inside an output function.
struct Watch<'a>(&'a Cell<bool>);

impl Schedule for Watch<'_> {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        RoundRobin.pick(choice)
    }

    fn stepped(&mut self, _thread: ThreadNumber, counts: bool) {
        self.0.set(!counts);
    }
}

/// The status of the program, and all it wrote: inside output functions, and outside.
fn written(name: &str, stores: &str) -> (i32, String, String) {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&source, PROGRAM.replace("STORES", stores)).expect("the program is written");
    let program = load(&source);
    let stop = AtomicBool::new(false);
    let config = Config {
        checks: Checks::ALL,
        max_steps: 1_000_000,
        max_memory: 1 << 20,
        max_depth: 100,
        stop: &stop,
        record_events: false,
        wakers: None,
    };
    let in_output = Cell::new(false);
    let (mut inside, mut outside) = (String::new(), String::new());
    let mut output = |_: u32, bytes: &[u8]| {
        let to = if in_output.get() { &mut inside } else { &mut outside };
        to.push_str(&String::from_utf8_lossy(bytes));
    };
    let mut inputs = RandomInputs::new(1);
    let run = tp_machine::run(&program, &config, &mut Watch(&in_output), &mut inputs, &mut output);
    let End::Exited { status } = run.end else { panic!("{:?}", run.end) };
    (status, inside, outside)
}

fn load(source: &Path) -> tp_ir::Program {
    let options = tp_frontend::FrontendOptions { inputs: vec![source.to_owned()], ..Default::default() };
    match tp_frontend::load(&options) {
        Ok(loaded) => loaded.program,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn everything_is_written_inside_output_functions() {
    let (status, inside, outside) = written("output.c", "");
    assert_eq!((status, outside.as_str()), (1, ""));
    let line = |part: &str| assert!(inside.contains(part), "{part} is missing in\n{inside}");
    line("1 two  3.00 0x4 %\n1.000   |3.00e+00|%\n0.1000000000000000055");
    line("x\n(nil)\n5\n5\n5\n6\n7\nputs\nfputs\nab\nbytesmore");
    line("perror: Invalid argument\nInvalid argument\n");
}

#[test]
fn a_printf_that_stores_is_not_an_output_function() {
    let store = r#"printf("%%%-5s%hhn%d\n", "ab", (signed char *)&n, 3);"#;
    let (status, inside, outside) = written("output_stores.c", store);
    assert_eq!((status, outside.as_str()), (6, "%ab   3\n"));
    assert!(!inside.contains("ab   3"));
    let (status, _, outside) = written("output_stores_on.c", r#"fprintf(stderr, "abc%n", &n);"#);
    assert_eq!((status, outside.as_str()), (3, "abc"));
}
