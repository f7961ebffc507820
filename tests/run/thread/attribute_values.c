// run: --runs 1
// What is set in an attributes object can be read back from it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    int value = -1;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    struct sched_param param = {.sched_priority = 0};
    assert(pthread_attr_setinheritsched(&attr, PTHREAD_INHERIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&attr, &value) == 0);
    assert(pthread_attr_setschedparam(&attr, &param) == 0 && pthread_attr_getschedparam(&attr, &param) == 0);
    assert(pthread_attr_getschedpolicy(&attr, &value) == 0);
    assert(pthread_attr_getscope(&attr, &value) == 0);
    size_t size = 0;
    void *stack = &attr;
    assert(pthread_attr_getguardsize(&attr, &size) == 0);
    static char room[1 << 16];
    assert(pthread_attr_setstack(&attr, room, sizeof room) == 0 && pthread_attr_getstack(&attr, &stack, &size) == 0);
    pthread_attr_destroy(&attr);

    pthread_mutexattr_t mutex;
    pthread_mutexattr_init(&mutex);
    assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_mutexattr_getpshared(&mutex, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_NONE) == 0);
    assert(pthread_mutexattr_getprotocol(&mutex, &value) == 0 && value == PTHREAD_PRIO_NONE);
    pthread_mutexattr_destroy(&mutex);

    pthread_condattr_t condition;
    clockid_t clock;
    pthread_condattr_init(&condition);
    assert(pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_condattr_getpshared(&condition, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_condattr_getclock(&condition, &clock) == 0);
    pthread_condattr_destroy(&condition);

    pthread_rwlockattr_t rwlock;
    pthread_rwlockattr_init(&rwlock);
    assert(pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_rwlockattr_getpshared(&rwlock, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_READER_NP) == 0);
    assert(pthread_rwlockattr_getkind_np(&rwlock, &value) == 0);
    pthread_rwlockattr_destroy(&rwlock);

    pthread_barrierattr_t barrier;
    pthread_barrierattr_init(&barrier);
    assert(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_barrierattr_getpshared(&barrier, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    pthread_barrierattr_destroy(&barrier);
    return 0;
}
