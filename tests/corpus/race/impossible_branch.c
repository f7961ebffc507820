// The branch without a lock is never taken: the number that would lead there is not among the inputs.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *name) {
    int amount = tp_input_range(name, 0, 9);
    if (amount * amount == 50) {
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
    assert(total <= 18);
    return 0;
}
