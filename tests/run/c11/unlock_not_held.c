// run: --runs 1
// mtx_unlock needs the mutex to be locked by the calling thread (C11 7.26.4.6).
#include <threads.h>

int main(void) {
    mtx_t lock;
    mtx_init(&lock, mtx_plain);
    mtx_unlock(&lock); //~ error[lock]
    return 0;
}
