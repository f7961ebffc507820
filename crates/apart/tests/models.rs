//! Whose declarations of what a function does to locks are trusted.

use std::sync::atomic::AtomicBool;
use tp_frontend::{FrontendOptions, load};

const LOCKED: &str = "
#include <pthread.h>
void acquire(pthread_mutex_t *), release(pthread_mutex_t *);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *thread(void *p) { acquire(&m); x++; release(&m); return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    thread(0);
    return 0;
}";

/// A model that the user adds is code like any other, whatever it declares.
#[test]
fn models_of_the_user_are_not_believed() {
    let attributes = "#include <tp.h>\nTP_DOES(\"lock 0 exclusive mutex\") void acquire(void *);\n\
                      TP_DOES(\"unlock 0 mutex\") void release(void *);\n";
    let idle = "void acquire(void *m) { }\nvoid release(void *m) { }\n";
    let real = "int pthread_mutex_lock(void *), pthread_mutex_unlock(void *);\n\
                void acquire(void *m) { pthread_mutex_lock(m); }\nvoid release(void *m) { pthread_mutex_unlock(m); }\n";
    for (code, races) in [(idle, true), (real, false)] {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let write = |name: &str, text: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("the temporary folder can be written");
            path
        };
        let inputs = vec![write("main.c", LOCKED.to_owned())];
        let models = vec![write("models.c", format!("{attributes}{code}"))];
        let program = load(&FrontendOptions { inputs, models, ..FrontendOptions::default() })
            .expect("it compiles")
            .program;
        assert!(program.functions.values().any(|f| f.effects.len() == 1 && !f.embedded));
        let open = threadproof_apart::may_race(&program, &AtomicBool::new(false)).expect("it is small");
        assert_eq!(!open.pairs.is_empty(), races, "{code}");
    }
}
