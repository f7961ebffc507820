// 30253. valid-memory: violated
// The local is gone when main has returned. The return is no step of its own: it follows a read of memory that is never
// written. In the replay the other thread's access came before it.
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
