// Threads that are kept in a linked list from the heap, joined and freed one by one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct entry {
    pthread_t thread;
    struct entry *next;
};

static atomic_int counter;

static void *count(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    struct entry *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct entry *entry = malloc(sizeof *entry);
        entry->next = list;
        list = entry;
        pthread_create(&entry->thread, NULL, count, NULL);
    }
    while (list) {
        struct entry *entry = list;
        list = entry->next;
        pthread_join(entry->thread, NULL);
        free(entry);
    }
    assert(counter == 2);
    return 0;
}
