// An address that two blocks have had, one after the other: which of them the exchange hands over decides what is freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic shared;
static atomic_int flag;

static void *publish(void *unused) {
    struct node *first = malloc(sizeof *first);
    atomic_exchange(&shared, first);
    struct node *second = malloc(sizeof *second);
    second->value = 1;
    atomic_exchange(&shared, second);
    return unused;
}

int main(void) {
    pthread_t thread;
    atomic_load_explicit(&flag, memory_order_relaxed);
    struct node *old = malloc(sizeof *old);
    free(old);
    pthread_create(&thread, NULL, publish, NULL);
    struct node *mine = malloc(sizeof *mine);
    struct node *taken = atomic_exchange(&shared, mine);
    free(taken);
    return old == taken;
}
