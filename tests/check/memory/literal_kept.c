// check: --property memory
// A compound literal lives as long as the block around it, which the thread may outlive.
#include <pthread.h>

struct job {
    int number;
};

static void *work(void *argument) {
    struct job *job = argument;
    return job->number ? job : 0; //~ error[memory]
}

int main(void) {
    pthread_t thread;
    {
        pthread_create(&thread, 0, work, &(struct job){1});
    }
    pthread_join(thread, 0);
    return 0;
}
