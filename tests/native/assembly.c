// The instructions of inline assembly that are understood, with their results and flags.
#include <stdio.h>

typedef unsigned char byte;

static int exchange(int *at, int value) {
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
    return value;
}

static byte compare_and_set(int *at, int old, int new) {
    byte done;
    __asm__ __volatile__("lock; cmpxchgl %3, %1; sete %0" : "=a"(done) : "m"(*at), "a"(old), "r"(new) : "cc", "memory");
    return done;
}

static int compare_exchange(int *at, int old, int new) {
    int before;
    __asm__ __volatile__("lock; cmpxchgl %1, %2" : "=a"(before) : "r"(new), "m"(*at), "0"(old) : "memory");
    return before;
}

static _Bool with_flag(int *at, int *old, int new) {
    _Bool done;
    __asm__ __volatile__("lock cmpxchgl %3, %0" : "+m"(*at), "=@ccz"(done), "+a"(*old) : "r"(new) : "memory");
    return done;
}

static int add(int *at, int value) {
    __asm__ __volatile__("lock\n\txaddl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
    return value;
}

static byte subtract_and_borrow(unsigned *at, unsigned value) {
    byte borrow;
    __asm__ __volatile__("lock subl %2, %0; setc %1" : "+m"(*at), "=q"(borrow) : "r"(value) : "memory");
    return borrow;
}

static byte add_is_negative(int *at, int value) {
    byte negative;
    __asm__ __volatile__("lock; addl %2, %0\n\tsets %1" : "+m"(*at), "=qm"(negative) : "ir"(value) : "memory");
    return negative;
}

static byte decrement_is_not_zero(int *at) {
    byte rest;
    __asm__ __volatile__("lock; decl (%1); setne %0" : "=q"(rest) : "r"(at) : "memory");
    return rest;
}

int main(void) {
    int x = 5, old, r;
    r = exchange(&x, 7);
    printf("xchg %d %d\n", r, x);
    r = compare_and_set(&x, 7, 8);
    printf("cas %d %d\n", r, x);
    r = compare_and_set(&x, 7, 9);
    printf("cas %d %d\n", r, x);
    r = compare_exchange(&x, 8, 10);
    printf("cmpxchg %d %d\n", r, x);
    r = compare_exchange(&x, 8, 11);
    printf("cmpxchg %d %d\n", r, x);
    old = 10;
    r = with_flag(&x, &old, 12);
    printf("ccz %d %d %d\n", r, x, old);
    r = with_flag(&x, &old, 13);
    printf("ccz %d %d %d\n", r, x, old);
    r = add(&x, -20);
    printf("xadd %d %d\n", r, x);
    unsigned u = 3;
    r = subtract_and_borrow(&u, 2);
    printf("sub %d %u\n", r, u);
    r = subtract_and_borrow(&u, 2);
    printf("sub %d %u\n", r, u);
    x = 1;
    r = add_is_negative(&x, -1);
    printf("sign %d %d\n", r, x);
    r = add_is_negative(&x, -1);
    printf("sign %d %d\n", r, x);
    x = 2;
    r = decrement_is_not_zero(&x);
    printf("dec %d %d\n", r, x);
    r = decrement_is_not_zero(&x);
    printf("dec %d %d\n", r, x);
    byte b = 255;
    __asm__ __volatile__("lock; incb %0" : "+m"(b));
    __asm__ __volatile__("lock; orb $0x14, %0" : "+m"(b));
    printf("or %d\n", b);
    __asm__ __volatile__("lock; andb %1, %0" : "+m"(b) : "q"((byte)6));
    __asm__ __volatile__("lock; xorb $-1, %0" : "+m"(b));
    printf("xor %d\n", b);
    int copy;
    __asm__ __volatile__("movl %1, %0; addl $2, %0" : "=&r"(copy) : "m"(x));
    printf("mov %d\n", copy);
    return 0;
}
