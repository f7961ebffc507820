/* Dates: <time.h> without the clock. The time zone is UTC, or what TZ says in the form of POSIX. */
#include "zone.h"

int snprintf(char *to, size_t size, const char *format, ...);
char *getenv(const char *name);
int strcmp(const char *a, const char *b);

struct tm {
    int sec, min, hour, mday, mon, year, wday, yday, isdst;
    long gmtoff;
    const char *zone;
};

char *tzname[2] = { "UTC", "UTC" };
extern char *__tzname[2] __attribute__((alias("tzname")));
int daylight;
extern int __daylight __attribute__((alias("daylight")));
long timezone;
extern long __timezone __attribute__((alias("timezone")));

/* Reported when it is reached: a zone whose rules are in a file. */
void time_zone_without_model(void);

/* The zone that TZ names, and the text of that, unless it is UTC. Both change only when TZ does: programs keep pointers to
 * the names. */
static struct __tpm_zone zone;
static char text_of_zone[64];
static _Bool is_utc = 1;

static _Bool means_utc(const char *text)
{
    return !text || !*text || !strcmp(text, "UTC") || !strcmp(text, "UTC0") || !strcmp(text, ":UTC");
}

static void change_zone(const char *text)
{
    size_t length = __tpm_strlen(text);
    struct __tpm_zone new;
    if (!__tpm_read_zone(text, &new) || length >= sizeof text_of_zone)
        time_zone_without_model();
    __builtin_memcpy(text_of_zone, text, length + 1);
    zone = new;
}

/* POSIX tzset: the time zone of the environment variable TZ. */
void tzset(void)
{
    const char *text = getenv("TZ");
    if (means_utc(text)) {
        if (!is_utc) {
            tzname[0] = tzname[1] = "UTC";
            timezone = daylight = 0;
        }
        is_utc = 1;
        return;
    }
    if (!is_utc && !strcmp(text, text_of_zone))
        return;
    is_utc = 0;
    if (strcmp(text, text_of_zone))
        change_zone(text);
    tzname[0] = zone.name[0];
    tzname[1] = zone.name[1];
    timezone = -zone.offset[0];
    daylight = zone.has_summer;
}

enum { DAY = 86400 };

/* Days from 1970-01-01 to the first day of a month (0 is January) in the Gregorian calendar, counted in eras of 400 years
 * that begin on the first of March. */
long long __tpm_days_before(long long year, int month)
{
    if (month < 2)
        year--;
    long long era = (year >= 0 ? year : year - 399) / 400;
    int of_era = (int)(year - era * 400);
    int since_march = month < 2 ? month + 10 : month - 2;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * since_march + 2) / 5 - 719468;
}

static _Bool is_leap(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}


/* C11 7.27.3.3 and POSIX gmtime_r: the date of a time; null and EOVERFLOW if its year is no int. */
static struct tm *date(long long time, struct tm *result)
{
    long long days = (time >= 0 ? time : time - (DAY - 1)) / DAY;
    int second = (int)(time - days * DAY);
    long long shifted = days + 719468;
    long long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int of_era = (int)(shifted - era * 146097);
    int year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int since_march = (5 * of_year + 2) / 153;
    int month = since_march < 10 ? since_march + 2 : since_march - 10;
    long long year = era * 400 + year_of_era + (month < 2);
    if (year - 1900 != (int)(year - 1900)) {
        errno = EOVERFLOW;
        return 0;
    }
    _Bool leap = year_of_era % 4 == 0 && (year_of_era % 100 != 0 || year_of_era == 0);
    /* An era begins on a Wednesday and has whole weeks. */
    struct tm found = { second % 60, second / 60 % 60, second / 3600, of_year - (153 * since_march + 2) / 5 + 1, month,
                        (int)(year - 1900), (of_era + 3) % 7, month < 2 ? of_year - 306 : of_year + 59 + leap,
                        0, 0, "GMT" };
    *result = found;
    return result;
}

struct tm *gmtime_r(const long *time, struct tm *result)
{
    return date(*time, result);
}

long long __tpm_year_of(long long time)
{
    struct tm parts;
    return date(time, &parts) ? parts.year + 1900ll : 0;
}

/* The date in the time zone, which is not UTC. */
static struct tm *date_there(long long time, struct tm *result)
{
    _Bool summer = __tpm_is_summer(&zone, time);
    struct tm *found = date(time + zone.offset[summer], result);
    if (found) {
        found->zone = tzname[summer];
        found->gmtoff = zone.offset[summer];
        found->isdst = summer;
    }
    return found;
}

/* C11 7.27.3.4 and POSIX localtime_r: the same in the time zone. */
struct tm *localtime_r(const long *time, struct tm *result)
{
    tzset();
    if (!is_utc)
        return date_there(*time, result);
    struct tm *found = date(*time, result);
    if (found)
        found->zone = "UTC";
    return found;
}

static struct tm shared;

struct tm *gmtime(const long *time)
{
    return gmtime_r(time, &shared);
}

struct tm *localtime(const long *time)
{
    return localtime_r(time, &shared);
}

