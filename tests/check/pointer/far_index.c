// check: --property memory
// An index so far outside of the array that the offset in bytes does not fit an address any more. The solver does not follow such
// an index, and says so; an execution finds the access.
extern long __VERIFIER_nondet_long(void);

struct point {
    int x, y, z;
};

static struct point points[4];

int main(void)
{
    long i = __VERIFIER_nondet_long();
    if (i > 1L << 58)
        points[i].x = 1; //~ error[unsupported]
}
