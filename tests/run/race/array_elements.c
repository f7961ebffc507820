// run: --runs 50 --seed 1
// Each worker fills its part of a table; the parts overlap in one element.
#include <pthread.h>

static int table[8];

struct part {
    int first, last;
};

static void *fill(void *argument) {
    struct part *part = argument;
    for (int i = part->first; i <= part->last; i++)
        table[i] = i; //~ error[race]
    return NULL;
}

int main(void) {
    struct part low = {0, 4}, high = {4, 7};
    pthread_t a, b;
    pthread_create(&a, NULL, fill, &low);
    pthread_create(&b, NULL, fill, &high);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
