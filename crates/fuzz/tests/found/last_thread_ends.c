// 200968. no-leak: violated
// The first thread ends and the program goes on; leaks were only checked where `main` returns.
#include <pthread.h>
#include <stdlib.h>
void *thread0(void *arg) {
    int *lost = malloc(sizeof *lost);
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, 0);
    pthread_exit(0);
}
