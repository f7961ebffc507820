// 32491. no-data-race: violated
// The section waits for a third thread; the race was found where it could not be replayed.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x = 2;
int y = 2;
void *thread1(void *arg) {
    y++;
    return 0;
}
void *thread0(void *arg) {
    x = 0;
    return 0;
}
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x <= 1);
    y += 1;
    __VERIFIER_atomic_end();
    return 0;
}
