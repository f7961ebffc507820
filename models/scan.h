/* Conversion specifications of scanf, for scan.c and read.c. */
#ifndef TPM_SCAN_H
#define TPM_SCAN_H

#include "stream.h"

struct __tpm_conversion {
    _Bool store;   /* no '*' */
    _Bool is_long; /* 'l': a double rather than a float */
    _Bool is_long_double; /* 'L' */
    int width;     /* 0: none */
    int size;      /* bytes of an integer */
    char letter;   /* 0: the format ended */
    _Bool inverted;
    const char *set, *set_end; /* for '[' */
};

/* Reads what is behind a '%'; the result is behind the specification. */
const char *__tpm_read_conversion(const char *format, struct __tpm_conversion *c);
/* Whether %s or %[ takes this character. */
_Bool __tpm_in_set(const struct __tpm_conversion *c, char ch);
/* Reads values from a text; *behind is what was not read, null if the end of the text was met. */
int __tpm_scan_text(const char *text, const char *format, va_list arguments, const char **behind);
void __tpm_store_integer(void *to, int size, unsigned long long value);

/* Defined nowhere: a program that stores a long double by scanf gets no answer. */
void scanf_conversion_without_model(void);

#endif
