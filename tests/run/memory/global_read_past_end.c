// run: --runs 1
// A table of names is read with an index that comes from a value one too large.
static const char *const names[] = {"red", "green", "blue"};

static const char *name(unsigned colour) {
    return names[colour]; //~ error[memory]
}

int main(void) { return name(3)[0] == 'r'; }
