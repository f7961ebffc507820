/* <arpa/inet.h>: numbers in network order, and addresses as text. */
#include "sockets.h"

TP_ALL_DO("signal-safe")

/* POSIX htons, htonl, ntohs, ntohl: between the order of bytes of this machine and that of the network. */
unsigned short htons(unsigned short n)
{
    return (unsigned short)(n << 8 | n >> 8);
}

unsigned short ntohs(unsigned short n)
{
    return htons(n);
}

unsigned htonl(unsigned n)
{
    return n << 24 | (n & 0xff00) << 8 | (n >> 8 & 0xff00) | n >> 24;
}

unsigned ntohl(unsigned n)
{
    return htonl(n);
}

/* A number of up to three decimal digits, without zeros before it; -1: there is none below 256. */
static int read_byte(const char **text)
{
    const char *from = *text;
    int value = 0, digits = 0;
    for (; *from >= '0' && *from <= '9' && digits < 4; from++, digits++)
        value = 10 * value + (*from - '0');
    _Bool is_byte = digits > 0 && digits < 4 && value < 256 && !(digits > 1 && **text == '0');
    *text = from;
    return is_byte ? value : -1;
}

static _Bool read_four(const char *text, unsigned char *to)
{
    for (int i = 0; i < 4; i++) {
        int byte = read_byte(&text);
        if (byte < 0 || *text++ != (i < 3 ? '.' : 0))
            return 0;
        to[i] = (unsigned char)byte;
    }
    return 1;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)(c | 32);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Groups of hexadecimal digits, of which `::` stands for as many zeros as are missing, and four decimal numbers at the end. */
static _Bool read_groups(const char *text, unsigned char *to)
{
    unsigned char bytes[16] = {0};
    int count = 0, gap = -1;
    if (text[0] == ':' && *++text != ':')
        return 0;
    while (*text && count <= 14) {
        if (*text == ':') {
            if (gap >= 0)
                return 0;
            gap = count;
            text++;
            continue;
        }
        unsigned value = 0;
        int digits = 0;
        const char *begin = text;
        for (; digit_of(*text) >= 0 && digits < 5; text++, digits++)
            value = 16 * value + (unsigned)digit_of(*text);
        if (*text == '.' && count <= 12 && read_four(begin, bytes + count)) {
            count += 4;
            text = "";
            break;
        }
        if (digits == 0 || digits > 4)
            return 0;
        bytes[count++] = (unsigned char)(value >> 8);
        bytes[count++] = (unsigned char)value;
        if (*text == ':' && text[1] == 0)
            return 0;
        if (*text == ':')
            text++;
        else if (*text)
            return 0;
    }
    if (*text || (gap < 0 && count < 16) || (gap >= 0 && count == 16))
        return 0;
    for (int i = 0; i < 16; i++)
        to[i] = 0;
    for (int i = 0; i < count; i++)
        to[gap >= 0 && i >= gap ? i + 16 - count : i] = bytes[i];
    return 1;
}

/* POSIX inet_pton: an address from text; 1, or 0 if it is none. */
int inet_pton(int family, const char *text, unsigned char *to)
{
    unsigned char bytes[16];
    if (family != AF_INET && family != AF_INET6)
        return (int)__tpm_result(EAFNOSUPPORT, 0);
    if (!(family == AF_INET ? read_four(text, bytes) : read_groups(text, bytes)))
        return 0;
    for (int i = 0; i < (family == AF_INET ? 4 : 16); i++)
        to[i] = bytes[i];
    return 1;
}

static char *put_number(char *to, unsigned n, unsigned base)
{
    if (n >= base)
        to = put_number(to, n / base, base);
    *to = "0123456789abcdef"[n % base];
    return to + 1;
}

static char *put_four(char *to, const unsigned char *bytes)
{
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            *to++ = '.';
        to = put_number(to, bytes[i], 10);
    }
    return to;
}

static unsigned group(const unsigned char *bytes, int i)
{
    return (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
}

/* The longest run of zeros, of two groups at least: where it begins, and in *length. */
static int longest_run(const unsigned char *bytes, int *length)
{
    int begin = -1;
    *length = 1;
    for (int i = 0; i < 8; i++) {
        int n = 0;
        while (i + n < 8 && group(bytes, i + n) == 0)
            n++;
        if (n > *length) {
            begin = i;
            *length = n;
        }
    }
    return begin;
}

static char *put_groups(char *to, const unsigned char *bytes)
{
    int length, run = longest_run(bytes, &length);
    for (int i = 0; i < 8; i++) {
        if (i == run) {
            *to++ = ':';
            i += length - 1;
            if (i == 7)
                *to++ = ':';
            continue;
        }
        if (i > 0)
            *to++ = ':';
        if (i == 6 && run == 0 && (length == 6 || (length == 5 && group(bytes, 5) == 0xffff)))
            return put_four(to, bytes + 12);
        to = put_number(to, group(bytes, i), 16);
    }
    return to;
}

/* POSIX inet_ntop: an address as text; ENOSPC if there is no room. */
const char *inet_ntop(int family, const unsigned char *from, char *to, unsigned room)
{
    char text[64], *end = text;
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return 0;
    }
    end = family == AF_INET ? put_four(text, from) : put_groups(text, from);
    *end++ = 0;
    if (end - text > (long)room) {
        errno = ENOSPC;
        return 0;
    }
    __builtin_memcpy(to, text, (size_t)(end - text));
    return to;
}

/* POSIX inet_addr: the same for AF_INET; here only in its form of four decimal numbers. */
unsigned inet_addr(const char *text)
{
    unsigned address;
    return read_four(text, (unsigned char *)&address) ? address : ~0u;
}

int inet_aton(const char *text, unsigned *to)
{
    unsigned address;
    if (!read_four(text, (unsigned char *)&address))
        return 0;
    *to = address;
    return 1;
}

/* POSIX inet_ntoa: text in memory that the next call uses again. */
char *inet_ntoa(unsigned address)
{
    static char text[16];
    *put_four(text, (const unsigned char *)&address) = 0;
    return text;
}

TP_END
