// check: --property assert,reach-error,lock
// A loop that is left by break, with what it found; the data is written before the flag.
#include <assert.h>
#include <pthread.h>

static int flag, data;

static void *give(void *unused) {
    data = 7;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    int found = 0;
    while (1) {
        int seen = flag;
        if (seen == 1) {
            found = data;
            break;
        }
    }
    assert(found == 7);
    return 0;
}
