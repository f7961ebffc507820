// 49102. no-deadlock: violated
// A signal can wake the thread with the highest number; the input that chooses it was not tried.
#include <pthread.h>
int ready;
pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
pthread_t t0;
pthread_t t1;
pthread_t t2;
void *thread2(void *arg) {
    pthread_mutex_lock(&cm);
    pthread_cond_wait(&cv, &cm);
    pthread_mutex_unlock(&cm);
}
void *thread1(void *arg) {
    pthread_create(&t2, 0, thread2, 0);
    pthread_mutex_lock(&cm);
    while (!ready) {
        pthread_cond_wait(&cv, &cm);
    }
}
void *thread0(void *arg) {
    pthread_mutex_lock(&cm);
    ready = 1;
    pthread_cond_signal(&cv);
    pthread_mutex_unlock(&cm);
}
int main(void) {
    pthread_create(&t0, 0, thread0, (void *)1);
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t1, 0);
}
