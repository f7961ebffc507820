// check: --property assert,reach-error,lock
// Each thread writes its part and reads the other's; nothing keeps the reading apart from the writing.
#include <assert.h>
#include <pthread.h>

static int part[2];

static void *work(void *argument) {
    int me = *(int *)argument;
    part[me] = me + 1;
    assert(part[1 - me] == 2 - me); //~ error[assert]
    return NULL;
}

int main(void) {
    static int zero = 0, one = 1;
    pthread_t a, b;
    pthread_create(&a, NULL, work, &zero);
    pthread_create(&b, NULL, work, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
