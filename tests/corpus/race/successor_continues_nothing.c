// A thread that was started after another had ended stores where that one had released something. It is not the same
// thread: the release sequence ends with its store, and who reads it knows nothing of the first. The mistake: the store is
// relaxed.
#include <pthread.h>
#include <stdatomic.h>

#ifdef MISTAKE
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static atomic_int stage;
static int data;

static void *first(void *unused) {
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return unused;
}

static void *second(void *unused) {
    atomic_store_explicit(&stage, 2, PUBLISH);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        data = 2;
    return unused;
}

int main(void) {
    pthread_t r, t;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&t, NULL, first, NULL);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(r, NULL);
    return 0;
}
