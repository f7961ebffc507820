// Labels as values, a GNU extension that interpreters use.
#include <stdio.h>

static int run(const unsigned char *code) {
    static const void *const table[] = {&&push, &&add, &&twice, &&print, &&stop};
    int stack[8], top = 0;
    goto *table[*code++];
push:
    stack[top++] = *code++;
    goto *table[*code++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *table[*code++];
twice:
    stack[top - 1] *= 2;
    goto *table[*code++];
print:
    printf("%d\n", stack[top - 1]);
    goto *table[*code++];
stop:
    return stack[top - 1];
}

int main(void) {
    const unsigned char program[] = {0, 20, 0, 1, 1, 3, 2, 3, 4};
    printf("%d\n", run(program));
    return 0;
}
