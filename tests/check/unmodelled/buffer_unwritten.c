// check: --unmodelled pure
// The same where nothing was in it, and the function returns nothing: it is used as an index.
extern void fill(unsigned char *buffer, int size);

static int table[4];

int main(void) {
    unsigned char buffer[4];
    fill(buffer, sizeof buffer);
    return table[buffer[1]]; //~ error[memory]
}
