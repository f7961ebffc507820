// Both threads write the same value, which is a race all the same.
#include <pthread.h>

static int seen;

static void *mark(void *unused) {
    seen = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, mark, NULL);
    pthread_create(&b, NULL, mark, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
