// run: --runs 1
// A function pointer that was never set is called.
#include <stddef.h>

static struct {
    int (*open)(int);
    int (*close)(int);
} driver;

static int open_device(int number) { return number; }

int main(void) {
    driver.open = open_device;
    driver.open(1);
    return driver.close(1); //~ error[memory]
}
