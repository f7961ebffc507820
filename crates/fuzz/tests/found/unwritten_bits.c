// 30106. unreach-call: violated
// An operation on the bits of a value that was never written made it 0, and no other.
#include <assert.h>
#include <pthread.h>
void *thread0(void *arg) {
    int u2;
    int r1 = u2 & 3;
    assert(r1 < 3);
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, 0);
    return 0;
}
