// Reorder with plain variables.
#include <pthread.h>

static int a, b;

static void *set(void *unused) {
    a = 1;
    b = -1;
    return unused;
}

int main(void) {
    pthread_t setter;
    pthread_create(&setter, NULL, set, NULL);
    int sum = a + b;
    pthread_join(setter, NULL);
    return sum == 5;
}
