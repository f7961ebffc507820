// A work-stealing thread pool. Each worker has a deque of tasks: it takes the newest of its own, or else steals the oldest of
// another worker. A task is also the future of its result; a worker that waits for one runs other tasks meanwhile.
//
//     pool [-j WORKERS] [-t TASKS] NUMBER...        adds numbers
//
// Without arguments, the program adds a few numbers and checks the sum.
//
// Bugs to choose with -DBUG=N:
//     1  a deque that grows forgets that its tasks may go round the end of the array
//     2  closing the pool sets the flag and wakes the workers without the lock
//     3  a worker signals a future that its owner may have freed
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 4 // into which a sum is divided
#endif
#ifndef NUMBERS
#define NUMBERS 6 // numbers of the test
#endif
#ifndef FIRST_CAPACITY
#define FIRST_CAPACITY 2 // of a deque
#endif

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        perror("pool: malloc");
        exit(1);
    }
    return memory;
}

// ---------------------------------------------------------------------------------------------------------------- future

struct pool;

struct future {
    long (*run)(struct pool *, void *);
    void *argument;
    pthread_mutex_t lock; // protects the rest
    pthread_cond_t done;
    bool is_done;
    long result;
};

static struct future *new_future(long (*run)(struct pool *, void *), void *argument) {
    struct future *future = allocate(sizeof *future);
    *future = (struct future){.run = run, .argument = argument};
    pthread_mutex_init(&future->lock, NULL);
    pthread_cond_init(&future->done, NULL);
    return future;
}

static void free_future(struct future *future) {
    pthread_cond_destroy(&future->done);
    pthread_mutex_destroy(&future->lock);
    free(future);
}

static void complete(struct future *future, long result) {
    pthread_mutex_lock(&future->lock);
    future->result = result;
    future->is_done = true;
#if BUG == 3
    pthread_mutex_unlock(&future->lock);
    pthread_cond_signal(&future->done);
#else
    pthread_cond_signal(&future->done);
    pthread_mutex_unlock(&future->lock);
#endif
}

static bool is_done(struct future *future) {
    pthread_mutex_lock(&future->lock);
    bool done = future->is_done;
    pthread_mutex_unlock(&future->lock);
    return done;
}

static void wait_until_done(struct future *future) {
    pthread_mutex_lock(&future->lock);
    while (!future->is_done)
        pthread_cond_wait(&future->done, &future->lock);
    pthread_mutex_unlock(&future->lock);
}

// ----------------------------------------------------------------------------------------------------------------- deque

struct deque {
    pthread_mutex_t lock;
    struct future **tasks; // `count` of them, from `first` on and round the end
    size_t first, count, capacity;
};

static void init_deque(struct deque *deque) {
    pthread_mutex_init(&deque->lock, NULL);
    deque->tasks = allocate(FIRST_CAPACITY * sizeof *deque->tasks);
    deque->first = deque->count = 0;
    deque->capacity = FIRST_CAPACITY;
}

static void destroy_deque(struct deque *deque) {
    assert(deque->count == 0);
    free(deque->tasks);
    pthread_mutex_destroy(&deque->lock);
}

static void grow(struct deque *deque) {
    size_t capacity = 2 * deque->capacity;
#if BUG == 1
    struct future **tasks = realloc(deque->tasks, capacity * sizeof *tasks);
    if (!tasks) {
        perror("pool: realloc");
        exit(1);
    }
#else
    struct future **tasks = allocate(capacity * sizeof *tasks);
    size_t until_end = deque->capacity - deque->first;
    if (until_end > deque->count)
        until_end = deque->count;
    memcpy(tasks, deque->tasks + deque->first, until_end * sizeof *tasks);
    memcpy(tasks + until_end, deque->tasks, (deque->count - until_end) * sizeof *tasks);
    free(deque->tasks);
    deque->first = 0;
#endif
    deque->tasks = tasks;
    deque->capacity = capacity;
}

static void push_newest(struct deque *deque, struct future *task) {
    pthread_mutex_lock(&deque->lock);
    if (deque->count == deque->capacity)
        grow(deque);
    deque->tasks[(deque->first + deque->count++) % deque->capacity] = task;
    pthread_mutex_unlock(&deque->lock);
}

static struct future *pop_newest(struct deque *deque) {
    struct future *task = NULL;
    pthread_mutex_lock(&deque->lock);
    if (deque->count > 0)
        task = deque->tasks[(deque->first + --deque->count) % deque->capacity];
    pthread_mutex_unlock(&deque->lock);
    return task;
}

static struct future *pop_oldest(struct deque *deque) {
    struct future *task = NULL;
    pthread_mutex_lock(&deque->lock);
    if (deque->count > 0) {
        task = deque->tasks[deque->first];
        deque->first = (deque->first + 1) % deque->capacity;
        deque->count--;
    }
    pthread_mutex_unlock(&deque->lock);
    return task;
}

// ------------------------------------------------------------------------------------------------------------------ pool

struct worker {
    struct pool *pool;
    int number;
    pthread_t thread;
    struct deque deque;
    long executed, stolen; // of its own thread
};

struct pool {
    int count;
    struct worker *workers;
    int next; // worker for the next task from outside

    pthread_mutex_t lock;
    pthread_cond_t changed; // a task was queued, or the pool is closed
    long queued;            // tasks in deques; protected by the lock; -1 for a moment if a task is stolen at once
    atomic_bool closing;
};

static _Thread_local struct worker *this_worker;

