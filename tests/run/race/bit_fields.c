// run: --runs 50 --seed 1
// Two flags in one word: writing one bit-field reads and writes the other, too (C11 3.14).
#include <pthread.h>

static struct {
    unsigned connected : 1;
    unsigned closing : 1;
} session;

static void *connect(void *unused) {
    (void)unused;
    session.connected = 1; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, connect, NULL);
    session.closing = 1;
    pthread_join(thread, NULL);
    return 0;
}
