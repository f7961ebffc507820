// check: --property assert,reach-error,lock
// The object is filled before it is published.
#include <assert.h>
#include <pthread.h>

struct point {
    int x, y;
};
static struct point *shown;
static struct point **where = &shown;

static void *draw(void *argument) {
    struct point *point = argument;
    point->x = 3;
    point->y = 4;
    *where = point;
    return NULL;
}

int main(void) {
    static struct point point;
    pthread_t a;
    pthread_create(&a, NULL, draw, &point);
    struct point *seen = *where;
    if (seen)
        assert(seen->x * seen->x + seen->y * seen->y == 25);
    pthread_join(a, NULL);
    return 0;
}
