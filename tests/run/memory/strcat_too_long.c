// run: --runs 1
// The second piece does not fit any more.
#include <string.h>

int main(void) {
    char path[12] = "/tmp/";
    strcat(path, "a");
    strcat(path, "/longer"); //~ error[memory]
    return 0;
}
