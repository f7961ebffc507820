// 51. unreach-call: violated, no-data-race: violated, valid-memory: violated
// A thread reads freed memory: in the execution that the solver found it goes on, in the replay it stops there. That is
// undefined behaviour, not a failure of the replay.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *fr;
_Bool __VERIFIER_nondet_bool(void);
void *thread1(void *arg) {
    int r2 = 2;
    if (fr) r2 = fr->v;
    struct node *p6 = malloc(sizeof *p6);
    if (!fr) fr = p6; else free(p6);
    return 0;
}
void *thread0(void *arg) {
    struct node *p7 = fr;
    fr = 0;
    free(p7);
    return 0;
}
int main(void) {
    int r1 = __VERIFIER_nondet_bool();
    int r2 = 0;
    fr = calloc(1, sizeof *fr);
    pthread_t t0, t1;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t0, 0);
    int end = (r2 & 7) | (r1 & 7) << 3 | ((fr == 0) & 7) << 6;
    assert(end != 0);
    return 0;
}
