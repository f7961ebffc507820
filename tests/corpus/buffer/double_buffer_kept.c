// Double buffering with a reader that keeps the pointer after the lock: two frames later the writer draws into that
// very buffer.
#include <pthread.h>

static int buffers[2], *front = &buffers[0];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *unused) {
    int *back = &buffers[1];
    for (int frame = 1; frame <= 2; frame++) {
        *back = frame;
        pthread_mutex_lock(&lock);
        int *old = front;
        front = back;
        back = old;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, draw, NULL);
    pthread_mutex_lock(&lock);
    int *seen = front;
    pthread_mutex_unlock(&lock);
    int frame = *seen;
    pthread_join(thread, NULL);
    return frame == 9;
}
