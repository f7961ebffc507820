// 30106. unreach-call: violated
// A bit operation on an unwritten value gave 0 only, where any value is possible.
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
