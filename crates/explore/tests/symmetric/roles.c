/* Three threads alike take roles in the order of their arrival. Something is wrong only if the second one overtakes the
 * first, while the third is between the two. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived, step[3];

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    int role = arrived++;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
#ifdef BUG
        assert(!(role == 1 && step[0] == 0 && step[1] == 1 && step[2] == 1));
#endif
        step[role]++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(step[0] == 2 && step[1] == 2 && step[2] == 2);
    return 0;
}
