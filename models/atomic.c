/* Atomic operations on objects that the processor has no instruction for, such as _Atomic structs: the compiler calls
 * these (C11 7.17.7). Each is one step, and each byte is accessed with the requested memory order. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* The compiler rejects definitions of these names, so they are the symbols of functions with other names. */
#define CALLED(name) __asm__(name)
void load_object(size_t size, void *object, void *result, int order) CALLED("__atomic_load");
void store_object(size_t size, void *object, void *value, int order) CALLED("__atomic_store");
void exchange_object(size_t size, void *object, void *value, void *result, int order) CALLED("__atomic_exchange");
_Bool compare_exchange_object(size_t size, void *object, void *expected, void *value, int success, int failure)
    CALLED("__atomic_compare_exchange");
_Bool object_is_lock_free(size_t size, const void *object) CALLED("__atomic_is_lock_free");

static void load_relaxed(size_t size, void *object, void *result)
{
    for (size_t i = 0; i < size; i++)
        ((char *)result)[i] = __atomic_load_n((char *)object + i, __ATOMIC_RELAXED);
}

/* A read-modify-write continues the release sequence of each byte, so the bytes are exchanged, not stored. */
static void exchange(size_t size, void *object, void *value, int order)
{
    for (size_t i = 0; i < size; i++)
        __atomic_exchange_n((char *)object + i, ((char *)value)[i], order);
}

/* The value of the object. */
TP_DOES("atomic")
TP_DOES("memory-orders 1")
void load_object(size_t size, void *object, void *result, int order)
{
    __tp_atomic_begin();
    if (order != __ATOMIC_RELAXED)
        __builtin_memcpy(result, object, size);
    else
        load_relaxed(size, object, result);
    __tp_atomic_end();
}

/* Stores a value. */
TP_DOES("atomic")
TP_DOES("memory-orders 1")
void store_object(size_t size, void *object, void *value, int order)
{
    __tp_atomic_begin();
    if (order != __ATOMIC_RELAXED)
        __builtin_memcpy(object, value, size);
    else
        for (size_t i = 0; i < size; i++)
            __atomic_store_n((char *)object + i, ((char *)value)[i], __ATOMIC_RELAXED);
    __tp_atomic_end();
}

/* Stores a value; the result is the old one. */
TP_DOES("atomic")
TP_DOES("memory-orders 1")
void exchange_object(size_t size, void *object, void *value, void *result, int order)
{
    __tp_atomic_begin();
    for (size_t i = 0; i < size; i++)
        ((char *)result)[i] = __atomic_exchange_n((char *)object + i, ((char *)value)[i], order);
    __tp_atomic_end();
}

/* Stores a value if the object equals `expected`, byte by byte; otherwise copies the object to `expected`. */
TP_DOES("atomic")
TP_DOES("memory-orders 2")
_Bool compare_exchange_object(size_t size, void *object, void *expected, void *value, int success, int failure)
{
    _Bool same = 1;
    __tp_atomic_begin();
    for (size_t i = 0; i < size; i++)
        same = same && __atomic_load_n((char *)object + i, __ATOMIC_RELAXED) == ((char *)expected)[i];
    if (same)
        exchange(size, object, value, success);
    else if (failure != __ATOMIC_RELAXED)
        __builtin_memcpy(expected, object, size);
    else
        load_relaxed(size, object, expected);
    __tp_atomic_end();
    return same;
}

/* Whether the processor has atomic instructions for objects of this size. */
TP_DOES("atomic")
_Bool object_is_lock_free(size_t size, const void *object)
{
    (void)object;
    return size == 1 || size == 2 || size == 4 || size == 8;
}

TP_END
