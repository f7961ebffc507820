// run: --runs 20 --seed 1
// Two gates from one function that makes them. A thread opens one of them over and over, and main waits at the other one.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool is_open;
};

static struct gate *new_gate(void) {
    struct gate *gate = calloc(1, sizeof *gate);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->opened, NULL);
    return gate;
}

static void set(struct gate *gate, bool is_open) {
    pthread_mutex_lock(&gate->lock);
    gate->is_open = is_open;
    pthread_cond_broadcast(&gate->opened);
    pthread_mutex_unlock(&gate->lock);
}

static void pass(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    while (!gate->is_open)
        pthread_cond_wait(&gate->opened, &gate->lock); //~ error[deadlock]
    pthread_mutex_unlock(&gate->lock);
}

static void *keep_moving(void *gate) {
    for (bool is_open = true;; is_open = !is_open)
        set(gate, is_open);
    return NULL;
}

int main(void) {
    struct gate *moving = new_gate();
    struct gate *closed = new_gate();
    pthread_t keeper;
    pthread_create(&keeper, NULL, keep_moving, moving);
    pass(closed);
    return 0;
}
