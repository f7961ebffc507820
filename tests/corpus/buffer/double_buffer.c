// Double buffering: the writer fills the buffer that nobody reads, and exchanges the two under a lock, under which the
// reader looks at the front one.
#include <assert.h>
#include <pthread.h>

static int buffers[2][2], *front = buffers[0];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *unused) {
    int *back = buffers[1];
    for (int frame = 1; frame <= 2; frame++) {
        back[0] = frame;
        back[1] = frame;
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
    assert(front[0] == front[1]);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
