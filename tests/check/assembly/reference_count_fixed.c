// check: --property memory
// Whoever takes the last reference frees the object: decl says it with the zero flag, in one step.
#include <pthread.h>
#include <stdlib.h>

struct object {
    volatile int references;
    int data;
};

static int drop(struct object *o) {
    unsigned char last;
    __asm__ __volatile__("lock decl %0; sete %1" : "+m"(o->references), "=qm"(last) : : "memory");
    return last != 0;
}

static void *use(void *object) {
    struct object *o = object;
    int seen = o->data;
    if (drop(o))
        free(o);
    return seen ? NULL : object;
}

int main(void) {
    struct object *o = malloc(sizeof *o);
    o->references = 2;
    o->data = 7;
    pthread_t a;
    pthread_create(&a, NULL, use, o);
    use(o);
    pthread_join(a, NULL);
    return 0;
}
