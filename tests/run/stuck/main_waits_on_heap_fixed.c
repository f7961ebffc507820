// run: --runs 20 --seed 1
// Two gates from one function that makes them. A thread opens both, the one that main waits at last: it finds it by way of the
// other one.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool is_open;
    struct gate *next;
};

static struct gate *new_gate(struct gate *next) {
    struct gate *gate = calloc(1, sizeof *gate);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->opened, NULL);
    gate->next = next;
    return gate;
}

static void open_gate(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    gate->is_open = true;
    pthread_cond_broadcast(&gate->opened);
    pthread_mutex_unlock(&gate->lock);
}

static void pass(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    while (!gate->is_open)
        pthread_cond_wait(&gate->opened, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static void *open_all(void *first) {
    for (int i = 0; i < 100; i++)
        open_gate(first);
    for (struct gate *gate = first; gate; gate = gate->next)
        open_gate(gate);
    return NULL;
}

int main(void) {
    struct gate *second = new_gate(NULL);
    struct gate *first = new_gate(second);
    pthread_t opener;
    pthread_create(&opener, NULL, open_all, first);
    pass(second);
    pthread_join(opener, NULL);
    free(first);
    free(second);
    return 0;
}
