// check: --property memory
// The variable of a switch is another one each time control enters the switch.
int main(void) {
    int *kept = 0, sum = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
            int value;
        case 0:
            value = 1;
            kept = &value;
            break;
        case 1:
            sum = *kept; //~ error[memory]
            break;
        }
    }
    return sum;
}
