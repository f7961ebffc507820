// 30253. valid-memory: violated
// The variable is gone when main has returned, which is no step but follows a read of what nobody writes: the thread came
// too early when that was executed.
#include <pthread.h>
int y = 2;
void *thread2(void *arg) {
    ++*(int *)arg;
    return 0;
}
int main(void) {
    int r1 = 0;
    pthread_t t2;
    pthread_create(&t2, 0, thread2, &r1);
    int end = y & 7;
    return 0;
}
