// The halves overlap by one element, which both threads exchange.
#include <pthread.h>

static int cell[3] = {3, 2, 1};

static void *sort(void *argument) {
    int *part = argument;
    if (part[0] > part[1]) {
        int other = part[0];
        part[0] = part[1];
        part[1] = other;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sort, &cell[0]);
    pthread_create(&b, NULL, sort, &cell[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
