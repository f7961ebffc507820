// Two threads exchange their values through a slot, or give up: either both have the other's value, or neither.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct offer {
    int value;
    atomic_int answer;
};

static struct offer offers[2] = {{1, 0}, {2, 0}};
static struct offer *_Atomic slot;
static int got[2];

static int exchange(struct offer *mine) {
    struct offer *other = NULL;
    if (atomic_compare_exchange_strong(&slot, &other, mine)) {
        struct offer *expected = mine;
        if (atomic_compare_exchange_strong(&slot, &expected, NULL))
            return 0; // nobody came
        while (!mine->answer) {
        }
        return mine->answer;
    }
    if (other && atomic_compare_exchange_strong(&slot, &other, NULL)) {
        other->answer = mine->value;
        return other->value;
    }
    return 0;
}

static void *meet(void *argument) {
    struct offer *mine = argument;
    got[mine - offers] = exchange(mine);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, meet, &offers[0]);
    pthread_create(&b, NULL, meet, &offers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((got[0] == 2 && got[1] == 1) || (got[0] == 0 && got[1] == 0));
    return 0;
}
