// run: --runs 1
// The mask of all bits needs a case of its own.
static unsigned mask(unsigned bits) {
    if (bits == 32)
        return ~0u;
    return (1u << bits) - 1;
}

int main(void) { return mask(32) == 1; }
