// check: --property assert,memory
// A pointer is formed with any index, also one whose offset overflows, but is only followed if the index is in range.
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

struct point {
    int x, y, z;
};

static struct point points[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct point *find(unsigned long i)
{
    struct point *point = &points[i];
    return i < 4 ? point : 0;
}

static void *work(void *argument)
{
    struct point *point = find(__VERIFIER_nondet_ulong());
    if (point) {
        pthread_mutex_lock(&lock);
        point->y++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(points[0].x == 0);
}
