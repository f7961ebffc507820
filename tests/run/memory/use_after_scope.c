// run: --runs 1
// A pointer outlives the block its variable was declared in.
#include <stddef.h>

int main(void) {
    int *found = NULL;
    for (int i = 0; i < 3; i++) {
        int value = i * 10;
        if (i == 1)
            found = &value;
    }
    return *found != 20; //~ error[memory]
}
