// run: --runs 200 --seed 1
// Without --stdin, what read gives is any bytes.
#include <assert.h>
#include <unistd.h>

int main(void) {
    char buffer[4] = "";
    long n = read(0, buffer, sizeof buffer);
    assert(n >= 0 && n <= 4);
    assert(n < 2 || buffer[0] == buffer[1]); //~ error[assert]
    return 0;
}
