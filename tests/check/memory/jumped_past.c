// check: --property memory
// A jump can go past the declaration of `code`, which is gone with its block all the same.
int __VERIFIER_nondet_int(void);

static int status(int input) {
    int *error = 0;
    {
        if (input < 0)
            goto done;
        int code = input;
        error = &code;
    done:;
    }
    return error ? *error : -1; //~ error[memory]
}

int main(void) { return status(__VERIFIER_nondet_int()) == 0; }
