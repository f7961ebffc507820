// check: --engine explore
// An error leaves the critical section by a jump, after the lock was released.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests;

static void handle(jmp_buf on_error, int request) {
    pthread_mutex_lock(&lock);
    requests++;
    pthread_mutex_unlock(&lock);
    if (request == 13)
        longjmp(on_error, 1);
}

static void *worker(void *request) {
    jmp_buf on_error;
    if (setjmp(on_error) == 0)
        handle(on_error, *(int *)request);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int kinds[2] = {7, 13};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &kinds[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
