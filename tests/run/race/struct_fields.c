// run: --runs 50 --seed 1
// Neighbouring members of a struct are separate memory locations, chars included.
#include <assert.h>
#include <pthread.h>

static struct {
    char left, right;
    short middle;
} pair;

static void *set_left(void *unused) {
    (void)unused;
    pair.left = 'l';
    return NULL;
}

static void *set_right(void *unused) {
    (void)unused;
    pair.right = 'r';
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_left, NULL);
    pthread_create(&b, NULL, set_right, NULL);
    pair.middle = 7;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pair.left == 'l' && pair.right == 'r' && pair.middle == 7);
    return 0;
}
