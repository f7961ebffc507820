// 833201. no-data-race: violated, unreach-call: safe
// The exchange writes the old value again, so that no access is an event, and the threads have no step after it.
#include <pthread.h>
int spin, phase;
pthread_t t0, t1;
void *thread0(void *arg) {
    int e2;
    do {
        e2 = spin;
    } while (!__sync_bool_compare_and_swap(&spin, e2, e2));
    while (phase < 2);
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread0, 0);
    return 0;
}
