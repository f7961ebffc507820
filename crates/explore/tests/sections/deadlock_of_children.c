#include <pthread.h>
pthread_mutex_t a=PTHREAD_MUTEX_INITIALIZER,b=PTHREAD_MUTEX_INITIALIZER;
#define F(n,x,y) void*n(void*k){pthread_mutex_lock(&x);pthread_mutex_lock(&y);pthread_mutex_unlock(&y);pthread_mutex_unlock(&x);return 0;}
F(t0,a,b) F(t1,b,a)
int main(){pthread_t p,q;pthread_create(&p,0,t0,0);pthread_create(&q,0,t1,0);pthread_join(p,0);pthread_join(q,0);return 0;}
