// run: --runs 1
// Not-a-number is no integer.
static unsigned pixels(double width) {
    return (unsigned)width; //~ error[arithmetic]
}

int main(void) {
    double zero = 0.0;
    return pixels(zero / zero) == 1;
}
