// Two threads sort the halves of an array of inputs, and the main thread merges them.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#define HALF 2

static int cell[2 * HALF], sorted[2 * HALF];

static void *sort(void *argument) {
    int *part = argument;
    for (int i = 1; i < HALF; i++)
        for (int k = i; k > 0 && part[k - 1] > part[k]; k--) {
            int other = part[k];
            part[k] = part[k - 1];
            part[k - 1] = other;
        }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 2 * HALF; i++)
        cell[i] = tp_input_range("cell", 0, 9);
    pthread_create(&a, NULL, sort, &cell[0]);
    pthread_create(&b, NULL, sort, &cell[HALF]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0, left = 0, right = HALF; i < 2 * HALF; i++)
        if (right == 2 * HALF || (left < HALF && cell[left] <= cell[right]))
            sorted[i] = cell[left++];
        else
            sorted[i] = cell[right++];
    for (int i = 1; i < 2 * HALF; i++)
        assert(sorted[i - 1] <= sorted[i]);
    return 0;
}
