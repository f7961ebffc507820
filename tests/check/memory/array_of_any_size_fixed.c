// check: --property memory
// It is used only while it is there.
static int sum(int count) {
    int all = 0;
    for (int i = 1; i <= count; i++) {
        int values[i], *last = &values[i - 1];
        *last = i;
        all += *last;
    }
    return all;
}

int main(void) { return sum(2); }
