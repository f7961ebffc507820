// check: --property memory
// A variable of a loop's body is another one in each round, though it lies in the same place.
static int largest(const int *values, int count) {
    const int *best = 0;
    for (int i = 0; i < count; i++) {
        int value = values[i] * 2;
        if (!best || value > *best) //~ error[memory]
            best = &value;
    }
    return best != 0;
}

int main(void) {
    int values[] = {1, 3, 2};
    return largest(values, 3);
}
