// check: --property memory
// An index that is computed in forty steps, each of which can go two ways: there are few values, and very many ways to them.
extern unsigned __VERIFIER_nondet_uint(void);

static int table[4];

int main(void) {
    unsigned ways = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint(), index = 0;
    for (int step = 0; step < 40; step++)
        index = ways >> (step % 32) & 1 ? index + by : index - by;
    if (index < 4)
        table[index] = 1;
    return 0;
}
