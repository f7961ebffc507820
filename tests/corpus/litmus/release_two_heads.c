// A release sequence goes on with stores of the thread that began it and with read-modify-writes. The left thread's second
// store goes on with its own sequence and ends that of the right one: who reads it knows nothing of what the right thread
// did. The mistake: to rely on it all the same. Right is to acquire what the right thread has published.
#include <pthread.h>
#include <stdatomic.h>

#ifdef MISTAKE
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

static atomic_int stage;
static int data;

static void *right(void *unused) {
    data = 1;
    atomic_fetch_add_explicit(&stage, 1, memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&stage, memory_order_acquire) == 3)
        data = 2;
    return unused;
}

int main(void) {
    pthread_t r, s;
    atomic_store_explicit(&stage, 1, memory_order_release);
    pthread_create(&r, NULL, right, NULL);
    pthread_create(&s, NULL, reader, NULL);
    if (atomic_load_explicit(&stage, LOOK) == 2)
        atomic_store_explicit(&stage, 3, memory_order_release);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}
