// The same with places that may be the same.
#include <pthread.h>
#include <threadproof.h>

static int cell[8], place[2];

static void *mark(void *argument) {
    cell[*(int *)argument]++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    place[0] = tp_input_range("left", 0, 4);
    place[1] = tp_input_range("right", 4, 7);
    pthread_create(&a, NULL, mark, &place[0]);
    pthread_create(&b, NULL, mark, &place[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
