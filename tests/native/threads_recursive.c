// Divide and conquer with threads: a merge sort whose halves run in threads of their own, and a recursive mutex.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N = 32 };
static pthread_mutex_t lock;
static int merges, depth_seen;

struct slice {
    int *values, count, depth;
};

static void note(int depth) {
    pthread_mutex_lock(&lock);
    if (depth > depth_seen)
        depth_seen = depth;
    if (depth > 0)
        note(depth - 1);
    else
        merges++;
    pthread_mutex_unlock(&lock);
}

static void *sort(void *argument) {
    struct slice *slice = argument;
    if (slice->count < 2)
        return NULL;
    int half = slice->count / 2, merged[N];
    struct slice left = {slice->values, half, slice->depth + 1};
    struct slice right = {slice->values + half, slice->count - half, slice->depth + 1};
    if (slice->depth < 3) {
        pthread_t thread;
        pthread_create(&thread, NULL, sort, &left);
        sort(&right);
        pthread_join(thread, NULL);
    } else {
        sort(&left);
        sort(&right);
    }
    for (int i = 0, l = 0, r = 0; i < slice->count; i++)
        merged[i] = r == right.count || (l < left.count && left.values[l] <= right.values[r]) ? left.values[l++] : right.values[r++];
    memcpy(slice->values, merged, (size_t)slice->count * sizeof *merged);
    note(slice->depth);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    int values[N];
    for (int i = 0; i < N; i++)
        values[i] = i * 19 % 37;
    struct slice all = {values, N, 0};
    sort(&all);
    for (int i = 0; i < N; i++)
        printf("%d ", values[i]);
    printf("\n%d merges, depth %d\n", merges, depth_seen);
    pthread_mutex_destroy(&lock);
    return 0;
}
