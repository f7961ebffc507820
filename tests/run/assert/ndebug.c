// run: --runs 1
// With NDEBUG defined, assertions are not even evaluated (C11 7.2).
#define NDEBUG
#include <assert.h>

int main(void) {
    int evaluated = 0;
    assert((evaluated = 1) == 2);
    return evaluated;
}
