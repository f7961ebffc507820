// check: --engine explore
// Each thread has a buffer of its own.
#include <pthread.h>
#include <setjmp.h>

static _Thread_local jmp_buf place;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    int again = setjmp(place);
    pthread_mutex_unlock(&lock);
    if (!again) {
        pthread_mutex_lock(&lock);
        longjmp(place, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
