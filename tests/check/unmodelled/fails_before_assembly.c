// check: --property assert
// A thread fails before something that cannot be imported, which nothing keeps the first thread from.
#include <assert.h>
#include <pthread.h>

static void *measure(void *unused) {
    assert(unused != NULL); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, measure, NULL);
    __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
    return 0;
}
