// Threads that are cancelled before, in and after cancellation points, and what runs at their end.
#include "calls.h"
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none, one;
static pthread_key_t key;
static int ends[2], full;
static pthread_t forever;

static void say(void *text) { printf("handler %s\n", (char *)text); }
static void destroy(void *text) { printf("destructor %s\n", (char *)text); }
static void unlock(void *held) { printf("unlock = %d\n", pthread_mutex_unlock(held)); }
static void point(void *unused) {
    (void)unused;
    pthread_testcancel(); // the thread ends already
    INT(usleep(1));
}

static void *test(void *unused) { pthread_testcancel(); return unused; }
static void *doze(void *unused) { sleep(1); return unused; }
static void *doze_briefly(void *unused) { usleep(1); return unused; }
static void *wait_sem(void *unused) { sem_wait(&none); return unused; }
static void *wait_free_sem(void *unused) { sem_wait(&one); return unused; }
static void *read_pipe(void *unused) { char c; read(ends[0], &c, 1); return unused; }
static void *write_pipe(void *unused) { write(full, "", 1); return unused; }
static void *close_nothing(void *unused) { close(-1); return unused; }
static void *open_nothing(void *unused) { open("/nowhere/at/all", O_RDONLY); return unused; }
static void *join_other(void *unused) { pthread_join(forever, NULL); return unused; }
static void *wait_cond(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    return unused;
}
static void *wait_cond_long(void *unused) {
    struct timespec late = {4000000000u / 2, 0};
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_timedwait(&never, &mutex, &late);
    pthread_cleanup_pop(0);
    return unused;
}
static void *no_point(void *unused) {
    pthread_mutex_lock(&mutex);
    INT(pthread_mutex_trylock(&mutex));
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&never);
    sem_post(&one);
    INT(sem_trywait(&one));
    return unused;
}

static const struct {
    const char *name;
    void *(*routine)(void *);
} points[] = {
    {"pthread_testcancel", test}, {"sleep", doze}, {"usleep", doze_briefly}, {"sem_wait", wait_sem},
    {"sem_wait, free", wait_free_sem}, {"read", read_pipe}, {"write", write_pipe}, {"close", close_nothing},
    {"open", open_nothing}, {"pthread_join", join_other}, {"pthread_cond_wait", wait_cond},
    {"pthread_cond_timedwait", wait_cond_long}, {"none", no_point},
};

static int cancels_itself, disables;

static void *run(void *at) {
    size_t i = (size_t)at;
    void *result = NULL;
    pthread_setspecific(key, (void *)points[i].name);
    pthread_cleanup_push(say, "outer");
    pthread_cleanup_push(point, NULL);
    pthread_cleanup_push(say, "inner");
    if (cancels_itself)
        INT(pthread_cancel(pthread_self()));
    result = points[i].routine(at);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return result;
}

static void *keep(void *unused) {
    int old = 7;
    INT(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    INT(old);
    INT(pthread_setcancelstate(7, &old));
    INT(pthread_cancel(pthread_self()));
    pthread_testcancel();
    INT(usleep(1));
    INT(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
    INT(old);
    INT(pthread_setcanceltype(7, NULL));
    if (disables)
        return unused;
    INT(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
    INT(old);
    printf("still there\n");
    pthread_testcancel();
    printf("not reached\n");
    return unused;
}

static void *for_ever(void *unused) {
    sem_wait(&none);
    return unused;
}

static void show(pthread_t thread, const char *what) {
    void *result;
    INT(pthread_join(thread, &result));
    printf("%s: %s\n", what, result == PTHREAD_CANCELED ? "cancelled" : "ended");
}

int main(void) {
    pthread_t thread;
    sem_init(&none, 0, 0);
    sem_init(&one, 0, 1);
    INT(pipe(ends));
    full = ends[1];
    INT(pthread_key_create(&key, destroy));
    INT(pthread_create(&forever, NULL, for_ever, NULL));
    for (cancels_itself = 1; cancels_itself >= 0; cancels_itself--) {
        for (size_t i = 0; i < COUNT(points); i++) {
            // What does not wait may have ended before it is cancelled.
            void *(*routine)(void *) = points[i].routine;
            if (!cancels_itself && routine != wait_sem && routine != read_pipe && routine != join_other
                && routine != wait_cond && routine != wait_cond_long)
                continue;
            pthread_create(&thread, NULL, run, (void *)i);
            if (!cancels_itself)
                INT(pthread_cancel(thread));
            show(thread, points[i].name);
        }
    }
    for (disables = 0; disables < 2; disables++) {
        pthread_create(&thread, NULL, keep, &disables);
        show(thread, "keep");
    }
    INT(pthread_cancel(forever));
    show(forever, "forever");
    int value;
    INT(sem_getvalue(&one, &value));
    INT(value);
    INT(pthread_mutex_trylock(&mutex));
    return 0;
}
