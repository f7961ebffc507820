// check: --property assert,reach-error,lock
// A block that is one step for all other threads.
#include <pthread.h>
#include <threadproof.h>

static int x, y;

static void *update(void *unused) {
    tp_atomic {
        x++;
        y++;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_create(&b, NULL, update, NULL);
    int seen_x, seen_y;
    tp_atomic {
        seen_x = x;
        seen_y = y;
    }
    tp_assert(seen_x == seen_y && seen_x <= 2);
    return 0;
}
