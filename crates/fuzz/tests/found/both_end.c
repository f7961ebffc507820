// 30061. unreach-call: violated, no-data-race: violated
// The first write of `outcome` ended the program, because the assertion after it fails, so the second never happened.
// Between the write and the end the other thread can still step.
#include <assert.h>
#include <pthread.h>
int outcome;
void *thread0(void *arg) {
    int r2 = 2;
    int end = r2 << 3;
    outcome = end;
    assert(end != 16);
    return 0;
}
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread0, 0);
    return 0;
}
