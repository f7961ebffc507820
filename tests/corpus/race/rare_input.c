// Only one of the inputs leads to the branch without a lock.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *name) {
    int amount = tp_input_range(name, 0, 9);
    if (amount == 7) {
        total = 7;
        return NULL;
    }
    pthread_mutex_lock(&lock);
    total += amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, "left");
    pthread_create(&b, NULL, add, "right");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
