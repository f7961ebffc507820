#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void){assert(0);}
#define E() do{reach_error();}while(0)

pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER,n=PTHREAD_MUTEX_INITIALIZER;
void*t(void*a){pthread_mutex_lock(&m);pthread_mutex_lock(&n);pthread_mutex_unlock(&n);pthread_mutex_unlock(&m);return 0;}
int main(){pthread_t p;pthread_create(&p,0,t,0);pthread_mutex_lock(&n);pthread_mutex_lock(&m);pthread_mutex_unlock(&m);pthread_mutex_unlock(&n);pthread_join(p,0);return 0;}
