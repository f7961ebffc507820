// _Atomic objects and the atomic builtins in a single thread: results and side effects of every operation and width.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type, format) \
    do { \
        _Atomic type a = 100; \
        type e = 5; \
        printf(#type " " format, a++); \
        printf(" " format, ++a); \
        printf(" " format, a += 27); \
        printf(" " format, a *= 2); \
        printf(" " format, a ^= 3); \
        printf(" " format, atomic_fetch_add(&a, 10)); \
        printf(" " format, atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed)); \
        printf(" " format, atomic_fetch_or(&a, 64)); \
        printf(" " format, atomic_fetch_and(&a, 60)); \
        printf(" " format, atomic_fetch_xor(&a, 21)); \
        printf(" " format, atomic_exchange(&a, 77)); \
        printf(" %d", atomic_compare_exchange_strong(&a, &e, 1)); \
        printf(" " format, e); \
        printf(" %d", atomic_compare_exchange_strong(&a, &e, 9)); \
        printf(" " format "\n", atomic_load(&a)); \
    } while (0)

struct point {
    short x, y;
};

int main(void) {
    EXERCISE(int8_t, "%d");
    EXERCISE(uint8_t, "%u");
    EXERCISE(int16_t, "%d");
    EXERCISE(uint16_t, "%u");
    EXERCISE(int, "%d");
    EXERCISE(unsigned, "%u");
    EXERCISE(long, "%ld");
    int x = 12;
    printf("%d ", __sync_fetch_and_add(&x, 3));
    printf("%d ", __sync_sub_and_fetch(&x, 5));
    printf("%d ", __sync_fetch_and_or(&x, 1));
    printf("%d ", __sync_and_and_fetch(&x, 7));
    printf("%d ", __sync_xor_and_fetch(&x, 15));
    printf("%d ", __sync_val_compare_and_swap(&x, 12, 40));
    printf("%d ", __sync_bool_compare_and_swap(&x, 13, 41));
    printf("%d ", __sync_lock_test_and_set(&x, 6));
    __sync_lock_release(&x);
    __sync_synchronize();
    printf("%d\n", x);
    printf("%d\n", __atomic_add_fetch(&x, 9, __ATOMIC_RELAXED));
    printf("%d\n", __atomic_fetch_nand(&x, 5, __ATOMIC_SEQ_CST));
    printf("%d\n", x);
    int expected = -2, desired = 30;
    printf("%d\n", __atomic_compare_exchange(&x, &expected, &desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_exchange_n(&x, 31, __ATOMIC_ACQUIRE));
    printf("%d\n", x);
    atomic_flag flag = ATOMIC_FLAG_INIT;
    printf("%d", atomic_flag_test_and_set(&flag));
    printf("%d", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    int numbers[4] = {1, 2, 3, 4};
    int *_Atomic p = numbers;
    p++;
    p++;
    ++p;
    printf("%d\n", *p);
    p--;
    printf("%d\n", (int)(p - numbers));
    _Atomic bool b = false;
    b |= true;
    printf("%d\n", b);
    _Atomic float f = 1.5f;
    f += 2.25f;
    f *= 2;
    float plain = f;
    printf("%g\n", plain);
    _Atomic struct point where = (struct point){1, 2};
    struct point now = where;
    now.x += 5;
    where = now;
    printf("%d %d\n", atomic_load(&where).x, atomic_load(&where).y);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    return 0;
}
