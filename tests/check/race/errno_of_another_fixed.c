// check: --property race
// It is set before the other one starts to look.
#include <errno.h>
#include <pthread.h>

static void *watch(void *where) {
    return *(int *)where == EINTR ? where : NULL;
}

int main(void) {
    pthread_t t;
    errno = EINTR;
    pthread_create(&t, NULL, watch, &errno);
    pthread_join(t, NULL);
    return 0;
}
