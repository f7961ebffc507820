// run: --runs 1
// A buffer is written out before anything was put into it.
#include <unistd.h>

int main(void) {
    char buffer[4];
    (void)!write(1, NULL, 0);
    (void)!write(1, buffer, 4); //~ error[memory]
    return 0;
}
