/* Adds to libc++'s std::mutex: std::lock, and so std::scoped_lock, takes several of them in one step, where libc++ tries
 * again and again. */
#ifndef _THREADPROOF_MUTEX
#define _THREADPROOF_MUTEX
#pragma GCC system_header
#include_next <__mutex/mutex.h>

extern "C" void __tpm_cxx_lock_two(std::mutex *, std::mutex *);
extern "C" void __tpm_cxx_lock_three(std::mutex *, std::mutex *, std::mutex *);

_LIBCPP_BEGIN_NAMESPACE_STD

inline void lock(mutex &__a, mutex &__b)
{
    __tpm_cxx_lock_two(&__a, &__b);
}

inline void lock(mutex &__a, mutex &__b, mutex &__c)
{
    __tpm_cxx_lock_three(&__a, &__b, &__c);
}

_LIBCPP_END_NAMESPACE_STD
#endif
