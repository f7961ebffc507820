// run: --runs 1 --models libc/models/frobnicate.c
// The same function, with a model given on the command line.
extern int frobnicate(int);

int main(void) { return frobnicate(1) != 2; }
