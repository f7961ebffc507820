/* C++: operator new and operator delete. They allocate as malloc does and never fail; which form of delete frees what which
 * form of new has allocated is not checked. */
#include "internal.h"

#ifdef __LP64__
#define WITH_SIZE(name) name##m
#define WITH_SIZE_AND(name, rest) name##m##rest
#else
#define WITH_SIZE(name) name##j
#define WITH_SIZE_AND(name, rest) name##j##rest
#endif

/* std::nothrow. */
const char _ZSt7nothrow;

TP_ALL_DO("can-fail")

/* C++20 17.6.3.2: memory for an object of this size; for size 0 a pointer of its own. */
void *WITH_SIZE(_Znw)(size_t size)
{
    return __tpm_new(size);
}

/* operator new[] */
void *WITH_SIZE(_Zna)(size_t size)
{
    return __tpm_new(size);
}

/* operator new(size, std::nothrow) */
void *WITH_SIZE_AND(_Znw, RKSt9nothrow_t)(size_t size, const void *nothrow)
{
    (void)nothrow;
    return __tpm_new(size);
}

/* operator new[](size, std::nothrow) */
void *WITH_SIZE_AND(_Zna, RKSt9nothrow_t)(size_t size, const void *nothrow)
{
    (void)nothrow;
    return __tpm_new(size);
}

/* C++20 17.6.3.2: the same for objects that are aligned more strictly than others. */
void *WITH_SIZE_AND(_Znw, St11align_val_t)(size_t size, size_t alignment)
{
    return __tp_alloc(size, alignment);
}

/* operator new[](size, alignment) */
void *WITH_SIZE_AND(_Zna, St11align_val_t)(size_t size, size_t alignment)
{
    return __tp_alloc(size, alignment);
}

/* operator new(size, alignment, std::nothrow) */
void *WITH_SIZE_AND(_Znw, St11align_val_tRKSt9nothrow_t)(size_t size, size_t alignment, const void *nothrow)
{
    (void)nothrow;
    return __tp_alloc(size, alignment);
}

/* operator new[](size, alignment, std::nothrow) */
void *WITH_SIZE_AND(_Zna, St11align_val_tRKSt9nothrow_t)(size_t size, size_t alignment, const void *nothrow)
{
    (void)nothrow;
    return __tp_alloc(size, alignment);
}

TP_END

TP_ALL_DO("free")

/* C++20 17.6.3.2: frees the memory; a null pointer is ignored. */
void _ZdlPv(void *p)
{
    __tpm_delete(p);
}

/* operator delete[](pointer) */
void _ZdaPv(void *p)
{
    __tpm_delete(p);
}

/* operator delete(pointer, size) */
void WITH_SIZE(_ZdlPv)(void *p, size_t size)
{
    (void)size;
    __tpm_delete(p);
}

/* operator delete[](pointer, size) */
void WITH_SIZE(_ZdaPv)(void *p, size_t size)
{
    (void)size;
    __tpm_delete(p);
}

/* operator delete(pointer, std::nothrow): only called when a constructor throws. */
void _ZdlPvRKSt9nothrow_t(void *p, const void *nothrow)
{
    (void)nothrow;
    __tpm_delete(p);
}

/* operator delete[](pointer, std::nothrow) */
void _ZdaPvRKSt9nothrow_t(void *p, const void *nothrow)
{
    (void)nothrow;
    __tpm_delete(p);
}

/* operator delete(pointer, alignment) */
void _ZdlPvSt11align_val_t(void *p, size_t alignment)
{
    (void)alignment;
    __tpm_delete(p);
}

/* operator delete[](pointer, alignment) */
void _ZdaPvSt11align_val_t(void *p, size_t alignment)
{
    (void)alignment;
    __tpm_delete(p);
}

/* operator delete(pointer, size, alignment) */
void WITH_SIZE_AND(_ZdlPv, St11align_val_t)(void *p, size_t size, size_t alignment)
{
    (void)size;
    (void)alignment;
    __tpm_delete(p);
}

/* operator delete[](pointer, size, alignment) */
void WITH_SIZE_AND(_ZdaPv, St11align_val_t)(void *p, size_t size, size_t alignment)
{
    (void)size;
    (void)alignment;
    __tpm_delete(p);
}

TP_END
