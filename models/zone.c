/* Time zones as POSIX writes them in TZ: CET-1CEST,M3.5.0,M10.5.0/3. */
#include "zone.h"

enum { HOUR = 3600, DAY = 86400 };

static _Bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A name of three letters at least, or of letters, digits and signs between < and >. */
static const char *read_name(const char *text, char *to)
{
    _Bool is_quoted = *text == '<';
    int length = 0;
    if (is_quoted)
        text++;
    while (length < 15 && *text && (is_quoted ? *text != '>' : is_letter(*text)))
        to[length++] = *text++;
    to[length] = 0;
    if (length < 3 || (is_quoted && *text++ != '>'))
        return 0;
    return text;
}

static const char *read_number(const char *text, int *to)
{
    const char *begin = text;
    *to = 0;
    for (; *text >= '0' && *text <= '9' && text - begin < 3; text++)
        *to = 10 * *to + (*text - '0');
    return text == begin ? 0 : text;
}

/* [+-]hh[:mm[:ss]], in seconds. */
static const char *read_time(const char *text, int *to)
{
    int sign = *text == '-' ? -1 : 1, part, unit = HOUR;
    *to = 0;
    if (*text == '-' || *text == '+')
        text++;
    for (int i = 0; i < 3; i++, unit /= 60) {
        text = read_number(text, &part);
        if (!text)
            return 0;
        *to += part * unit;
        if (*text != ':')
            break;
        text++;
    }
    *to *= sign;
    return text;
}

static const char *read_rule(const char *text, struct __tpm_rule *to)
{
    *to = (struct __tpm_rule){.kind = 'D', .time = 2 * HOUR};
    if (*text++ != ',')
        return 0;
    if (*text == 'M') {
        to->kind = 'M';
        text = read_number(text + 1, &to->month);
        if (text && *text == '.')
            text = read_number(text + 1, &to->week);
        if (text && *text == '.')
            text = read_number(text + 1, &to->day);
    } else {
        if (*text == 'J') {
            to->kind = 'J';
            text++;
        }
        text = read_number(text, &to->day);
    }
    if (text && *text == '/')
        text = read_time(text + 1, &to->time);
    return text;
}

static const char *read_summer(const char *text, struct __tpm_zone *zone)
{
    int offset;
    text = read_name(text, zone->name[1]);
    zone->has_summer = 1;
    zone->offset[1] = zone->offset[0] + HOUR;
    if (text && *text && *text != ',') {
        text = read_time(text, &offset);
        zone->offset[1] = -offset;
    }
    const char *rules = text && *text == 0 ? ",M3.2.0,M11.1.0" : text;
    text = rules ? read_rule(rules, &zone->begin) : 0;
    return text ? read_rule(text, &zone->end) : 0;
}

_Bool __tpm_read_zone(const char *text, struct __tpm_zone *zone)
{
    int offset = 0;
    zone->has_summer = 0;
    text = read_name(text, zone->name[0]);
    text = text ? read_time(text, &offset) : 0;
    if (!text)
        return 0;
    zone->offset[0] = zone->offset[1] = -offset;
    for (int i = 0; i < 16; i++)
        zone->name[1][i] = zone->name[0][i];
    if (*text)
        text = read_summer(text, zone);
    return text && *text == 0;
}

static _Bool is_leap(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The day of a rule in a year, counted from 1970-01-01. */
static long long day_of(const struct __tpm_rule *rule, long long year)
{
    if (rule->kind != 'M')
        return __tpm_days_before(year, 0) + rule->day
               - (rule->kind == 'J' && !(is_leap(year) && rule->day >= 60) ? 1 : 0);
    long long first = __tpm_days_before(year, rule->month - 1);
    long long next = rule->month == 12 ? __tpm_days_before(year + 1, 0) : __tpm_days_before(year, rule->month);
    int weekday = (int)(((first + 4) % 7 + 7) % 7);
    long long day = first + (rule->day - weekday + 7) % 7 + 7 * (rule->week - 1);
    return day >= next ? day - 7 : day;
}

_Bool __tpm_is_summer(const struct __tpm_zone *zone, long long time)
{
    if (!zone->has_summer)
        return 0;
    long long year = __tpm_year_of(time + zone->offset[0]);
    long long begin = day_of(&zone->begin, year) * DAY + zone->begin.time - zone->offset[0];
    long long end = day_of(&zone->end, year) * DAY + zone->end.time - zone->offset[1];
    return begin < end ? time >= begin && time < end : time >= begin || time < end;
}
