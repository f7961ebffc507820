// A race of a section with threads alike, one switch after its access.
#include <pthread.h>
int x = 1;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
void *thread0(void *arg) {
    int r0 = 2;
    r0 = x;
}
int main(void) {
    int r2 = 2;
    pthread_t ts[2];
    int count = 2;
    for (int k = 0; k < count; k++) {
        pthread_create(&ts[k], 0, thread0, &x);
    }
    pthread_mutex_lock(&n);
    x = (r2 ? r2 : ~r2);
    pthread_mutex_unlock(&n);
    for (int k = 0; k < count; k++) {
        pthread_join(ts[k], 0);
    }
}
