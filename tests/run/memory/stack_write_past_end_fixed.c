// run: --runs 1
// A local array of four is indexed with zero to three.
int main(void) {
    int window[4];
    int last = 3;
    for (int i = 0; i <= last; i++)
        window[i] = 0;
    return window[0];
}
