// check: --property assert
// While both are there their ids differ.
#include <assert.h>
#include <pthread.h>

static pthread_t first, second;

static void *nothing(void *unused) { return unused; }

int main(void) {
    pthread_create(&first, 0, nothing, 0);
    pthread_create(&second, 0, nothing, 0);
    assert(!pthread_equal(first, second));
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
