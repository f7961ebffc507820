// 868263. no-deadlock: violated, unreach-call: safe
// Main ends the program later. An attempt that may reach a limit, like a join of one of two threads, came after that.
#include <pthread.h>
pthread_mutex_t da = PTHREAD_MUTEX_INITIALIZER;
pthread_t t0, t1;
void *thread1(void *arg) { pthread_mutex_lock(&da); return 0; }
void *thread0(void *arg) {
    pthread_create(&t1, 0, thread1, 0);
    pthread_mutex_lock(&da);
    pthread_join(t1, 0);
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    pthread_detach(t0);
    return 0;
}
