// File system: a thread that finds its inode without a block looks for a free block. Inodes and blocks have a lock
// each; no block is given away twice.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#define INODES 2
#define BLOCKS 4

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void *create_file(void *argument) {
    int me = (intptr_t)argument, node = me % INODES;
    pthread_mutex_lock(&inode_lock[node]);
    for (int block = me % BLOCKS; inode[node] == 0; block = (block + 1) % BLOCKS) {
        pthread_mutex_lock(&block_lock[block]);
        if (!busy[block]) {
            busy[block] = 1;
            inode[node] = block + 1;
        }
        pthread_mutex_unlock(&block_lock[block]);
    }
    pthread_mutex_unlock(&inode_lock[node]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, create_file, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(inode[0] && inode[1] && inode[0] != inode[1]);
    return 0;
}
