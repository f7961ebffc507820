// File system without locks for the blocks: two inodes may get the same one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BLOCKS 2

static atomic_int inode[2], busy[BLOCKS];

static void *create_file(void *argument) {
    atomic_int *mine = argument;
    for (int block = 0; block < BLOCKS; block++)
        if (!busy[block]) {
            busy[block] = 1;
            *mine = block + 1;
            break;
        }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, create_file, &inode[0]);
    pthread_create(&b, NULL, create_file, &inode[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inode[0] != inode[1]);
    return 0;
}
