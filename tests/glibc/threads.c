// What the functions of pthread, semaphores and C11 threads return, one thread alone.
#include "calls.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static const struct timespec past = {1, 0}, large = {1, 1000000000}, negative = {1, -1};

static void *nothing(void *argument) { return argument; }
static int seven(void *argument) { (void)argument; return 7; }
static int runs;
static void once(void) { runs++; }

static void mutexes(void) {
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE};
    for (size_t i = 0; i < COUNT(types); i++) {
        pthread_mutexattr_t a;
        pthread_mutex_t m;
        int type;
        INT(pthread_mutexattr_init(&a));
        INT(pthread_mutexattr_settype(&a, types[i]));
        INT(pthread_mutexattr_settype(&a, 77));
        INT(pthread_mutexattr_gettype(&a, &type));
        INT(type);
        INT(pthread_mutex_init(&m, &a));
        INT(pthread_mutex_trylock(&m));
        INT(pthread_mutex_trylock(&m));
        INT(pthread_mutex_timedlock(&m, &past));
        INT(pthread_mutex_timedlock(&m, &large));
        INT(pthread_mutex_timedlock(&m, &negative));
        INT(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past));
        if (types[i] != PTHREAD_MUTEX_NORMAL)
            INT(pthread_mutex_lock(&m));
        INT(pthread_mutex_unlock(&m));
        if (types[i] == PTHREAD_MUTEX_RECURSIVE)
            for (int n = 0; n < 7; n++)
                INT(pthread_mutex_unlock(&m));
        if (types[i] == PTHREAD_MUTEX_ERRORCHECK)
            INT(pthread_mutex_unlock(&m));
        INT(pthread_mutex_timedlock(&m, &past));
        INT(pthread_mutex_unlock(&m));
        INT(pthread_mutex_timedlock(&m, &large));
        INT(pthread_mutex_unlock(&m));
        INT(pthread_mutex_destroy(&m));
        INT(pthread_mutexattr_destroy(&a));
    }
}

static void rwlocks(void) {
    pthread_rwlock_t l;
    INT(pthread_rwlock_init(&l, NULL));
    INT(pthread_rwlock_timedwrlock(&l, &large));
    INT(pthread_rwlock_timedrdlock(&l, &negative));
    INT(pthread_rwlock_timedwrlock(&l, &past));
    INT(pthread_rwlock_rdlock(&l));
    INT(pthread_rwlock_wrlock(&l));
    INT(pthread_rwlock_tryrdlock(&l));
    INT(pthread_rwlock_trywrlock(&l));
    INT(pthread_rwlock_timedrdlock(&l, &past));
    INT(pthread_rwlock_timedwrlock(&l, &past));
    INT(pthread_rwlock_unlock(&l));
    INT(pthread_rwlock_rdlock(&l));
    INT(pthread_rwlock_tryrdlock(&l));
    INT(pthread_rwlock_trywrlock(&l));
    INT(pthread_rwlock_timedwrlock(&l, &past));
    INT(pthread_rwlock_timedrdlock(&l, &past));
    INT(pthread_rwlock_unlock(&l));
    INT(pthread_rwlock_unlock(&l));
    INT(pthread_rwlock_unlock(&l));
    INT(pthread_rwlock_trywrlock(&l));
    INT(pthread_rwlock_unlock(&l));
    INT(pthread_rwlock_destroy(&l));
    pthread_rwlockattr_t a;
    int kind;
    INT(pthread_rwlockattr_init(&a));
    INT(pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));
    INT(pthread_rwlockattr_setkind_np(&a, 9));
    INT(pthread_rwlockattr_getkind_np(&a, &kind));
    INT(kind);
    INT(pthread_rwlock_init(&l, &a));
    INT(pthread_rwlock_rdlock(&l));
    INT(pthread_rwlock_rdlock(&l));
    INT(pthread_rwlock_timedwrlock(&l, &past));
    INT(pthread_rwlock_tryrdlock(&l));
}

static void semaphores(void) {
    sem_t s;
    int value;
    FAILS(sem_init(&s, 0, 2147483648u));
    FAILS(sem_init(&s, 0, 1));
    FAILS(sem_timedwait(&s, &large));
    FAILS(sem_timedwait(&s, &negative));
    FAILS(sem_timedwait(&s, &past));
    FAILS(sem_timedwait(&s, &past));
    FAILS(sem_clockwait(&s, CLOCK_MONOTONIC, &past));
    FAILS(sem_trywait(&s));
    FAILS(sem_post(&s));
    FAILS(sem_getvalue(&s, &value));
    INT(value);
    FAILS(sem_wait(&s));
    FAILS(sem_destroy(&s));
    FAILS(sem_init(&s, 0, 2147483647));
    FAILS(sem_post(&s));
}

