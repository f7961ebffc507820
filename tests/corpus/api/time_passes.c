// Between two looks at the clock any time may pass, but it never goes back. The mistake: to expect that it is short.
#include <assert.h>
#include <time.h>

int main(void) {
    time_t before = time(NULL);
    time_t after = time(NULL);
#ifdef MISTAKE
    assert(after - before < 3600);
#else
    assert(after >= before);
#endif
    return 0;
}
