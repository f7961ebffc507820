// check: --property memory
// From one variable there is no way into another one, however far it is moved.
static int a, b;

int main(void) {
    long distance = (char *)&b - (char *)&a;
    *(int *)((char *)&a + distance) = 1; //~ error[memory]
    return b;
}
