/* C++: what the library asks about pointers, and C++ cannot say. */
#include "internal.h"

/* Whether a pointer points into an array, of which it need not be a part. */
TP_DOES("hides-addresses")
_Bool __tpm_cxx_is_in_range(const void *begin, const void *end, const void *p)
{
    return (size_t)p - (size_t)begin < (size_t)end - (size_t)begin;
}
