// check: --property memory
// What outlives a round lies outside of the loop.
static int largest(const int *values, int count) {
    int best = 0;
    for (int i = 0; i < count; i++) {
        int value = values[i] * 2, *chosen = value > best ? &value : &best;
        best = *chosen;
    }
    return best;
}

int main(void) {
    int values[] = {1, 3, 2};
    return largest(values, 3);
}
