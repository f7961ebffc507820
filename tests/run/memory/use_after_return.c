// run: --runs 1
// A function returns the address of its local variable.
static int *fresh(void) {
    int value = 7;
    int *address = &value;
    return address;
}

int main(void) {
    int *p = fresh();
    return *p != 7; //~ error[memory]
}
