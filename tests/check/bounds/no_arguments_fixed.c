// check:
// Without an argument the program ends before it starts a thread, and the ledger says so.
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    counter++;
    return unused;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    pthread_t one, two;
    pthread_create(&one, 0, work, argv[1]);
    pthread_create(&two, 0, work, argv[1]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
