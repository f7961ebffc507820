// Two threads write different members of a struct.
#include <assert.h>
#include <pthread.h>

static struct {
    int x, y;
} point;

static void *move(void *unused) {
    point.y = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    point.x = 2;
    pthread_join(thread, NULL);
    assert(point.x == 2 && point.y == 1);
    return 0;
}
