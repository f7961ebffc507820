/* Limits: sysconf, and the limits of resources. */
#include "internal.h"

/* How many processors there are is an input, from 1 to 256. */
static long processors(void)
{
    return 1 + __tp_input_u8("number of processors");
}

enum {
    SC_CHILD_MAX = 1,
    SC_OPEN_MAX = 4,
    SC_SIGQUEUE_MAX = 34,
    SC_NPROCESSORS_CONF = 83,
    SC_NPROCESSORS_ONLN = 84,
    SC_PHYS_PAGES = 85,
    SC_AVPHYS_PAGES = 86,
    SC_LONG_BIT = 106,
    SC_ULONG_MAX = 117,
    SC_CACHE = 185,
    SC_CACHE_END = 199,
    SC_MINSIGSTKSZ = 249,
    SC_SIGSTKSZ = 250
};

/* Size, associativity and length of a line of the caches: of instructions, of data, and of the levels 2 to 4. */
static const long caches[] = { 32768, 8, 64, 32768, 8, 64, 1048576, 16, 64, 33554432, 16, 64, 0, 0, 0 };

static long of_resource(int resource);

/* POSIX sysconf: what the C library answers on Linux, by the numbers that it has for the names. -1 is without a limit, or not
 * supported. What depends on the machine is that of a common one; only how many processors there are is an input. */
long sysconf(int name)
{
    _Bool wide = sizeof(long) == 8;
    switch (name) {
    case SC_CHILD_MAX: return of_resource(6);
    case SC_OPEN_MAX: return of_resource(7);
    case SC_SIGQUEUE_MAX: return of_resource(11);
    case SC_NPROCESSORS_CONF:
    case SC_NPROCESSORS_ONLN: return processors();
    case SC_PHYS_PAGES: return 2097152; /* 8 GB */
    case SC_AVPHYS_PAGES: return 1048576;
    case SC_LONG_BIT: return wide ? 64 : 32;
    case SC_ULONG_MAX: return -1;
    case SC_CACHE ... SC_CACHE_END: return caches[name - SC_CACHE];
    case SC_MINSIGSTKSZ: return 3376;
    case SC_SIGSTKSZ: return 13504;
    /* ILP32_OFF32, ILP32_OFFBIG, LP64_OFF64, LPBIG_OFFBIG of three versions. */
    case 125: case 126: case 176: case 177: case 237: case 238: return wide ? -1 : 1;
    case 127: case 178: case 239: return wide ? 1 : -1;
    case 128: case 179: case 240: return -1;
    /* Options of POSIX that are there, with its version. */
    case 9 ... 22: case 29: case 46 ... 48: case 51 ... 52: case 67 ... 68: case 77 ... 82: case 95 ... 96:
    case 132 ... 133: case 137 ... 139: case 149: case 153 ... 154: case 159: case 164: case 235 ... 236:
    return 200809;
    /* Others that are there. */
    case 7 ... 8: case 91: case 93 ... 94: case 98 ... 100: case 129 ... 131: case 155: case 157: return 1;
    /* Those that are not, and limits that there are not. */
    case 6: case 23 ... 24: case 27: case 32: case 35: case 49 ... 50: case 53 ... 59: case 61 ... 66: case 76:
    case 92: case 97: case 134 ... 136: case 140 ... 148: case 150 ... 152: case 156: case 158: case 160 ... 163:
    case 165 ... 175: case 181 ... 184: case 242 ... 246: return -1;
    case 0: return 2097152; /* ARG_MAX */
    case 2: return 100; /* CLK_TCK */
    case 3: return 65536; /* NGROUPS_MAX */
    case 5: case 108: return 16; /* STREAM_MAX, MB_LEN_MAX */
    case 25: case 109: return 20; /* AIO_PRIO_DELTA_MAX, NZERO */
    /* DELAYTIMER_MAX, SEM_VALUE_MAX, ATEXIT_MAX, INT_MAX, NL_MSGMAX, NL_NMAX, NL_SETMAX, NL_TEXTMAX */
    case 26: case 33: case 87: case 104: case 121 ... 124: return 2147483647;
    case 28: return 32768; /* MQ_PRIO_MAX */
    case 30: case 119: return 4096; /* PAGESIZE, NL_ARGMAX */
    case 31: case 42: case 72: case 107: return 32; /* RTSIG_MAX, EXPR_NEST_MAX, TTY_NAME_MAX, WORD_BIT */
    case 36: case 38: return 99; /* BC_BASE_MAX, BC_SCALE_MAX */
    case 37: case 43: case 45: case 120: return 2048; /* BC_DIM_MAX, LINE_MAX, CHARCLASS_NAME_MAX, NL_LANGMAX */
    case 39: return 1000; /* BC_STRING_MAX */
    case 40: case 115: return 255; /* COLL_WEIGHTS_MAX, UCHAR_MAX */
    case 44: case 110: case 113: return 32767; /* RE_DUP_MAX, SSIZE_MAX, SHRT_MAX */
    case 60: case 69: case 70: case 74: return 1024; /* IOV_MAX, GETGR_R_SIZE_MAX, GETPW_R_SIZE_MAX, THREAD_KEYS_MAX */
    case 71: return 256; /* LOGIN_NAME_MAX */
    case 73: case 90: return 4; /* THREAD_DESTRUCTOR_ITERATIONS, XOPEN_XCU_VERSION */
    case 75: return 16384; /* THREAD_STACK_MIN */
    case 88: return 8192; /* PASS_MAX */
    case 89: return 700; /* XOPEN_VERSION */
    case 101: return 8; /* CHAR_BIT */
    case 102: case 111: return 127; /* CHAR_MAX, SCHAR_MAX */
    case 103: case 112: return -128; /* CHAR_MIN, SCHAR_MIN */
    case 105: return -2147483647 - 1; /* INT_MIN */
    case 114: return -32768; /* SHRT_MIN */
    case 116: return (long)4294967295u; /* UINT_MAX */
    case 118: return 65535; /* USHRT_MAX */
    case 180: return 64; /* HOST_NAME_MAX */
    default: errno = EINVAL; return -1;
    }
}

