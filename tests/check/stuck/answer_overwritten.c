// check: --property stuck
// A mailbox for a question and an answer. The asker clears the answer after it has asked, which may be after it was answered.
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
    question = 1;
    answer = 0;
    while (!answer) //~ error[stuck]
        ;
    pthread_join(thread, NULL);
    return 0;
}
