// 6000186. no-data-race: violated
// An atomic section writes a variable on either of two paths: both writes are on one node.
#include <pthread.h>
int i0, i1 = 1;
int x = 1;
int y = 1;
pthread_barrier_t ba;
pthread_t t0;
pthread_t t1;
pthread_t t2;
void *thread2(void *arg) {
    int r0 = 2;
    r0 = pthread_barrier_wait(&ba) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (!(y + i0 <= 4)) {
    }
}
void *thread1(void *arg) {
    int r1 = 2;
    y = r1;
}
void *thread0(void *arg) {
    int r1 = 1;
    r1 = pthread_barrier_wait(&ba) == PTHREAD_BARRIER_SERIAL_THREAD;
}
int main(void) {
    pthread_barrier_init(&ba, 0, 2);
    pthread_create(&t0, 0, thread0, &i0);
    pthread_create(&t1, 0, thread1, &x);
    pthread_create(&t2, 0, thread2, (void *)1);
}
