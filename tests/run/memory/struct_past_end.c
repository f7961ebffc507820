// run: --runs 1
// A small header is read as if it were the larger message.
#include <stdlib.h>

struct header {
    int kind;
};
struct message {
    struct header header;
    int length;
};

static int length(struct header *header) {
    return ((struct message *)header)->length; //~ error[memory]
}

int main(void) {
    struct header *header = malloc(sizeof *header);
    header->kind = 0;
    int n = length(header);
    free(header);
    return n;
}
