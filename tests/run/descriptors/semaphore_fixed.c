// run: --runs 30 --seed 1
// An event counter that counts down by one from one is a lock.
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>

static int tokens, inside;

static void *user(void *unused) {
    eventfd_t one;
    (void)unused;
    eventfd_read(tokens, &one);
    inside++;
    inside--;
    eventfd_write(tokens, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    tokens = eventfd(1, EFD_SEMAPHORE);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("done\n");
    return 0;
}
