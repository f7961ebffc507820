// run: --runs 1
// The variable has a value on every path.
static int parse(int c) {
    int sign = 1;
    if (c == '-')
        sign = -1;
    if (sign < 0)
        return 1;
    return 0;
}

int main(void) { return parse('7'); }
