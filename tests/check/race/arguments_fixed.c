// check: --property race
// One after the other.
#include <pthread.h>

static void *hide(void *argument) {
    *(char *)argument = '*';
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t a, b;
    pthread_create(&a, NULL, hide, argv[argc - 1]);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, hide, argv[argc - 1]);
    pthread_join(b, NULL);
    return 0;
}