static void conditions(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    INT(pthread_cond_signal(&c));
    INT(pthread_cond_broadcast(&c));
    INT(pthread_mutex_lock(&m));
    INT(pthread_cond_timedwait(&c, &m, &past));
    INT(pthread_cond_timedwait(&c, &m, &large));
    INT(pthread_cond_timedwait(&c, &m, &negative));
    INT(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past));
    INT(pthread_mutex_trylock(&m));
    INT(pthread_mutex_unlock(&m));
    INT(pthread_cond_destroy(&c));
    pthread_condattr_t a;
    clockid_t clock;
    INT(pthread_condattr_init(&a));
    INT(pthread_condattr_setclock(&a, CLOCK_MONOTONIC));
    INT(pthread_condattr_setclock(&a, CLOCK_PROCESS_CPUTIME_ID));
    INT(pthread_condattr_getclock(&a, &clock));
    INT(clock);
}

static void others(void) {
    pthread_barrier_t b;
    pthread_barrierattr_t ba;
    pthread_spinlock_t s;
    pthread_once_t o = PTHREAD_ONCE_INIT;
    pthread_t t;
    pthread_attr_t a;
    void *result;
    int state;
    INT(pthread_barrier_init(&b, NULL, 1));
    INT(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    INT(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    INT(pthread_barrier_destroy(&b));
    INT(pthread_barrierattr_init(&ba));
    INT(pthread_barrierattr_setpshared(&ba, 5));
    INT(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE));
    INT(pthread_spin_lock(&s));
    INT(pthread_spin_trylock(&s));
    INT(pthread_spin_unlock(&s));
    INT(pthread_spin_trylock(&s));
    INT(pthread_spin_unlock(&s));
    INT(pthread_spin_destroy(&s));
    INT(pthread_once(&o, once));
    INT(pthread_once(&o, once));
    INT(runs);
    INT(pthread_attr_init(&a));
    INT(pthread_attr_setdetachstate(&a, 9));
    INT(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED));
    INT(pthread_attr_getdetachstate(&a, &state));
    INT(state);
    INT(pthread_attr_setstacksize(&a, 1));
    INT(pthread_create(&t, NULL, nothing, &t));
    INT(pthread_equal(t, pthread_self()));
    INT(pthread_join(t, &result));
    INT(result == &t);
    INT(pthread_create(&t, NULL, nothing, NULL));
    INT(pthread_detach(t));
    INT(pthread_equal(pthread_self(), pthread_self()));
    pthread_key_t key, first;
    int keys = 1;
    INT(pthread_key_create(&first, NULL));
    while (pthread_key_create(&key, NULL) == 0)
        keys++;
    INT(keys);
    INT(pthread_key_create(&key, NULL));
    INT(pthread_getspecific(first) == NULL);
    INT(pthread_setspecific(first, &keys));
    INT(pthread_getspecific(first) == &keys);
    INT(pthread_key_delete(first));
    INT(pthread_key_create(&key, NULL));
    INT(key == first);
    INT(pthread_getspecific(key) == NULL);
}

static void c11(void) {
    mtx_t m;
    cnd_t c;
    tss_t k;
    thrd_t t;
    int result;
    INT(mtx_init(&m, mtx_timed) == thrd_success);
    INT(mtx_lock(&m) == thrd_success);
    INT(mtx_trylock(&m) == thrd_busy);
    INT(mtx_timedlock(&m, &past) == thrd_timedout);
    INT(mtx_timedlock(&m, &large) == thrd_error);
    INT(cnd_init(&c) == thrd_success);
    INT(cnd_timedwait(&c, &m, &past) == thrd_timedout);
    INT(cnd_timedwait(&c, &m, &large) == thrd_error);
    INT(cnd_signal(&c) == thrd_success);
    INT(mtx_unlock(&m) == thrd_success);
    INT(mtx_timedlock(&m, &past) == thrd_success);
    INT(thrd_create(&t, seven, NULL) == thrd_success);
    INT(thrd_join(t, &result) == thrd_success);
    INT(result);
    INT(thrd_equal(thrd_current(), thrd_current()) != 0);
    INT(tss_create(&k, NULL) == thrd_error);
    FAILS(nanosleep(&(struct timespec){0, 1000000000}, NULL));
    FAILS(nanosleep(&(struct timespec){-1, 0}, NULL));
    FAILS(nanosleep(&(struct timespec){0, 1}, NULL));
    INT(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, -1}, NULL));
    INT(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &past, NULL));
    INT(thrd_sleep(&(struct timespec){0, 1000000000}, NULL));
    INT(thrd_sleep(&(struct timespec){0, 1}, NULL));
    struct timespec now, later;
    INT(timespec_get(&now, TIME_UTC) == TIME_UTC);
    INT(timespec_get(&now, 99));
    INT(clock_gettime(CLOCK_MONOTONIC, &now));
    INT(clock_gettime(CLOCK_MONOTONIC, &later));
    INT(later.tv_sec > now.tv_sec || (later.tv_sec == now.tv_sec && later.tv_nsec >= now.tv_nsec));
    FAILS(clock_gettime(77, &now));
}

int main(void) {
    mutexes();
    rwlocks();
    semaphores();
    conditions();
    others();
    c11();
    return 0;
}
