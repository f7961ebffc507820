// run: --runs 20 --seed 1
// Threads start threads: a sum over a range, split in half until one number is left.
#include <assert.h>
#include <pthread.h>

struct range {
    int low, high, sum;
};

static void *add(void *argument) {
    struct range *range = argument;
    if (range->high - range->low == 1) {
        range->sum = range->low;
        return NULL;
    }
    int middle = (range->low + range->high) / 2;
    struct range left = {range->low, middle, 0}, right = {middle, range->high, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, add, &left);
    add(&right);
    pthread_join(thread, NULL);
    range->sum = left.sum + right.sum;
    return NULL;
}

int main(void) {
    struct range all = {0, 8, 0};
    add(&all);
    assert(all.sum == 28);
    return 0;
}
