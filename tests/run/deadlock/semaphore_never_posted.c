// run: --runs 1
// Nobody is left to post the semaphore that main waits for.
#include <semaphore.h>

int main(void) {
    sem_t done;
    sem_init(&done, 0, 1);
    sem_wait(&done);
    sem_wait(&done); //~ error[deadlock]
    return 0;
}
