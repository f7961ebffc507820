// 64-bit atomics in both data models.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic uint64_t counter = UINT64_C(0xfffffffffffffff0);
static _Atomic int64_t balance = INT64_C(-5000000000);

int main(void) {
    for (int i = 0; i < 4; i++)
        printf("%llx ", (unsigned long long)atomic_fetch_add(&counter, 7));
    printf("%llx\n", (unsigned long long)counter);
    printf("%lld ", (long long)(balance += 1));
    printf("%lld ", (long long)(balance -= 4294967296));
    printf("%lld\n", (long long)atomic_exchange(&balance, INT64_MAX));
    int64_t expected = INT64_MAX;
    printf("%d", atomic_compare_exchange_strong(&balance, &expected, INT64_MIN));
    printf(" %d", atomic_compare_exchange_strong(&balance, &expected, 0));
    printf(" %lld\n", (long long)expected);
    atomic_store_explicit(&counter, 0x123456789abcdefULL, memory_order_release);
    printf("%llx\n", (unsigned long long)(counter ^= 0xffff0000ffff0000ULL));
    _Atomic double d = 0.5;
    d *= 3;
    double plain = d;
    printf("%g\n", plain);
    return 0;
}
