// N threads write their number to one variable, and N threads read it twice. If each reader saw it change, and its
// second value were the first of the next reader, cyclically, then the order of the writes would be a cycle.
#include <assert.h>
#include <pthread.h>

static int shared;
static int first[N], second[N];

static void *writer(void *number) {
    shared = (int)(long)number;
    return 0;
}

static void *reader(void *number) {
    long i = (long)number;
    first[i] = shared;
    second[i] = shared;
    return 0;
}

int main(void) {
    pthread_t writers[N], readers[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&writers[i], 0, writer, (void *)(i + 1));
        pthread_create(&readers[i], 0, reader, (void *)i);
    }
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], 0);
    int circle = 1;
    for (int i = 0; i < N; i++)
        circle &= first[i] != second[i] && second[i] == first[(i + 1) % N];
    assert(!circle);
}
