// check: --property assert
// The id of a thread that was joined is given to the next one: who has kept it takes one for the other.
#include <assert.h>
#include <pthread.h>

static pthread_t first, second;

static void *nothing(void *unused) { return unused; }

int main(void) {
    pthread_create(&first, 0, nothing, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, nothing, 0);
    assert(!pthread_equal(first, second)); //~ error[assert]
    pthread_join(second, 0);
    return 0;
}
