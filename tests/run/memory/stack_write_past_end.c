// run: --runs 1
// A local array of four is indexed with four.
int main(void) {
    int window[4];
    int last = 4;
    for (int i = 0; i <= last; i++)
        window[i] = 0; //~ error[memory]
    return window[0];
}
