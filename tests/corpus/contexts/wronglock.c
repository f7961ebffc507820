// Wrong lock: RIGHT threads add one to a value under its lock, and expect to find what they wrote; WRONG threads add one
// under a lock of their own. The assertion fails: the two locks do not exclude each other. The value is atomic, so nothing
// races; with -DPLAIN it is not, and it is a data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef RIGHT
#define RIGHT 1
#endif
#ifndef WRONG
#define WRONG 2
#endif

#ifdef PLAIN
static int value;
#else
static atomic_int value;
#endif
static pthread_mutex_t value_lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;

static void *add_and_look(void *unused) {
    pthread_mutex_lock(&value_lock);
    int before = value;
    value = before + 1;
    assert(value == before + 1);
    pthread_mutex_unlock(&value_lock);
    return unused;
}

static void *add(void *unused) {
    pthread_mutex_lock(&other_lock);
    int before = value;
    value = before + 1;
    pthread_mutex_unlock(&other_lock);
    return unused;
}

int main(void) {
    pthread_t right[RIGHT], wrong[WRONG];
    for (int i = 0; i < RIGHT; i++)
        pthread_create(&right[i], NULL, add_and_look, NULL);
    for (int i = 0; i < WRONG; i++)
        pthread_create(&wrong[i], NULL, add, NULL);
    for (int i = 0; i < RIGHT; i++)
        pthread_join(right[i], NULL);
    for (int i = 0; i < WRONG; i++)
        pthread_join(wrong[i], NULL);
    return 0;
}
