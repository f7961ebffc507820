// run: --runs 1
// The index is checked before the table is read.
static const char *const names[] = {"red", "green", "blue"};

static const char *name(unsigned colour) {
    if (colour >= 3)
        return "?";
    return names[colour];
}

int main(void) { return name(3)[0] == 'r'; }
