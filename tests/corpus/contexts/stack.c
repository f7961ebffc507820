// Stack: a thread pushes N numbers and another pops N times, each under the lock. The assertions hold: who pops looks first
// whether the stack is empty. With -DMISTAKE it does not look, and the assertion in `pop` fails, unless all that is popped
// was pushed before. Nothing races.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cells[N], top;

static void push(int number) {
    assert(top < N);
    cells[top++] = number;
}

static int pop(void) {
    assert(top > 0);
    return cells[--top];
}

static void *fill(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        push(i);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *drain(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
#ifndef MISTAKE
        if (top > 0)
#endif
            assert(pop() < N);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t filler, drainer;
    pthread_create(&filler, NULL, fill, NULL);
    pthread_create(&drainer, NULL, drain, NULL);
    pthread_join(filler, NULL);
    pthread_join(drainer, NULL);
    return 0;
}
