/* <locale.h> and <langinfo.h>: there is no locale but the C locale. */
#include "internal.h"

static _Bool is(const char *text, const char *word)
{
    while (*text && *text == *word) {
        text++;
        word++;
    }
    return *text == *word;
}

/* C11 7.11.1.1: the C locale, also by the name of POSIX; null for another. */
char *setlocale(int category, const char *locale)
{
    if (category < 0 || category > 12) {
        errno = EINVAL;
        return 0;
    }
    if (!locale || is(locale, "") || is(locale, "C") || is(locale, "POSIX"))
        return "C";
    errno = 2; /* ENOENT */
    return 0;
}

struct lconv {
    char *text[10];
    char number[14];
};

/* C11 7.11.2.1: how numbers are written in the C locale. */
struct lconv *localeconv(void)
{
    static struct lconv c = { { ".", "", "", "", "", "", "", "", "", "" },
                              { 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127 } };
    return &c;
}

/* POSIX newlocale, uselocale, freelocale, duplocale: the same for one thread. */
static int the_locale;

void *newlocale(int mask, const char *locale, void *base)
{
    (void)mask;
    (void)base;
    return locale && setlocale(0, locale) ? &the_locale : 0;
}

void *uselocale(void *locale)
{
    (void)locale;
    return (void *)-1; /* LC_GLOBAL_LOCALE */
}

void freelocale(void *locale)
{
    (void)locale;
}

void *duplocale(void *locale)
{
    return locale;
}

static const char *const time_texts[] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
    "Saturday", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "January", "February",
    "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "AM", "PM",
    "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p", "", "", "", "", ""
};

/* POSIX nl_langinfo: a text of the C locale. The numbers are the C library's: the category, and the index in it. */
char *nl_langinfo(int item)
{
    unsigned category = (unsigned)item >> 16, index = (unsigned)item & 0xffff;
    switch (category) {
    case 0: return index == 14 ? "ANSI_X3.4-1968" : "";
    case 1: return index == 0 ? "." : "";
    case 2: return index < sizeof time_texts / sizeof *time_texts ? (char *)time_texts[index] : "";
    case 4: return index == 15 ? "-" : "";
    case 5: return index == 0 ? "^[yY]" : index == 1 ? "^[nN]" : "";
    default: return "";
    }
}

/* POSIX nl_langinfo_l: the same of a locale, which is the C locale. */
char *nl_langinfo_l(int item, void *locale)
{
    (void)locale;
    return nl_langinfo(item);
}
