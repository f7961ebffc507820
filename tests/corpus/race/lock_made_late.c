// Whoever comes first makes an account with its lock and shows it to the others. A lock does not help those who do not know
// yet that it was made: the pointer has to be released and acquired. The mistake: it is relaxed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef MISTAKE
#define SHOW memory_order_relaxed
#define LOOK memory_order_relaxed
#else
#define SHOW memory_order_release
#define LOOK memory_order_acquire
#endif

struct account {
    pthread_mutex_t lock;
    int balance;
};

static _Atomic(struct account *) shown;

static void *maker(void *unused) {
    struct account *made = malloc(sizeof *made);
    if (!made)
        abort();
    pthread_mutex_init(&made->lock, NULL);
    made->balance = 0;
    atomic_store_explicit(&shown, made, SHOW);
    return unused;
}

static void *user(void *unused) {
    struct account *account = atomic_load_explicit(&shown, LOOK);
    if (account) {
        pthread_mutex_lock(&account->lock);
        account->balance++;
        pthread_mutex_unlock(&account->lock);
    }
    return unused;
}

int main(void) {
    pthread_t m, u;
    pthread_create(&m, NULL, maker, NULL);
    pthread_create(&u, NULL, user, NULL);
    pthread_join(m, NULL);
    pthread_join(u, NULL);
    free(shown);
    return 0;
}
