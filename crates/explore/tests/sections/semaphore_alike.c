#include <pthread.h>
#include <semaphore.h>
sem_t s;
void*t(void*a){sem_wait(&s);return 0;}
int main(){pthread_t p,q;sem_init(&s,0,1);pthread_create(&p,0,t,0);pthread_create(&q,0,t,0);pthread_join(p,0);pthread_join(q,0);return 0;}
