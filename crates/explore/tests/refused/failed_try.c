// A try that fails orders nothing: the race is between accesses that no execution has side by side.
#include <pthread.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;int x;
void*t(void*a){x=1;pthread_mutex_lock(&m);pthread_mutex_unlock(&m);return 0;}
int main(){pthread_t p;pthread_create(&p,0,t,0);if(pthread_mutex_trylock(&m)!=0){x=2;}else pthread_mutex_unlock(&m);pthread_join(p,0);return 0;}
