/* The local time zone, for the models of <time.h>. */
#ifndef TPM_ZONE_H
#define TPM_ZONE_H

#include "internal.h"

/* When summer time begins or ends: the `week`-th weekday `day` of a month; day `day` of the year, counted from 1 without
 * 29 February ('J') or from 0 with it ('D'). */
struct __tpm_rule {
    char kind; /* 'M', 'J', 'D' */
    int month, week, day;
    int time; /* in seconds of the day, in the time that holds before */
};

/* Names, and seconds east of Greenwich, of normal time and of summer time. */
struct __tpm_zone {
    char name[2][16];
    long offset[2];
    _Bool has_summer;
    struct __tpm_rule begin, end;
};

/* Reads what TZ says in the form that POSIX gives it (8.3); false: it has another form. */
_Bool __tpm_read_zone(const char *text, struct __tpm_zone *zone);
/* Whether it is summer time at this time. */
_Bool __tpm_is_summer(const struct __tpm_zone *zone, long long time);

/* Days from 1970-01-01 to the first day of a month (0 is January); the year of a time in UTC. */
long long __tpm_days_before(long long year, int month);
long long __tpm_year_of(long long time);

#endif
