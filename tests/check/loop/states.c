// check: --property assert,reach-error,lock
// Between two looks the door can be opened, closed and locked.
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

enum state { CLOSED, OPEN, LOCKED };
static atomic_int state;
static int opened;

static void *drive(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        bool key = tp_input_bool("key");
        switch (state) {
        case CLOSED:
            if (key)
                goto lock;
            opened++;
            state = OPEN;
            break;
        case OPEN:
            state = CLOSED;
            break;
        default:
            if (key)
                state = CLOSED;
            break;
        lock:
            state = LOCKED;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, drive, NULL);
    int first = state, second = state;
    tp_assert(!(first == OPEN && second == LOCKED)); //~ error[assert]
    pthread_join(a, NULL);
    tp_assert(opened <= 2);
    return 0;
}
