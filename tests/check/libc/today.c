// check: --property assert,memory,overflow
// The buffer has no room for the terminator: strftime returns 0.
#include <assert.h>
#include <time.h>

int main(void) {
    time_t now = time(NULL);
    struct tm today;
    localtime_r(&now, &today);
    char text[8];
    assert(strftime(text, sizeof text, "%H:%M:%S", &today) == 8); //~ error[assert]
    assert(today.tm_mon < 12 && text[2] == ':');
    return 0;
}
