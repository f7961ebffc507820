/* qsort and bsearch. */
#include "internal.h"

typedef int (*compare)(const void *, const void *);
typedef int (*compare_with)(const void *, const void *, void *);

/* Merges the sorted runs [0, middle) and [middle, count) of `from` into `to`; equal elements keep their order. */
static void merge(char *to, const char *from, size_t middle, size_t count, size_t size, compare_with c, void *context)
{
    size_t i = 0, j = middle;
    for (size_t k = 0; k < count; k++) {
        _Bool first = j == count || (i < middle && c(from + i * size, from + j * size, context) <= 0);
        size_t chosen = first ? i++ : j++;
        __builtin_memcpy(to + k * size, from + chosen * size, size);
    }
}

/* The C library's qsort_r: as qsort; the comparison gets a third argument. */
void qsort_r(void *array, size_t count, size_t size, compare_with c, void *context)
{
    if (count < 2 || size == 0)
        return;
    char *a = array;
    char *copy = __tp_alloc_record(count * size, 16);
    for (size_t run = 1; run < count; run *= 2) {
        __builtin_memcpy(copy, a, count * size);
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t rest = count - start;
            size_t middle = run < rest ? run : rest;
            size_t both = 2 * run < rest ? 2 * run : rest;
            merge(a + start * size, copy + start * size, middle, both, size, c, context);
        }
    }
    __tp_free(copy);
}

static int without_context(const void *a, const void *b, void *context)
{
    return (*(compare *)context)(a, b);
}

/* C11 7.22.5.2: sorts an array into ascending order by a comparison. */
void qsort(void *array, size_t count, size_t size, compare c)
{
    qsort_r(array, count, size, without_context, &c);
}

/* C11 7.22.5.1: an element of a sorted array that compares equal to the key, or null. */
void *bsearch(const void *key, const void *array, size_t count, size_t size, compare c)
{
    const char *a = array;
    while (count > 0) {
        const char *middle = a + count / 2 * size;
        int order = c(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            a = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return 0;
}
