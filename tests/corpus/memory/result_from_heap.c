// A thread returns its result in memory from the heap, and the one who joins it frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *square(void *argument) {
    int *result = malloc(sizeof *result), number = *(int *)argument;
    *result = number * number;
    return result;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {3, 4}, sum = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, square, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += *(int *)result;
        free(result);
    }
    assert(sum == 25);
    return 0;
}
