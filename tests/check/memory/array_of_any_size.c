// check: --property memory
// An array whose size is known when it is made lives as long as its block.
static int sum(int count) {
    int *kept = 0;
    for (int i = 1; i <= count; i++) {
        int values[i];
        values[0] = i;
        if (kept)
            values[0] += kept[0]; //~ error[memory]
        kept = values;
    }
    return kept != 0;
}

int main(void) { return sum(2); }
