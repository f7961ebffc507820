// check: --property assert
// A structure of one word, of which a part was written, is handed over.
#include <assert.h>

struct pair {
    int first, second;
};

static struct pair make(void) {
    struct pair pair;
    pair.first = 1;
    return pair;
}

int main(void) {
    struct pair pair = make();
    assert(pair.second != 7); //~ error[assert]
    return 0;
}
