// run: --runs 1
// String literals must not be modified (C11 6.4.5).
static void shout(char *text) {
    text[0] = 'H'; //~ error[memory]
}

int main(void) {
    char own[] = "hello";
    shout(own);
    shout("hello");
    return 0;
}
