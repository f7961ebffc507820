// run: --runs 1
// The average of no values.
static int average(int sum, int count) {
    return sum / count; //~ error[arithmetic]
}

int main(void) { return average(0, 0); }
