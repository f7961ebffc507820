// check: --property memory
// It is kept outside of the switch.
int main(void) {
    int *kept = 0, sum = 0, value = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
        case 0:
            value = 1;
            kept = &value;
            break;
        case 1:
            sum = *kept;
            break;
        }
    }
    return sum;
}
