// check: --property race
// A thread reads the errno of another one, which is just setting it.
#include <errno.h>
#include <pthread.h>

static void *watch(void *where) {
    return *(int *)where == EINTR ? where : NULL; //~ error[race]
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, watch, &errno);
    errno = EINTR;
    pthread_join(t, NULL);
    return 0;
}
