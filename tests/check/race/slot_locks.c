// check: --property race
// A lock for each slot of a table; the move takes that of the slot it comes from only.
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int amount;
} slots[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void *move(void *unused) {
    pthread_mutex_lock(&slots[0].lock);
    slots[0].amount -= 1;
    slots[1].amount += 1; //~ error[race]
    pthread_mutex_unlock(&slots[0].lock);
    return unused;
}

static void *count(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&slots[i].lock);
        (void)slots[i].amount;
        pthread_mutex_unlock(&slots[i].lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, move, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
