// run: --runs 1
// The length is checked before the header is read as a message.
#include <stdlib.h>

struct header {
    int kind;
};
struct message {
    struct header header;
    int length;
};

static int length(struct header *header) {
    if (header->kind != 1)
        return 0;
    return ((struct message *)header)->length;
}

int main(void) {
    struct header *header = malloc(sizeof *header);
    header->kind = 0;
    int n = length(header);
    free(header);
    return n;
}
