// run: --runs 1
// The pointer one past the last element may be formed and compared, but not followed (C11 6.5.6).
#include <assert.h>

int main(void) {
    int values[3] = {1, 2, 3}, sum = 0;
    for (int *p = values, *end = values + 3; p != end; p++)
        sum += *p;
    assert(sum == 6);
    assert(&values[3] - &values[0] == 3);
    return 0;
}
