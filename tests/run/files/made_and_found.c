// run: --runs 50 --seed 1
// One thread makes a file, another one looks for files: the order is not known, but nothing races, in a program with relaxed
// atomics as in any other.
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int seen;

static void *make(void *unused) {
    FILE *f = fopen("found", "w");
    fputs("text", f);
    fclose(f);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make, NULL);
    DIR *d = opendir(".");
    while (readdir(d))
        atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
    closedir(d);
    pthread_join(thread, NULL);
    return atomic_load(&seen) > 3;
}
