// 30019. unreach-call: violated
// The count reaches the next iteration only as an argument of a jump: the loop was taken for one that waits.
#include <assert.h>
#include <pthread.h>
long long y = 2;
int b[8];
int done;
void *thread1(void *arg) {
    int c1 = 0;
    while (c1 < 2) {
        c1++;
        int *p3 = b + (y & 1) + 1;
    }
    done = 1;
    return 0;
}
int main(void) {
    pthread_t t1;
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t1, 0);
    assert(!done);
    return 0;
}
