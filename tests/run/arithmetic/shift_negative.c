// run: --runs 1
// A shift by a negative number of bits.
static int scale(int value, int by) {
    return value >> by; //~ error[arithmetic]
}

int main(void) { return scale(8, -1); }
