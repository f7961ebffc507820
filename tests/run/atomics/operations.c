// run: --runs 1
// What every atomic operation returns and leaves behind.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

int main(void) {
    atomic_uint a = 12;
    assert(atomic_fetch_add(&a, 3) == 12 && a == 15);
    assert(atomic_fetch_sub(&a, 5) == 15 && a == 10);
    assert(atomic_fetch_or(&a, 5) == 10 && a == 15);
    assert(atomic_fetch_and(&a, 6) == 15 && a == 6);
    assert(atomic_fetch_xor(&a, 3) == 6 && a == 5);
    assert(atomic_exchange(&a, 9) == 5 && a == 9);
    unsigned expected = 8;
    assert(!atomic_compare_exchange_strong(&a, &expected, 1) && expected == 9);
    assert(atomic_compare_exchange_strong(&a, &expected, 1) && a == 1);
    assert(atomic_is_lock_free(&a));
    _Atomic short s = 1;
    s += 2;
    assert(s++ == 3 && --s == 3);
    int x = 5;
    assert(__sync_fetch_and_add(&x, 2) == 5 && __sync_add_and_fetch(&x, 2) == 9);
    assert(__sync_bool_compare_and_swap(&x, 9, 1) && __sync_val_compare_and_swap(&x, 7, 2) == 1);
    assert(__atomic_nand_fetch(&x, 1, __ATOMIC_SEQ_CST) == ~1);
    assert(__atomic_exchange_n(&x, 4, __ATOMIC_ACQ_REL) == -2);
    bool flag = false;
    assert(!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE) && __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    assert(!flag);
    return 0;
}
