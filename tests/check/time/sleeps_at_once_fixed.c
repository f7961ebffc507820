// check: --property assert
// After a join, the sleep of the other thread has passed here, too.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *doze(void *unused) {
    sleep(1);
    return unused;
}

int main(void) {
    pthread_t one, other;
    time_t before = time(NULL);
    pthread_create(&one, NULL, doze, NULL);
    pthread_create(&other, NULL, doze, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(time(NULL) - before >= 1);
    return 0;
}
