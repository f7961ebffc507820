// run: --runs 1
// Settings without a meaning for the schedule are accepted: cancellation state, names, scheduling, guard sizes.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static void *nothing(void *unused) {
    int old;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_condattr_t condition_attributes;
    pthread_rwlockattr_t rwlock_attributes;
    pthread_barrierattr_t barrier_attributes;
    pthread_t thread;
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_setguardsize(&attributes, 4096) == 0);
    assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setschedpolicy(&attributes, SCHED_OTHER) == 0);
    assert(pthread_create(&thread, &attributes, nothing, NULL) == 0);
    assert(pthread_setname_np(thread, "nothing") == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_condattr_init(&condition_attributes) == 0);
    assert(pthread_condattr_setclock(&condition_attributes, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_destroy(&condition_attributes) == 0);
    assert(pthread_rwlockattr_init(&rwlock_attributes) == 0);
    assert(pthread_rwlockattr_destroy(&rwlock_attributes) == 0);
    assert(pthread_barrierattr_init(&barrier_attributes) == 0);
    assert(pthread_barrierattr_destroy(&barrier_attributes) == 0);
    return sysconf(_SC_NPROCESSORS_ONLN) < 1;
}
