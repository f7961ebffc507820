// run: --runs 1
// A function without a model is no trouble as long as it is not called.
extern int frobnicate(int);

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 5)
        return frobnicate(1);
    return 0;
}
