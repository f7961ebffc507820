// A circular buffer whose index goes back one place too late: it writes behind the array. The lock does not help.
#include <pthread.h>

#define SIZE 2

static int place[SIZE], next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *argument) {
    pthread_mutex_lock(&lock);
    place[next] = *(int *)argument;
    if (++next > SIZE)
        next = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static int values[3] = {1, 2, 3};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, put, &values[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
