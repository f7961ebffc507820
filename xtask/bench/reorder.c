// N threads publish a value and then its flag; N others take the value once they see the flag. With -DUNSAFE the flag
// comes first.
#include <assert.h>
#include <pthread.h>

static int value, is_ready;

static void *publish(void *unused) {
#ifdef UNSAFE
    is_ready = 1;
    value = 7;
#else
    value = 7;
    is_ready = 1;
#endif
    return unused;
}

static void *take(void *unused) {
    if (is_ready)
        assert(value == 7);
    return unused;
}

int main(void) {
    pthread_t publishers[N], takers[N];
    for (int i = 0; i < N; i++) {
        pthread_create(&publishers[i], 0, publish, 0);
        pthread_create(&takers[i], 0, take, 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(publishers[i], 0);
        pthread_join(takers[i], 0);
    }
}
