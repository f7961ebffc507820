// Threads that each compute a part; the parts come back through join, through memory and through exit.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int first, last;
    long sum;
};

static void *sum(void *argument) {
    struct part *part = argument;
    for (int i = part->first; i < part->last; i++)
        part->sum += (long)i * i;
    return part;
}

static void *square(void *argument) {
    intptr_t x = (intptr_t)argument;
    if (x % 2)
        pthread_exit((void *)(x * x));
    return (void *)(x * x);
}

static void *allocate(void *argument) {
    int n = *(int *)argument, *table = malloc((size_t)n * sizeof *table);
    for (int i = 0; i < n; i++)
        table[i] = i * n;
    return table;
}

int main(void) {
    struct part parts[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        parts[i] = (struct part){i * 25, (i + 1) * 25, 0};
        pthread_create(&threads[i], NULL, sum, &parts[i]);
    }
    long total = 0;
    for (int i = 0; i < 4; i++) {
        void *result;
        printf("%d", pthread_join(threads[i], &result));
        total += ((struct part *)result)->sum;
        printf(" %ld\n", parts[i].sum);
    }
    printf("%ld\n", total);
    for (intptr_t i = 0; i < 6; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, square, (void *)i);
        pthread_join(thread, &result);
        printf("%d ", (int)(intptr_t)result);
    }
    printf("\n");
    int n = 7;
    void *table;
    pthread_create(&threads[0], NULL, allocate, &n);
    pthread_join(threads[0], &table);
    printf("%d %d\n", ((int *)table)[3], ((int *)table)[6]);
    free(table);
    return 0;
}
