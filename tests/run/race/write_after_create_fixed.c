// run: --runs 50 --seed 1
// The request is filled in before the thread that reads it is started.
#include <pthread.h>

struct request {
    int from, to;
};

static int span;

static void *serve(void *argument) {
    struct request *request = argument;
    span = request->to - request->from;
    return NULL;
}

int main(void) {
    struct request request = {.from = 3, .to = 4};
    pthread_t thread;
    request.to = 9;
    pthread_create(&thread, NULL, serve, &request);
    pthread_join(thread, NULL);
    return 0;
}
