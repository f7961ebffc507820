// events: --property assert
// A structure is copied member by member.
#include <assert.h>
#include <pthread.h>

struct pair { int a; int b; };
static struct pair x, y;

static void *other(void *unused) {
    x.a = 1;
    x.b = 2;
    assert(y.a + y.b != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    y = x;
    return 0;
}
