/* Bytes on their way from a file to the user's memory. All functions are parts of atomic steps. To free a record outside
 * of one is a step of its own, so a few bytes are kept where they cost none. */
#include "files.h"

void __tpm_begin_taking(struct __tpm_taken *taken)
{
    taken->bytes = taken->few;
    taken->count = 0;
    taken->room = sizeof taken->few;
}

void __tpm_make_room(struct __tpm_taken *taken, size_t count)
{
    size_t needed = taken->count + count;
    if (needed <= taken->room)
        return;
    size_t room;
    unsigned char *bytes = __tpm_new_bytes(needed, &room);
    if (taken->count > 0)
        __builtin_memcpy(bytes, taken->bytes, taken->count);
    if (taken->room > sizeof taken->few)
        __tp_free(taken->bytes);
    taken->bytes = bytes;
    taken->room = room;
}

void __tpm_take_bytes(struct __tpm_taken *taken, const void *bytes, size_t count)
{
    __tpm_make_room(taken, count);
    __builtin_memcpy(taken->bytes + taken->count, bytes, count);
    taken->count += count;
}

void __tpm_take_more(struct __tpm_taken *taken, struct __tpm_open *open, size_t count)
{
    __tpm_make_room(taken, count);
    __tpm_take(open, taken->bytes + taken->count, count);
    taken->count += count;
}
