// check:
// As many arguments as the format takes; more are never read.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int come;

static void *customer(void *unused) {
    pthread_mutex_lock(&mutex);
    come++;
    if (come == 2)
        printf("%*d of 100%%, %ld left\n", 3, come, 98L);
    else
        printf("%d seats\n", come, 7);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