/* The seconds that a date is after 1970-01-01, as if it was in UTC; its parts may be out of range. */
static long long seconds_of(const struct tm *parts)
{
    long long months = parts->year * 12ll + parts->mon;
    long long year = 1900 + (months >= 0 ? months : months - 11) / 12;
    int month = (int)(months - (year - 1900) * 12);
    long long days = __tpm_days_before(year, month) + parts->mday - 1;
    return days * DAY + parts->hour * 3600ll + parts->min * 60ll + parts->sec;
}

/* The time of a date in UTC, whose parts are put right; -1 and EOVERFLOW if there is none. */
static long time_of(struct tm *parts, const char *name)
{
    long long time = seconds_of(parts);
    struct tm right;
    if (time != (long)time || !date(time, &right)) {
        errno = EOVERFLOW;
        return -1;
    }
    right.zone = name;
    *parts = right;
    return (long)time;
}

/* The same in the time zone, which is not UTC. Where isdst does not say it, it is the time that holds then. */
static long time_there(struct tm *parts)
{
    long long local = seconds_of(parts);
    _Bool summer = parts->isdst > 0 && zone.has_summer;
    if (parts->isdst < 0)
        summer = zone.has_summer && __tpm_is_summer(&zone, local - zone.offset[1])
                 && __tpm_is_summer(&zone, local - zone.offset[0]);
    long long time = local - zone.offset[summer];
    struct tm right;
    if (time != (long)time || !date_there(time, &right)) {
        errno = EOVERFLOW;
        return -1;
    }
    *parts = right;
    return (long)time;
}

/* C11 7.27.2.3: the time of a local date. */
long mktime(struct tm *parts)
{
    tzset();
    return is_utc ? time_of(parts, "UTC") : time_there(parts);
}

/* The C library's timegm: the same in UTC. */
long timegm(struct tm *parts)
{
    return time_of(parts, "GMT");
}

