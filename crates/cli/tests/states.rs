//! `check --engine states`: threads that nothing tells apart take their first steps in the order of their starts.

mod common;

use common::{run, scratch_with};
use serde_json::Value;

/// Threads that add one to a counter: in one critical section, or in two.
fn program(threads: usize, at_end: &str) -> String {
    format!(
        "#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *unused) {{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}}
static void *twice(void *unused) {{
    pthread_mutex_lock(&lock);
    int seen = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    x = seen + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}}
int main(void) {{
    pthread_t threads[{threads}];
    for (int i = 0; i < {threads}; i++)
        pthread_create(&threads[i], 0, WORK, 0);
    {at_end}
    return 0;
}}
"
    )
}

fn check(test: &str, source: &str, work: &str) -> Value {
    let folder = scratch_with(&format!("states/{test}"), "program.c", source);
    let define = format!("-DWORK={work}");
    let arguments = ["check", "program.c", "--json", "--stats", "--engine", "states", &define];
    serde_json::from_str(&run(&folder, &arguments).stdout).expect("one document")
}

const JOIN_ALL: &str = "for (int i = 0; i < N; i++) pthread_join(threads[i], 0); assert(x == N);";

#[test]
fn sixteen_threads_have_few_states() {
    let source = program(16, &JOIN_ALL.replace('N', "16"));
    let json = check("sixteen", &source, "add");
    assert_eq!(json["verdict"], "safe", "{json}");
    let states = json["statistics"]["states"].as_u64().expect("it is counted");
    assert!(states < 2000, "{states} states");
}

#[test]
fn an_update_is_lost_in_some_order() {
    for lost in [2, 3] {
        let at_end = JOIN_ALL.replace('N', "4").replace("x == 4", &format!("x != {lost}"));
        assert_eq!(check("lost", &program(4, &at_end), "twice")["verdict"], "violated", "x can be {lost}");
    }
    let at_end = JOIN_ALL.replace('N', "4").replace("x == 4", "x > 0");
    assert_eq!(check("lost", &program(4, &at_end), "twice")["verdict"], "safe");
}

/// Main tells the threads apart: the one that it joins first need not be the first to take a step.
#[test]
fn a_thread_that_is_joined_alone_is_told_apart() {
    let at_end = "pthread_join(threads[0], 0);
    pthread_mutex_lock(&lock);
    assert(x != 2);
    pthread_mutex_unlock(&lock);
    pthread_join(threads[1], 0);";
    assert_eq!(check("alone", &program(2, at_end), "add")["verdict"], "violated");
}
