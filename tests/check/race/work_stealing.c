// check: --property race
// The owner takes work from one end of its queue without a lock, thieves from the other end with one. For the last piece
// they meet.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int top, bottom = 2;
static int done[2];

static void *steal(void *unused) {
    pthread_mutex_lock(&lock);
    if (top < bottom)
        done[top++] = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thief;
    pthread_create(&thief, NULL, steal, NULL);
    while (bottom > top)
        done[--bottom] = 1; //~ error[race]
    pthread_join(thief, NULL);
    return 0;
}
