// 30537. no-data-race: violated, unreach-call: safe
// The loop never ends, so that none of its reads became an event.
#include <pthread.h>
int phase;
pthread_t t0, t1;
void *thread1(void *arg) {
    phase = 1;
    return 0;
}
void *thread0(void *arg) {
    int r2;
    pthread_create(&t1, 0, thread1, 0);
    while ((r2 = phase) < 2);
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    return 0;
}
