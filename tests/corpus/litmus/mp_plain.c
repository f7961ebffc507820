// Message passing with a plain flag: the flag itself is written and read at the same time.
#include <pthread.h>

static int data, flag;

static void *send(void *unused) {
    data = 42;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t sender;
    int read = 0;
    pthread_create(&sender, NULL, send, NULL);
    if (flag)
        read = data;
    pthread_join(sender, NULL);
    return read == 1;
}
