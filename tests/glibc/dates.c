// Dates in UTC.
#include "calls.h"
#include <limits.h>
#include <time.h>

static void show(const char *what, const struct tm *t) {
    if (t)
        printf("call %s = %d-%d-%d %d:%d:%d, weekday %d, day %d, %d %ld %s\n", what, t->tm_year, t->tm_mon, t->tm_mday, t->tm_hour,
               t->tm_min, t->tm_sec, t->tm_wday, t->tm_yday, t->tm_isdst, t->tm_gmtoff, t->tm_zone);
    else
        printf("call %s = null\n", what);
}

static void make(int year, int month, int day, int hour, int minute, int second) {
    struct tm t = { .tm_year = year, .tm_mon = month, .tm_mday = day, .tm_hour = hour, .tm_min = minute, .tm_sec = second };
    printf("call mktime(%d, %d, %d, %d, %d, %d) = %ld\n", year, month, day, hour, minute, second, (long)mktime(&t));
    show("parts", &t);
}

static void format(const char *format, const struct tm *t) {
    char b[80];
    size_t n = strftime(b, sizeof b, format, t);
    printf("call strftime(%s) = %zu \"%s\"\n", format, n, n ? b : "");
}

int main(void) {
    setenv("TZ", "UTC", 1);
    tzset();
    TEXT(tzname[0]); LONG(timezone); INT(daylight);
    const time_t times[] = { 0, -1, 1, 86399, 86400, 951782400, 951868800, 1078012800, 1750000000, 2147483647, -2147483647 - 1, 68169600,
                             -62135596, -2208988800 % 2147483647, 1735689599, 1735689600, 1230768000, 1609459199 };
    for (size_t i = 0; i < COUNT(times); i++) {
        struct tm t;
        char line[26];
        printf("%ld\n", (long)times[i]);
        show("gmtime_r", gmtime_r(&times[i], &t));
        show("localtime_r", localtime_r(&times[i], &t));
        LONG(mktime(&t)); LONG(timegm(&t)); TEXT(asctime_r(&t, line)); TEXT(ctime_r(&times[i], line));
        format("%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %V %G %g %u %w", &t);
    }
    if (sizeof(time_t) == 8) {
        struct tm t;
        time_t far = 67768036191676799, further = far + 1;
        show("gmtime_r", gmtime_r(&far, &t)); FAILS((long)gmtime_r(&further, &t));
        t = (struct tm){ .tm_year = INT_MAX, .tm_mon = 12, .tm_mday = 1 };
        FAILS(mktime(&t));
    }
    make(70, 0, 1, 0, 0, 0); make(125, 13, 1, 0, 0, 0); make(125, -1, 32, 25, 61, 61); make(124, 1, 30, 0, 0, 0); make(100, 1, 29, 12, 0, -1);
    make(69, 11, 31, 23, 59, 59); make(99, -25, 0, -1, -1, -1); make(125, 0, 400, 0, 0, 100000);
    time_t now = 1750000000;
    struct tm t = *gmtime(&now);
    const char *formats[] = { "%c", "%C", "%D", "%e", "%F", "%h", "%I", "%k|%l", "%-d|%-m|%_H|%0e", "%^a %^B", "%M%n%t%%", "%p %P", "%r", "%R",
                              "%s", "%T", "%x %X", "%y", "%z %Z", "%Ey %Od", "", "plain" };
    for (size_t i = 0; i < COUNT(formats); i++)
        format(formats[i], &t);
    char small[5];
    LONG(strftime(small, 5, "%Y", &t)); TEXT(small); LONG(strftime(small, 4, "%Y", &t)); LONG(strftime(small, 0, "%Y", &t));
    TEXT(asctime(&t)); TEXT(ctime(&now));
    return 0;
}
