// check: --property assert,reach-error,lock
// Links inside of structures, followed through the address of the link. Every user of the list takes the lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *previous;
};
struct item {
    char kind;
    int debit, credit;
    struct link link;
};
#define ITEM(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))

static struct link list = {&list, &list};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(struct link *new) {
    new->next = list.next;
    new->previous = &list;
    list.next->previous = new;
    list.next = new;
}

static void *transfer(void *unused) {
    pthread_mutex_lock(&lock);
    for (struct item *i = ITEM(list.next); &i->link != &list; i = ITEM(i->link.next)) {
        i->debit--;
        i->credit++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (int n = 0; n < 3; n++) {
        struct item *item = malloc(sizeof *item);
        item->kind = 'a' + n;
        item->debit = item->credit = 0;
        add(&item->link);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    pthread_mutex_lock(&lock);
    struct item *last = ITEM(list.previous);
    int balance = last->debit + last->credit;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(balance == 0 && last->kind == 'a');
    return 0;
}
