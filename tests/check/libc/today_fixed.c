// check: --property assert,memory,overflow
// A date of any time of the program is in range, and its text has the length that it should have.
#include <assert.h>
#include <time.h>

int main(void) {
    time_t now = time(NULL);
    struct tm today;
    localtime_r(&now, &today);
    char text[9];
    assert(strftime(text, sizeof text, "%H:%M:%S", &today) == 8);
    assert(today.tm_mon < 12 && text[2] == ':');
    return 0;
}
