/* C++: dynamic_cast, over the tables that the compiler makes for classes (Itanium C++ ABI 2.9.5). Base classes are searched
 * for by their place in the object; those that are virtual or not public are not supported. */
#include "internal.h"

extern const char _ZTVN10__cxxabiv117__class_type_infoE[];
extern const char _ZTVN10__cxxabiv120__si_class_type_infoE[];

/* What all classes have; the table says which of the following it is. */
struct type {
    const char *table;
    const char *name;
};

struct single {
    struct type type;
    const struct type *base;
};

/* The function tables of types begin after two words. */
static _Bool has(const struct type *t, const char *table)
{
    return t->table == table + 2 * sizeof(void *);
}

/* Whether the class is `wanted`, or derived from it, with single bases only: then the place is the same. */
static _Bool is_derived(const struct type *t, const struct type *wanted)
{
    while (t != wanted) {
        if (has(t, _ZTVN10__cxxabiv117__class_type_infoE))
            return 0;
        if (!has(t, _ZTVN10__cxxabiv120__si_class_type_infoE)) {
            __tp_unsupported("dynamic_cast in a class with several base classes");
            return 0;
        }
        t = ((const struct single *)t)->base;
    }
    return 1;
}

/* Itanium C++ ABI 2.9.5: the object as one of type `to`, or null. */
TP_DOES("hides-addresses")
void *__dynamic_cast(const void *object, const struct type *from, const struct type *to, long hint)
{
    (void)from;
    (void)hint;
    const struct type *const *table = *(const struct type *const *const *)object;
    const char *whole = (const char *)object + ((const long *)table)[-2];
    return is_derived(table[-1], to) ? (void *)whole : 0;
}
