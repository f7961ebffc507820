/* C++: the clocks of std::chrono, in the units that libc++ gives them. */
#include "internal.h"

struct timespec {
    long seconds, nanoseconds;
};
int clock_gettime(int clock, struct timespec *result);

/* std::chrono::system_clock::now (C++20 27.7.2): microseconds. */
TP_DOES("clock")
long long _ZNSt3__16chrono12system_clock3nowEv(void)
{
    struct timespec t;
    clock_gettime(REALTIME, &t);
    return t.seconds * 1000000ll + t.nanoseconds / 1000;
}

/* std::chrono::steady_clock::now: nanoseconds. */
TP_DOES("clock")
long long _ZNSt3__16chrono12steady_clock3nowEv(void)
{
    struct timespec t;
    clock_gettime(MONOTONIC, &t);
    return t.seconds * 1000000000ll + t.nanoseconds;
}
