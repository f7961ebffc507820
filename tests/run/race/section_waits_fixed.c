// run: --runs 50 --seed 1
// The section writes first and waits afterwards, but it is one step: who sees what it wrote comes after what it waited for.
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int message, sent, passed_on;

void *first(void *arg) {
    message = 42;
    __VERIFIER_atomic_begin();
    sent = 1;
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    __VERIFIER_atomic_begin();
    passed_on = 1;
    __VERIFIER_assume(sent == 1);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    __VERIFIER_atomic_begin();
    int is_there = passed_on;
    __VERIFIER_atomic_end();
    return is_there ? message : 0;
}
