// run: --runs 1
// The variable lives as long as the pointer to it.
#include <stddef.h>

int main(void) {
    int *found = NULL;
    int value = 0;
    for (int i = 0; i < 3; i++) {
        value = i * 10;
        if (i == 1)
            found = &value;
    }
    return *found != 20;
}