static void add_to_queued(struct pool *pool, long change) {
    pthread_mutex_lock(&pool->lock);
    pool->queued += change;
    if (change > 0)
        pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

// A task of the worker's own deque, or one of another worker, or NULL.
static struct future *find_task(struct worker *worker) {
    struct pool *pool = worker->pool;
    struct future *task = pop_newest(&worker->deque);
    for (int i = 1; !task && i < pool->count; i++) {
        task = pop_oldest(&pool->workers[(worker->number + i) % pool->count].deque);
        if (task)
            worker->stolen++;
    }
    if (task)
        add_to_queued(pool, -1);
    return task;
}

static void execute(struct worker *worker, struct future *task) {
    long result = task->run(worker->pool, task->argument);
    worker->executed++;
    complete(task, result);
}

// Waits until a task is queued. False: the pool is closed.
static bool wait_for_task(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (pool->queued <= 0 && !atomic_load(&pool->closing))
        pthread_cond_wait(&pool->changed, &pool->lock);
    bool is_open = pool->queued > 0 || !atomic_load(&pool->closing);
    pthread_mutex_unlock(&pool->lock);
    return is_open;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    this_worker = worker;
    while (wait_for_task(worker->pool)) {
        struct future *task = find_task(worker);
        if (task)
            execute(worker, task);
    }
    return NULL;
}

static bool is_worker_of(const struct pool *pool) {
    return this_worker && this_worker->pool == pool;
}

// Has the function called by some worker. Threads that are no workers must not call this at the same time.
static struct future *submit(struct pool *pool, long (*run)(struct pool *, void *), void *argument) {
    struct future *task = new_future(run, argument);
    struct worker *worker = is_worker_of(pool) ? this_worker : &pool->workers[pool->next++ % pool->count];
    push_newest(&worker->deque, task);
    add_to_queued(pool, 1);
    return task;
}

// The result, when it is there. Frees the future.
static long take_result(struct pool *pool, struct future *future) {
    while (is_worker_of(pool) && !is_done(future)) {
        struct future *task = find_task(this_worker);
        if (!task)
            break; // so another worker runs it
        execute(this_worker, task);
    }
    wait_until_done(future);
    long result = future->result;
    free_future(future);
    return result;
}

static void close_pool(struct pool *pool) {
#if BUG == 2
    atomic_store(&pool->closing, true);
    pthread_cond_broadcast(&pool->changed);
#else
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->closing, true);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
#endif
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->workers[i].thread, NULL);
    for (int i = 0; i < pool->count; i++) {
        struct worker *worker = &pool->workers[i];
        fprintf(stderr, "pool: worker %d: %ld tasks, %ld of them stolen\n", i, worker->executed, worker->stolen);
        destroy_deque(&worker->deque);
    }
    free(pool->workers);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static struct pool *open_pool(int count) {
    struct pool *pool = allocate(sizeof *pool);
    *pool = (struct pool){.count = count};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->workers = allocate((size_t)count * sizeof *pool->workers);
    for (int i = 0; i < count; i++) {
        pool->workers[i] = (struct worker){.pool = pool, .number = i};
        init_deque(&pool->workers[i].deque);
    }
    for (int i = 0; i < count; i++) {
        if ((errno = pthread_create(&pool->workers[i].thread, NULL, work, &pool->workers[i]))) {
            perror("pool: pthread_create");
            exit(1);
        }
    }
    return pool;
}

// ------------------------------------------------------------------------------------------------------------------- sum

struct numbers {
    const long *first;
    size_t count;
    size_t tasks; // into which to divide the work
};

static long sum_in_turn(struct pool *pool, void *argument) {
    (void)pool;
    const struct numbers *numbers = argument;
    long sum = 0;
    for (size_t i = 0; i < numbers->count; i++)
        sum += numbers->first[i];
    return sum;
}

static long sum_in_parts(struct pool *pool, void *argument) {
    const struct numbers *numbers = argument;
    size_t tasks = numbers->tasks;
    struct numbers *parts = allocate(tasks * sizeof *parts);
    struct future **futures = allocate(tasks * sizeof *futures);
    for (size_t i = 0; i < tasks; i++) {
        size_t begin = numbers->count * i / tasks, end = numbers->count * (i + 1) / tasks;
        parts[i] = (struct numbers){.first = numbers->first + begin, .count = end - begin};
        futures[i] = submit(pool, sum_in_turn, &parts[i]);
    }
    long sum = 0;
    for (size_t i = tasks; i-- > 0;)
        sum += take_result(pool, futures[i]);
    free(futures);
    free(parts);
    return sum;
}

static long sum_of(const long *numbers, size_t count, int workers, int tasks) {
    struct pool *pool = open_pool(workers);
    struct numbers all = {.first = numbers, .count = count, .tasks = (size_t)tasks};
    long sum = take_result(pool, submit(pool, sum_in_parts, &all));
    close_pool(pool);
    return sum;
}

// ------------------------------------------------------------------------------------------------------------------ main

static int test(void) {
    long numbers[NUMBERS];
    for (long i = 0; i < NUMBERS; i++)
        numbers[i] = i + 1;
    long sum = sum_of(numbers, NUMBERS, WORKERS, TASKS);
    assert(sum == (long)NUMBERS * (NUMBERS + 1) / 2);
    return 0;
}

int main(int argc, char **argv) {
    int workers = WORKERS, tasks = TASKS, option;
    if (argc < 2)
        return test();
    while ((option = getopt(argc, argv, "j:t:")) != -1) {
        if (option == 'j')
            workers = atoi(optarg);
        else if (option == 't')
            tasks = atoi(optarg);
        else
            workers = 0;
    }
    size_t count = (size_t)(argc - optind);
    if (workers < 1 || tasks < 1 || count < 1) {
        fprintf(stderr, "usage: pool [-j WORKERS] [-t TASKS] NUMBER...\n");
        return 2;
    }
    long *numbers = allocate(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = atol(argv[optind + (int)i]);
    printf("%ld\n", sum_of(numbers, count, workers, tasks));
    free(numbers);
    return 0;
}
