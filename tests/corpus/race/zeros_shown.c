// Memory from calloc is shown to another thread, which reads the zeros in it. That they were written before is known only to
// who acquires the pointer. The mistake: it is relaxed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef MISTAKE
#define SHOW memory_order_relaxed
#else
#define SHOW memory_order_release
#endif

static _Atomic(int *) shown;
static int seen;

static void *maker(void *unused) {
    atomic_store_explicit(&shown, calloc(1, sizeof(int)), SHOW);
    return unused;
}

static void *reader(void *unused) {
    int *p = atomic_load_explicit(&shown, memory_order_acquire);
    if (p)
        seen = *p;
    return unused;
}

int main(void) {
    pthread_t m, r;
    pthread_create(&m, NULL, maker, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(m, NULL);
    pthread_join(r, NULL);
    free(shown);
    return seen;
}
