// run: --runs 1
// One member of the struct was forgotten.
struct point {
    int x, y;
};

int main(void) {
    struct point p;
    p.x = 1;
    struct point copy = p;
    while (copy.y > 0) //~ error[memory]
        copy.y--;
    return 0;
}