/* The C library's own name for it, which PTHREAD_STACK_MIN uses. */
long __sysconf(int name)
{
    return sysconf(name);
}

/* The C library's get_nprocs, get_nprocs_conf, getpagesize: the same. */
int get_nprocs(void)
{
    return (int)processors();
}

int get_nprocs_conf(void)
{
    return (int)processors();
}

int getpagesize(void)
{
    return 4096;
}

/* As struct rlimit and struct rlimit64; the numbers of the latter have 64 bits always. */
struct limit {
    unsigned long now, most;
};

struct limit64 {
    unsigned long long now, most;
};

enum { RESOURCES = 16 };
#define NONE (~0ull)

/* What Linux begins with: time, size of files, data, stack, core files, resident memory, processes, files, locked memory,
 * address space, locks, signals, message queues, nice, real-time priority, real-time time. */
static struct limit64 limits[RESOURCES] = {
    { NONE, NONE }, { NONE, NONE }, { NONE, NONE }, { 8388608, NONE }, { 0, NONE }, { NONE, NONE }, { 31000, 31000 },
    { 1024, 1048576 }, { 8388608, 8388608 }, { NONE, NONE }, { NONE, NONE }, { 31000, 31000 }, { 819200, 819200 },
    { 0, 0 }, { 0, 0 }, { NONE, NONE }
};

static long of_resource(int resource)
{
    __tp_atomic_begin();
    unsigned long long now = limits[resource].now;
    __tp_atomic_end();
    return (long)now;
}

/* POSIX getrlimit: the limits of a resource; EINVAL if there is no such resource. */
int getrlimit64(int resource, struct limit64 *result)
{
    if (resource < 0 || resource >= RESOURCES) {
        errno = EINVAL;
        return -1;
    }
    __tp_atomic_begin();
    struct limit64 found = limits[resource];
    __tp_atomic_end();
    *result = found;
    return 0;
}

int getrlimit(int resource, struct limit *result)
{
    struct limit64 found;
    if (getrlimit64(resource, &found) != 0)
        return -1;
    unsigned long none = ~0ul;
    result->now = found.now > none ? none : (unsigned long)found.now;
    result->most = found.most > none ? none : (unsigned long)found.most;
    return 0;
}

/* POSIX setrlimit: EINVAL if the limit is above its maximum, EPERM if that would be raised. The program is not held to it. */
int setrlimit64(int resource, const struct limit64 *wanted)
{
    if (resource < 0 || resource >= RESOURCES || wanted->now > wanted->most) {
        errno = EINVAL;
        return -1;
    }
    struct limit64 next = *wanted;
    __tp_atomic_begin();
    _Bool allowed = next.most <= limits[resource].most;
    if (allowed)
        limits[resource] = next;
    __tp_atomic_end();
    if (!allowed) {
        errno = EPERM;
        return -1;
    }
    return 0;
}

int setrlimit(int resource, const struct limit *wanted)
{
    unsigned long none = ~0ul;
    struct limit64 next;
    next.now = wanted->now == none ? NONE : wanted->now;
    next.most = wanted->most == none ? NONE : wanted->most;
    return setrlimit64(resource, &next);
}
