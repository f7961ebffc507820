// check: --property race
// A lock for each slot of a table; whoever touches a slot has its lock.
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int amount;
} slots[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void *move(void *unused) {
    pthread_mutex_lock(&slots[0].lock);
    slots[0].amount -= 1;
    pthread_mutex_unlock(&slots[0].lock);
    pthread_mutex_lock(&slots[1].lock);
    slots[1].amount += 1;
    pthread_mutex_unlock(&slots[1].lock);
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
