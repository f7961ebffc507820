//! `check --engine run`: every second run aims at a read that sees a write which no run has shown.

mod common;

use common::{run, scratch_with};
use serde_json::Value;

/// Each of two variables has one value only for a moment, among many steps that do not matter. The first moment has to be met to
/// come near the second; random schedules alone need 1,500 runs.
const TWO_MOMENTS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, second, steps[2];
static void work(int who) {
    for (int i = 0; i < 40; i++)
        steps[who] = i;
}
static void *writer(void *unused) {
    work(0);
    first = 1;
    first = 2;
    work(0);
    second = 1;
    second = 2;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    work(1);
    int one = first;
    work(1);
    int two = second;
    assert(!(one == 1 && two == 1));
    pthread_join(thread, 0);
    return 0;
}
";

#[test]
fn runs_aim_at_reads_that_see_other_writes() {
    let folder = scratch_with("runs/aim", "program.c", TWO_MOMENTS);
    let arguments = ["check", "program.c", "--json", "--engine", "run", "--property", "unreach-call"];
    let json: Value = serde_json::from_str(&run(&folder, &arguments).stdout).expect("one document");
    assert_eq!(json["verdict"], "violated", "{json}");
    let runs = json["statistics"]["runs"].as_u64().expect("it is counted");
    assert!(runs < 300, "{runs} runs");
}
