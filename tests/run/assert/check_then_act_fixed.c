// run: --runs 200 --seed 1 --scheduler pct:3
// Under the PCT scheduler: the same protocol with the check and the use in one critical section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open = 1, used_after_close;

static int is_open(void) {
    pthread_mutex_lock(&lock);
    int result = open;
    pthread_mutex_unlock(&lock);
    return result;
}

static void *use(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (open)
        used_after_close = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *close(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    open = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, close, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!is_open());
    assert(!used_after_close);
    return 0;
}
