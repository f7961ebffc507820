// check: --all --property assert,race,deadlock
// Three different bugs: a counter without a lock, which is reached in two ways; two locks in two orders; a balance that is
// checked and then changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int balance = 1;

static void count(void) {
    counter++; //~ error[race]
}

static void spend(void) {
    if (balance > 0)
        assert(atomic_fetch_sub(&balance, 1) > 0); //~ error[assert]
}

static void *forth(void *unused) {
    count();
    spend();
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ error[deadlock]
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *back(void *is_first) {
    if (*(int *)is_first)
        count();
    else
        count();
    spend();
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t s, t;
    int is_first = 0;
    pthread_create(&s, NULL, forth, NULL);
    pthread_create(&t, NULL, back, &is_first);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
