// run: --runs 1
// reach_error without a definition is the error call all the same.
extern void reach_error(void);

int main(void) {
    reach_error(); //~ error[assert]
    return 0;
}
