// check: --property stuck
// A mailbox for a question and an answer. The asker clears the answer before it asks.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int question, answer;

static void *reply(void *unused) {
    while (!question)
        ;
    answer = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reply, NULL);
    answer = 0;
    question = 1;
    while (!answer)
        ;
    pthread_join(thread, NULL);
    return 0;
}
