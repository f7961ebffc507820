// A thread is given a variable of a loop's body. Right is to join it before the round ends: then the variable is gone, also if
// the next round has one of the same name.
#include <pthread.h>

static void *work(void *result) {
    *(int *)result = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int round = 0;; round++) {
        int result;
#ifdef MISTAKE
        if (round == 1) {
            pthread_join(thread, NULL);
            break;
        }
        pthread_create(&thread, NULL, work, &result);
#else
        if (round == 1)
            break;
        pthread_create(&thread, NULL, work, &result);
        pthread_join(thread, NULL);
#endif
    }
    return 0;
}
