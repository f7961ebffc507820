// check: --property memory
// What a jump goes past is used inside of its block only, whichever way control comes there.
int __VERIFIER_nondet_int(void);

static int last(const int *value) { return *value; }

static int status(int input) {
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        switch (input + round) {
            int value;
        case 0:
            value = 1;
            sum += last(&value);
            break;
        case 1:
            value = 2;
            sum += last(&value);
            break;
        default:
            sum++;
        }
        int tries = 0;
        const int *first = 0;
    again:
        if (first)
            sum += last(first);
        int seen = round;
        first = &seen;
        if (tries++ < 1)
            goto again;
    }
    return sum;
}

int main(void) { return status(__VERIFIER_nondet_int()) == 0; }