static const char *const weekdays[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const months[] = { "January", "February", "March", "April", "May", "June", "July", "August",
                                      "September", "October", "November", "December" };

static const char *weekday_of(const struct tm *t)
{
    return t->wday >= 0 && t->wday < 7 ? weekdays[t->wday] : "???";
}

static const char *month_of(const struct tm *t)
{
    return t->mon >= 0 && t->mon < 12 ? months[t->mon] : "???";
}

/* The week of ISO 8601 (the first has the first Thursday), and the year that it belongs to. */
static int iso_week(const struct tm *t, int *year)
{
    int from_monday = (t->wday + 6) % 7;
    int thursday = t->yday - from_monday + 3;
    *year = t->year + 1900;
    if (thursday < 0) {
        --*year;
        thursday += 365 + is_leap(*year);
    } else if (thursday >= 365 + is_leap(*year)) {
        thursday -= 365 + is_leap(*year);
        ++*year;
    }
    return thursday / 7 + 1;
}

/* Where strftime writes. */
struct text {
    char *to;
    size_t size, length;
    _Bool fits;
};

static void put_one(struct text *out, char c, _Bool upper)
{
    if (out->length + 1 >= out->size) {
        out->fits = 0;
        return;
    }
    out->to[out->length++] = upper && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static void put(struct text *out, const char *from, _Bool upper)
{
    for (; *from; from++)
        put_one(out, *from, upper);
}

/* Reported when they are reached: a field of a date that is out of range, a conversion or width that is not there. */
void strftime_field_out_of_range_without_model(void);
void strftime_conversion_without_model(void);

static void put_digit(struct text *out, int digit)
{
    put_one(out, (char)('0' + digit), 0);
}

/* A number of two digits. `pad` is '0' or '_' or '-' if the format says so: a blank for the first digit if that is 0, or
 * nothing. How long the text gets depends on the number only with '-', so that of an unknown date all but digits is known. */
static void put_two(struct text *out, int n, char pad, char usual)
{
    if (n < 0 || n > 99)
        strftime_field_out_of_range_without_model();
    if (!pad)
        pad = usual;
    if (pad == '-') {
        if (n > 9)
            put_digit(out, n / 10);
    } else {
        put_one(out, (char)(pad == '_' && n < 10 ? ' ' : '0' + n / 10), 0);
    }
    put_digit(out, n % 10);
}

/* The first three letters of a name. */
static void put_three(struct text *out, const char *name, _Bool upper)
{
    for (int i = 0; i < 3; i++)
        put_one(out, name[i], upper);
}

static void put_year(struct text *out, int year)
{
    if (year < 1000 || year > 9999)
        strftime_field_out_of_range_without_model();
    put_two(out, year / 100, 0, '0');
    put_two(out, year % 100, 0, '0');
}

static void format_date(struct text *out, const char *format, const struct tm *t);

static void convert(struct text *out, char c, char pad, _Bool upper, const struct tm *t)
{
    int hour = t->hour % 12 == 0 ? 12 : t->hour % 12, year;
    int full = t->year + 1900;
    switch (c) {
    case 'a': put_three(out, weekday_of(t), upper); break;
    case 'A': put(out, weekday_of(t), upper); break;
    case 'b':
    case 'h': put_three(out, month_of(t), upper); break;
    case 'B': put(out, month_of(t), upper); break;
    case 'c': format_date(out, "%a %b %e %H:%M:%S %Y", t); break;
    case 'C': put_two(out, full / 100, pad, '0'); break;
    case 'd': put_two(out, t->mday, pad, '0'); break;
    case 'D':
    case 'x': format_date(out, "%m/%d/%y", t); break;
    case 'e': put_two(out, t->mday, pad, '_'); break;
    case 'F': format_date(out, "%Y-%m-%d", t); break;
    case 'g': iso_week(t, &year); put_two(out, (year % 100 + 100) % 100, pad, '0'); break;
    case 'G': iso_week(t, &year); put_year(out, year); break;
    case 'H': put_two(out, t->hour, pad, '0'); break;
    case 'I': put_two(out, hour, pad, '0'); break;
    case 'j': put_digit(out, (t->yday + 1) / 100); put_two(out, (t->yday + 1) % 100, 0, '0'); break;
    case 'k': put_two(out, t->hour, pad, '_'); break;
    case 'l': put_two(out, hour, pad, '_'); break;
    case 'm': put_two(out, t->mon + 1, pad, '0'); break;
    case 'M': put_two(out, t->min, pad, '0'); break;
    case 'n': put(out, "\n", 0); break;
    case 'p': put(out, t->hour > 11 ? "PM" : "AM", 0); break;
    case 'P': put(out, t->hour > 11 ? "pm" : "am", upper); break;
    case 'r': format_date(out, "%I:%M:%S %p", t); break;
    case 'R': format_date(out, "%H:%M", t); break;
    case 's': {
        struct tm copy = *t;
        char seconds[24];
        snprintf(seconds, sizeof seconds, "%ld", mktime(&copy));
        put(out, seconds, 0);
        break;
    }
    case 'S': put_two(out, t->sec, pad, '0'); break;
    case 't': put(out, "\t", 0); break;
    case 'T':
    case 'X': format_date(out, "%H:%M:%S", t); break;
    case 'u': put_digit(out, (t->wday + 6) % 7 + 1); break;
    case 'U': put_two(out, (t->yday - t->wday + 7) / 7, pad, '0'); break;
    case 'V': put_two(out, iso_week(t, &year), pad, '0'); break;
    case 'w': put_digit(out, t->wday); break;
    case 'W': put_two(out, (t->yday - (t->wday + 6) % 7 + 7) / 7, pad, '0'); break;
    case 'y': put_two(out, (full % 100 + 100) % 100, pad, '0'); break;
    case 'Y': put_year(out, full); break;
    case 'z': {
        int offset = (int)(t->gmtoff < 0 ? -t->gmtoff : t->gmtoff);
        put(out, t->gmtoff < 0 ? "-" : "+", 0);
        put_two(out, offset / 3600, 0, '0');
        put_two(out, offset / 60 % 60, 0, '0');
        break;
    }
    case 'Z': put(out, t->zone ? t->zone : "", upper); break;
    case '%': put(out, "%", 0); break;
    default: strftime_conversion_without_model(); break;
    }
}

static void format_date(struct text *out, const char *format, const struct tm *t)
{
    for (; *format && out->fits; format++) {
        if (*format != '%') {
            put_one(out, *format, 0);
            continue;
        }
        char pad = 0;
        _Bool upper = 0;
        for (format++; *format == '-' || *format == '_' || *format == '0' || *format == '^'; format++) {
            if (*format == '^')
                upper = 1;
            else
                pad = *format;
        }
        if (*format == 'E' || *format == 'O')
            format++; /* the same in the C locale */
        convert(out, *format, pad, upper, t);
        if (!*format)
            return;
    }
}

/* C11 7.27.3.5: a date in a format; 0 if it does not fit. Widths, and conversions that the C library adds, have no model. */
size_t strftime(char *to, size_t size, const char *format, const struct tm *t)
{
    struct text out = { to, size, 0, 1 };
    format_date(&out, format, t);
    if (!out.fits || size == 0)
        return 0;
    to[out.length] = 0;
    return out.length;
}

/* POSIX strftime_l: the same in the C locale. */
size_t strftime_l(char *to, size_t size, const char *format, const struct tm *t, void *locale)
{
    (void)locale;
    return strftime(to, size, format, t);
}

/* POSIX asctime_r, C11 7.27.3.1: a date as a line of 26 bytes. */
char *asctime_r(const struct tm *t, char *to)
{
    return strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", t) ? to : 0;
}

char *asctime(const struct tm *t)
{
    static char line[26];
    return asctime_r(t, line);
}

/* POSIX ctime_r, C11 7.27.3.2: the same of a time. */
char *ctime_r(const long *time, char *to)
{
    struct tm parts;
    return localtime_r(time, &parts) ? asctime_r(&parts, to) : 0;
}

char *ctime(const long *time)
{
    struct tm *parts = localtime(time);
    return parts ? asctime(parts) : 0;
}
