// check: --property race
// Two threads hide a password in the arguments.
#include <pthread.h>

static void *hide(void *argument) {
    *(char *)argument = '*'; //~ error[race]
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t a, b;
    pthread_create(&a, NULL, hide, argv[argc - 1]);
    pthread_create(&b, NULL, hide, argv[argc - 1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
