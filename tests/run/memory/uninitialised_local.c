// run: --runs 1
// On one path the variable is decided on before it was ever written.
static int parse(int c) {
    int sign;
    if (c == '-')
        sign = -1;
    if (sign < 0) //~ error[memory]
        return 1;
    return 0;
}

int main(void) { return parse('7'); }
