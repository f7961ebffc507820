// check: --property memory
// Whoever does not take the last reference looks at the object after it has dropped its own.
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
    int seen = 1;
    if (drop(o))
        free(o);
    else
        seen = o->data; //~ error[memory]
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
