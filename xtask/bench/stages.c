// Work in two stages, each with a lock of its own: N threads put a number into the first and then its successor into
// the second, N others read both. One that sees the first filled may find the second empty, which -DUNSAFE denies.
#include <assert.h>
#include <pthread.h>

static int first, second;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
    return unused;
}

static void *look(void *unused) {
    pthread_mutex_lock(&first_lock);
    int one = first;
    pthread_mutex_unlock(&first_lock);
    if (one == 0)
        return unused;
    pthread_mutex_lock(&second_lock);
    int two = second;
    pthread_mutex_unlock(&second_lock);
#ifdef UNSAFE
    assert(two == one + 1);
#else
    assert(two == 0 || two == one + 1);
#endif
    return unused;
}

int main(void) {
    pthread_t workers[N], lookers[N];
    for (int i = 0; i < N; i++) {
        pthread_create(&workers[i], 0, work, 0);
        pthread_create(&lookers[i], 0, look, 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(workers[i], 0);
        pthread_join(lookers[i], 0);
    }
}
