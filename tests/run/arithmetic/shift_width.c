// run: --runs 1
// A shift by as many bits as the value has.
static unsigned mask(unsigned bits) {
    return (1u << bits) - 1; //~ error[arithmetic]
}

int main(void) { return mask(32) == 1; }
