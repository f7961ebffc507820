// check:
// A request to end orders nothing: the handler reads what main may be writing.
#include <pthread.h>
#include <semaphore.h>

static sem_t none;
static int reason;

static void tell(void *unused) {
    (void)unused;
    int seen = reason; //~ error[race]
    (void)seen;
}

static void *work(void *unused) {
    pthread_cleanup_push(tell, NULL);
    sem_wait(&none);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&none, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    reason = 1;
    pthread_join(thread, NULL);
    return 0;
}
