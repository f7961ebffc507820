// Two threads write at places that are inputs and never the same.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static int cell[8], place[2];

static void *mark(void *argument) {
    cell[*(int *)argument]++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    place[0] = 2 * tp_input_range("even", 0, 3);
    place[1] = 2 * tp_input_range("odd", 0, 3) + 1;
    pthread_create(&a, NULL, mark, &place[0]);
    pthread_create(&b, NULL, mark, &place[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cell[place[0]] == 1 && cell[place[1]] == 1);
    return 0;
}
