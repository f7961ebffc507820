/* Instead of libc++'s: whether a pointer points into an array, of which it need not be a part. libc++ compares addresses, and
 * so the order in memory of different objects; the answer does not depend on that. */
#ifndef _LIBCPP___UTILITY_IS_POINTER_IN_RANGE_H
#define _LIBCPP___UTILITY_IS_POINTER_IN_RANGE_H
#pragma GCC system_header
#include <__config>

extern "C" bool __tpm_cxx_is_in_range(const void *, const void *, const void *);

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Tp, class _Up>
inline _LIBCPP_CONSTEXPR_SINCE_CXX14 bool __is_pointer_in_range(const _Tp *__begin, const _Tp *__end, const _Up *__p)
{
    return __builtin_is_constant_evaluated() ? false : __tpm_cxx_is_in_range(__begin, __end, __p);
}

template <class _Tp, class _Up>
inline _LIBCPP_CONSTEXPR_SINCE_CXX14 bool __is_overlapping_range(const _Tp *__begin, const _Tp *__end, const _Up *__begin2)
{
    auto __end2 = __begin2 + (__end - __begin);
    return std::__is_pointer_in_range(__begin, __end, __begin2) || std::__is_pointer_in_range(__begin2, __end2, __begin);
}

_LIBCPP_END_NAMESPACE_STD
#endif
