// What the C library answers to mistakes with locks and threads that it notices.
#include "calls.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_mutex_t *shared = &mutex;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

static void make(int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static void *others(void *unused) {
    (void)unused;
    INT(pthread_mutex_trylock(shared));
    INT(pthread_mutex_unlock(shared));
    return NULL;
}

static void by_another(void *(*routine)(void *)) {
    pthread_t t;
    pthread_create(&t, NULL, routine, NULL);
    pthread_join(t, NULL);
}

static struct timespec past(void) {
    struct timespec time = {1, 0};
    return time;
}

static void errorcheck(void) {
    struct timespec time = past();
    make(PTHREAD_MUTEX_ERRORCHECK);
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_lock(&mutex));
    INT(pthread_mutex_lock(&mutex));
    INT(pthread_mutex_trylock(&mutex));
    INT(pthread_mutex_timedlock(&mutex, &time));
    by_another(others);
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_destroy(&mutex));
}

static void recursive(void) {
    make(PTHREAD_MUTEX_RECURSIVE);
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_lock(&mutex));
    INT(pthread_mutex_lock(&mutex));
    by_another(others);
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_destroy(&mutex));
}

static void normal(void) {
    struct timespec time = past();
    make(PTHREAD_MUTEX_NORMAL);
    INT(pthread_mutex_lock(&mutex));
    INT(pthread_mutex_trylock(&mutex));
    INT(pthread_mutex_timedlock(&mutex, &time));
    INT(pthread_mutex_unlock(&mutex));
    INT(pthread_mutex_destroy(&mutex));
}

static void rwlocks(void) {
    struct timespec time = past();
    INT(pthread_rwlock_wrlock(&rwlock));
    INT(pthread_rwlock_wrlock(&rwlock));
    INT(pthread_rwlock_rdlock(&rwlock));
    INT(pthread_rwlock_tryrdlock(&rwlock));
    INT(pthread_rwlock_trywrlock(&rwlock));
    INT(pthread_rwlock_timedwrlock(&rwlock, &time));
    INT(pthread_rwlock_timedrdlock(&rwlock, &time));
    INT(pthread_rwlock_unlock(&rwlock));
    INT(pthread_rwlock_rdlock(&rwlock));
    INT(pthread_rwlock_trywrlock(&rwlock));
    INT(pthread_rwlock_timedwrlock(&rwlock, &time));
    INT(pthread_rwlock_unlock(&rwlock));
    INT(pthread_rwlock_destroy(&rwlock));
}

static void *unlocks_spin(void *unused) {
    (void)unused;
    INT(pthread_spin_trylock(&spin));
    return NULL;
}

static void rest(void) {
    pthread_key_t key;
    pthread_spin_init(&spin, 0);
    INT(pthread_spin_lock(&spin));
    INT(pthread_spin_trylock(&spin));
    by_another(unlocks_spin);
    INT(pthread_spin_unlock(&spin));
    INT(pthread_key_create(&key, NULL));
    INT(pthread_key_delete(key));
    mtx_t m;
    mtx_init(&m, mtx_plain | mtx_recursive);
    INT(mtx_unlock(&m));
    INT(mtx_trylock(&m));
    INT(mtx_lock(&m));
    INT(mtx_unlock(&m));
    INT(mtx_unlock(&m));
    INT(mtx_unlock(&m));
}

int main(void) {
    errorcheck();
    recursive();
    normal();
    rwlocks();
    rest();
    return 0;
}
