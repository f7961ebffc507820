// 30001. unreach-call: violated, no-data-race: violated
// The read of `z` ended the program before the other thread could write it: the race could not be replayed.
#include <assert.h>
#include <pthread.h>
int i0, i1 = 1;
int z = 2;
void *thread0(void *arg) {
    z = i0 + 1;
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, 0);
    assert(z == 1);
    return 0;
}
