// run: --runs 1
// sem_getvalue and sem_trywait follow posts and waits; errors are in errno.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t tokens;
    int value;
    assert(sem_init(&tokens, 0, 1) == 0);
    assert(sem_getvalue(&tokens, &value) == 0 && value == 1);
    assert(sem_post(&tokens) == 0);
    assert(sem_getvalue(&tokens, &value) == 0 && value == 2);
    assert(sem_wait(&tokens) == 0);
    assert(sem_trywait(&tokens) == 0);
    errno = 0;
    assert(sem_trywait(&tokens) == -1 && errno == EAGAIN);
    assert(sem_destroy(&tokens) == 0);
    return 0;
}
