// Local dates in time zones that TZ gives in the form of POSIX.
#include "calls.h"
#include <time.h>

static void show(const char *zone, time_t time) {
    char text[64];
    struct tm parts;
    localtime_r(&time, &parts);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z %Z %j", &parts);
    printf("call localtime %lld in %s = %s, %d %ld\n", (long long)time, zone, text, parts.tm_isdst, parts.tm_gmtoff);
    LONG(mktime(&parts));
}

static void make(const char *zone, int month, int day, int hour, int minute, int summer) {
    struct tm parts = {.tm_year = 125, .tm_mon = month, .tm_mday = day, .tm_hour = hour, .tm_min = minute, .tm_isdst = summer};
    time_t time = mktime(&parts);
    printf("call mktime %d-%d %d:%d %d in %s = %lld, %d:%d %d %s\n", month, day, hour, minute, summer, zone,
           (long long)time, parts.tm_hour, parts.tm_min, parts.tm_isdst, parts.tm_zone);
}

int main(void) {
    static const char *const zones[] = {"UTC", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT", "EST5EDT,M3.2.0,M11.1.0", "JST-9",
                                        "<+0530>-5:30", "NZST-12NZDT,M9.5.0,M4.1.0/3", "XYZ3:15:30ABC1,J60/0,J300/12",
                                        "AAA-2BBB-4,59/1:30,250", "<-03>3", "UTC0", "GMT0BST,M3.5.0/1,M10.5.0"};
    static const long times[] = {0, 1750000000, 1735689600, 1743296399, 1743296400, 1761440399, 1761440400, 1741503599,
                                 1741503600, 1762063199, 1762063200, -1, 951782400, 1709164800, 1740787199, 1740787200};
    for (size_t i = 0; i < COUNT(zones); i++) {
        setenv("TZ", zones[i], 1);
        tzset();
        TEXT(tzname[0]);
        if (daylight)
            TEXT(tzname[1]);
        LONG(timezone);
        INT(daylight);
        for (size_t j = 0; j < COUNT(times); j++)
            show(zones[i], times[j]);
        for (int summer = -1; summer <= 0; summer++) {
            make(zones[i], 0, 15, 12, 30, summer);
            make(zones[i], 6, 15, 12, 30, summer);
            make(zones[i], 11, 31, 23, 59, summer);
            make(zones[i], 3, 31, 25, 70, summer);
        }
    }
    time_t now = 1750000000;
    TEXT(ctime(&now));
    TEXT(asctime(localtime(&now)));
    return 0;
}
