// check: --property race
// Both links of the chain synchronise.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&first, 1, memory_order_release);
    return unused;
}

static void *between(void *unused)
{
    if (atomic_load_explicit(&first, memory_order_acquire))
        atomic_store_explicit(&second, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, between, 0);
    return atomic_load_explicit(&second, memory_order_acquire) ? data : 0;
}
