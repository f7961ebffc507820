// A whole struct is copied while a thread writes one of its members.
#include <pthread.h>

static struct point {
    int x, y;
} point;

static void *move(void *unused) {
    point.y = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    struct point copy = point;
    pthread_join(thread, NULL);
    return copy.x;
}
