// check: --property assert
// All functions that nobody knows are named at once: those used most first, then by name.
#include <assert.h>
#include <stdio.h>

struct device;
extern struct device *device_open(const char *name);
extern int device_read(struct device *d, char *to, unsigned long size);
extern void device_close(struct device *d);
extern void on_error(int code);

static void (*handler)(int) = on_error;

int main(void) {
    struct device *d = device_open("a"); //~ error[unmodelled]
    char c;
    if (device_read(d, &c, 1) < 0 || device_read(d, &c, 1) < 0)
        handler(1);
    device_close(d);
    printf("done\n");
    assert(c != 'x');
    return 0;
}
