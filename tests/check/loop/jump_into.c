// check: --property assert,reach-error,lock
// A loop with two ways in: who comes in the middle has not looked at the head.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static int ready;

static void *finish(void *unused) {
    ready = 5;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, finish, NULL);
    int seen = 0;
    _Bool at_head = tp_input_bool("at_head");
    if (!at_head)
        goto middle;
head:
    if (seen == 5)
        goto end;
middle:
    seen = ready;
    goto head;
end:
    assert(!at_head); //~ error[assert]
    return 0;
}
