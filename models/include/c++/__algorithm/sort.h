/* Adds to libc++'s std::sort what it has compiled into its object files: the case of numbers, compared by `<`. Functions that
 * are declared inline are not left to these. */
#ifndef _THREADPROOF_SORT
#define _THREADPROOF_SORT
#pragma GCC system_header
#include <__config>

_LIBCPP_BEGIN_NAMESPACE_STD
template <class _Comp, class _Iterator>
inline void __sort(_Iterator, _Iterator, _Comp);
_LIBCPP_END_NAMESPACE_STD

#include_next <__algorithm/sort.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Comp, class _Iterator>
inline void __sort(_Iterator __first, _Iterator __last, _Comp)
{
    if (__first == __last)
        return;
    typedef typename iterator_traits<_Iterator>::difference_type difference_type;
    difference_type __depth = 2 * std::__bit_log2(std::__to_unsigned_like(__last - __first));
    __less<> __by;
    std::__introsort<_ClassicAlgPolicy, __less<> &, _Iterator, false>(__first, __last, __by, __depth);
}

_LIBCPP_END_NAMESPACE_STD
#endif
