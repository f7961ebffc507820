/* Two threads wait for a flag, and fill a large local meanwhile: in few parts, and in many. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int flag;

static void *few(void *unused)
{
    char text[500];
    memset(text, 0, sizeof text);
    while (!flag) {
        text[3] = 1;
        memset(text, 0, sizeof text);
    }
    return unused;
}

static void *many(void *unused)
{
    char text[500];
    do {
        memset(text, 0, sizeof text);
        for (int i = 0; i < 20; i++)
            text[i] = 'a' + i;
    } while (!flag);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, few, 0);
    pthread_create(&b, 0, many, 0);
    flag = 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
