// check: --property memory
// The thread has ended before the block has; a literal that is evaluated again in the same block is the same one.
#include <assert.h>
#include <pthread.h>

struct job {
    int number;
};

static void *work(void *argument) {
    struct job *job = argument;
    return job->number ? job : 0;
}

static struct job made_in_block(int number) {
    {
        return (struct job){number};
    }
}

int main(void) {
    {
        pthread_t thread;
        pthread_create(&thread, 0, work, &(struct job){1});
        pthread_join(thread, 0);
    }
    {
        struct job *now = 0, *before;
        int rounds = 0;
    again:
        before = now;
        now = &(struct job){rounds++};
        if (rounds < 2)
            goto again;
        assert(now == before && before->number == 1);
    }
    struct job copy = made_in_block(3);
    return copy.number;
}
