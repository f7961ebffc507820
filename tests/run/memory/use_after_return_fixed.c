// run: --runs 1
// A function returns the address of a static variable.
static int *fresh(void) {
    static int value = 7;
    int *address = &value;
    return address;
}

int main(void) {
    int *p = fresh();
    return *p != 7;
}
