/* Where a program begins: the function that the first thread runs. */
#include "internal.h"

int main(int argc, char **argv, char **environment);
_Noreturn void exit(int status);

/* C11 5.1.2.2.3: a return from main is a call of exit with the value that it returns. */
void __tp_main(void)
{
    exit(main(__tp_argc, __tp_argv, __tp_environ));
}
