// A little of everything that the front end imports; `cargo xtask robust` changes its bitcode and its program.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct pair {
    int key : 5;
    double value;
    struct pair *next;
};

static atomic_int turns;
static int shared[4] = {1, 2, 3, 4};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local long mine = 7;

static int choose(int n) {
    switch (n) {
    case 0: return 10;
    case 1: return shared[1];
    case 77: return -1;
    default: return n > 5 ? n % 3 : n << 2;
    }
}

static void *worker(void *argument) {
    struct pair *p = malloc(sizeof *p), copy;
    if (!p) return NULL;
    *p = (struct pair){.key = (int)(long)argument, .value = 0.5, .next = NULL};
    memcpy(&copy, p, sizeof copy);
    int old = atomic_fetch_add(&turns, 1), wanted = old + 1;
    atomic_compare_exchange_strong(&turns, &wanted, 9);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 4; i++) shared[i] += choose(copy.key + i) + (int)(copy.value * mine);
    pthread_mutex_unlock(&lock);
    free(p);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int (*f)(int) = choose;
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return f(__VERIFIER_nondet_int() & 3) == 100;
}
