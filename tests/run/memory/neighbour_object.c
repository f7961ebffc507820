// run: --runs 1
// A pointer that leaves its array does not reach the variable that happens to lie beside it.
static int low[2] = {1, 2};
static int high[2] = {3, 4};

int main(void) {
    int *end = low + 2;
    int sum = high[0] + high[1];
    for (int *p = low; p <= end; p++)
        sum += *p; //~ error[memory]
    return sum;
}
