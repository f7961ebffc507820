// check: --property assert,reach-error,lock --unwind 4
// A loop with two ways in; however it was entered, it is left when the other thread has come.
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
    assert(seen == 5);
    return 0;
}
