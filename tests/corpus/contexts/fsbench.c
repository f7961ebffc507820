// File system: THREADS threads make a file each, in an inode of its own, and search a block for it that is not in use.
// Inodes and blocks have a lock each. The assertion holds if there are blocks for all. With fewer BLOCKS than THREADS it
// fails in every execution: who comes last finds none. Nothing races.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

static pthread_mutex_t inode_lock[THREADS], block_lock[BLOCKS];
static int inodes[THREADS], block_of[THREADS];
static bool is_used[BLOCKS];

static void *make_file(void *argument) {
    int inode = *(int *)argument;
    pthread_mutex_lock(&inode_lock[inode]);
    block_of[inode] = -1;
    for (int i = 0; block_of[inode] < 0 && i < BLOCKS; i++) {
        int block = (2 * inode + i) % BLOCKS;
        pthread_mutex_lock(&block_lock[block]);
        if (!is_used[block]) {
            is_used[block] = true;
            block_of[inode] = block;
        }
        pthread_mutex_unlock(&block_lock[block]);
    }
    assert(block_of[inode] >= 0);
    pthread_mutex_unlock(&inode_lock[inode]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        inodes[i] = i;
        pthread_create(&threads[i], NULL, make_file, &inodes[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
