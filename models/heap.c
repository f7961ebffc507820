/* The heap: malloc and its family. Allocation always succeeds, unless the size overflows; a run that exceeds its memory
 * limit ends there. */
#include "internal.h"

enum { ALIGNMENT = 2 * sizeof(void *) };

void *__tpm_malloc(size_t size)
{
    return __tp_alloc(size, ALIGNMENT);
}

/* The blocks that were freed last, newest first, kept where the program can observe the reuse of addresses. The next
 * request for a block of the same size may get one of them. */
enum { MOST_FREED = 3 };

static struct freed {
    void *block;
    size_t size;
} freed[MOST_FREED];

static void free_for_others(void *p)
{
    size_t size = __tp_heap_size(p);
    __tp_free(p);
    __tp_atomic_begin();
    for (unsigned i = MOST_FREED - 1; i > 0; i--)
        freed[i] = freed[i - 1];
    freed[0].block = p;
    freed[0].size = size;
    __tp_atomic_end();
}

static void *malloc_again(size_t size)
{
    void *p = 0;
    __tp_atomic_begin();
    for (unsigned i = 0; i < MOST_FREED && !p; i++) {
        if (freed[i].block && freed[i].size == size && __tp_input_bool("freed memory is reused")) {
            p = __tp_alloc_at(freed[i].block, size, ALIGNMENT);
            freed[i].block = 0;
        }
    }
    __tp_atomic_end();
    return p ? p : __tpm_malloc(size);
}

/* Macros, so that the alternative that the option rules out leaves no code. */
#define TAKE(size) (__tp_option_reuse ? malloc_again(size) : __tpm_malloc(size))
#define GIVE_BACK(p) (__tp_option_reuse ? free_for_others(p) : __tp_free(p))

/* The same for C++. */
void *__tpm_new(size_t size)
{
    return TAKE(size);
}

void __tpm_delete(void *p)
{
    if (p)
        GIVE_BACK(p);
}

/* C11 7.22.3.4: memory of this size with no particular contents; for size 0 a unique pointer. */
TP_DOES("can-fail")
void *malloc(size_t size)
{
    return TAKE(size);
}

/* C11 7.22.3.2: memory for an array, all bytes zero; null when the size overflows. */
TP_DOES("can-fail")
void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return 0;
    }
    __tp_atomic_begin();
    void *p = TAKE(bytes);
    __builtin_memset(p, 0, bytes);
    __tp_atomic_end();
    return p;
}

/* C11 7.22.3.3: ends the lifetime of the object; does nothing for a null pointer. */
TP_DOES("free")
void free(void *p)
{
    if (p)
        GIVE_BACK(p);
}

/* A smaller object at the same address, with the first bytes of the old one. Growing always moves: see the ledger. */
static void *shrink_in_place(void *old, size_t size)
{
    void *saved = __tp_alloc_record(size, ALIGNMENT);
    __builtin_memcpy(saved, old, size);
    __tp_free(old);
    void *p = __tp_alloc_at(old, size, ALIGNMENT);
    __builtin_memcpy(p, saved, size);
    __tp_free(saved);
    return p;
}

/* C11 7.22.3.5: an object of the new size with the contents of the old one, which is freed. As the C library does, size
 * 0 only frees. */
TP_DOES("can-fail")
TP_DOES("enlarge")
void *realloc(void *old, size_t size)
{
    if (!old)
        return TAKE(size);
    size_t old_size = __tp_heap_size(old);
    if (size == 0) {
        GIVE_BACK(old);
        return 0;
    }
    size_t kept = old_size < size ? old_size : size;
    if (__tp_option_reuse && size <= old_size && __tp_input_bool("memory stays where it is"))
        return shrink_in_place(old, size);
    void *p = TAKE(size);
    __builtin_memcpy(p, old, kept);
    GIVE_BACK(old);
    return p;
}

/* The C library's reallocarray: as realloc for an array; null when the size overflows. */
TP_DOES("can-fail")
TP_DOES("enlarge")
void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return 0;
    }
    return realloc(old, bytes);
}

static _Bool is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* C11 7.22.3.1: memory at an address that is a multiple of the alignment; null for an invalid alignment. */
TP_DOES("can-fail")
void *aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment)) {
        errno = EINVAL;
        return 0;
    }
    return __tp_alloc(size, alignment < ALIGNMENT ? ALIGNMENT : alignment);
}

/* The C library's memalign: as aligned_alloc. */
TP_DOES("can-fail")
void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

/* The C library's valloc: memory at the start of a page. */
TP_DOES("can-fail")
void *valloc(size_t size)
{
    return __tp_alloc(size, 4096);
}

/* POSIX posix_memalign: as aligned_alloc, through a pointer; the alignment must be a multiple of a pointer's size. */
TP_DOES("can-fail")
int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    *result = __tp_alloc(size, alignment < ALIGNMENT ? ALIGNMENT : alignment);
    return 0;
}

/* The C library's malloc_usable_size: how many bytes of the object may be used. There may be more than requested;
 * the program has to request them with realloc before it uses them, as the manual says. */
size_t malloc_usable_size(void *p)
{
    return p ? __tp_heap_size(p) + (__tp_input_u8("bytes more than asked for") & 31) : 0;
}
