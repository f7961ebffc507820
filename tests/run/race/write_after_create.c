// run: --runs 50 --seed 1
// The request is filled in after the thread that reads it was started.
#include <pthread.h>

struct request {
    int from, to;
};

static int span;

static void *serve(void *argument) {
    struct request *request = argument;
    span = request->to - request->from; //~ error[race]
    return NULL;
}

int main(void) {
    struct request request = {.from = 3, .to = 4};
    pthread_t thread;
    pthread_create(&thread, NULL, serve, &request);
    request.to = 9;
    pthread_join(thread, NULL);
    return 0;
}
