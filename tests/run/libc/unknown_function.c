// run: --runs 1
// A function without a body and without a model: reaching it ends the run with its name.
extern int frobnicate(int);

int main(void) { return frobnicate(1); } //~ error[unmodelled]
