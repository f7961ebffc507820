// check: --property race --models unmodelled/models/log.c
// A model that a user adds is code like any other, whatever it says of itself.
#include <pthread.h>

int log_it(int *p);

int g;

void *work(void *p)
{
    log_it(&g); //~ error[race]
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
