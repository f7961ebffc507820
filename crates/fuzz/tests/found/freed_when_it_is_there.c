// 50451. valid-memory: safe
// The pointer is null or the other thread's object; it was taken for one that cannot be freed.
#include <pthread.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *own;
void *thread0(void *arg) {
    own = malloc(sizeof *own);
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, 0);
    struct node *p6 = own;
    free(p6);
    return 0;
}
