// check: --property assert,race -- -n 3 file
// The options decide how many threads there are: three, not two.
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <stdlib.h>

static int threads = 1, sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    sum++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(int argc, char **argv) {
    for (int c; (c = getopt(argc, argv, "n:v")) != -1;)
        if (c == 'n')
            threads = atoi(optarg);
    assert(optind == argc - 1);
    pthread_t ids[4];
    for (int i = 0; i < threads && i < 4; i++)
        pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < threads && i < 4; i++)
        pthread_join(ids[i], NULL);
    assert(sum == 2); //~ error[assert]
    return 0;
}
