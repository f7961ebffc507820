// A cache that clients share: a hash table in shards with a lock each, a list of the entries of each shard from the newest to
// the least recently used, counted references to entries, and a thread that evicts entries when there are too many.
//
//     cache [-c CAPACITY]        reads commands: get KEY, set KEY VALUE, delete KEY, stats
//
// Without arguments, the program lets several clients use a small cache, and checks what they get and the cache itself.
//
// Bugs to choose with -DBUG=N:
//     1  a client counts its reference after it has unlocked the shard
//     2  a client that has loaded a value does not look whether another one was faster
//     3  a client whose value was not needed forgets to free it
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SHARDS
#define SHARDS 2
#endif
#ifndef BUCKETS
#define BUCKETS 2 // of a shard
#endif
#ifndef CAPACITY
#define CAPACITY 1 // entries, before the oldest are evicted
#endif
#ifndef CLIENTS
#define CLIENTS 2 // of the test
#endif
#ifndef REQUESTS
#define REQUESTS 2 // of each of them
#endif
#ifndef KEYS
#define KEYS 2 // that they ask for
#endif

// ----------------------------------------------------------------------------------------------------------------- entry

struct entry {
    char *key, *value;             // do not change
    atomic_int references;         // one is that of the cache
    struct entry *next;            // in the bucket
    struct entry *newer, *older;   // in the order of use
};

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        perror("cache: malloc");
        exit(1);
    }
    return memory;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(allocate(size), text, size);
}

// An entry with one reference.
static struct entry *new_entry(const char *key, const char *value) {
    struct entry *entry = allocate(sizeof *entry);
    entry->key = copy_of(key);
    entry->value = copy_of(value);
    atomic_init(&entry->references, 1);
    entry->next = entry->newer = entry->older = NULL;
    return entry;
}

static struct entry *keep(struct entry *entry) {
    atomic_fetch_add(&entry->references, 1);
    return entry;
}

static void release(struct entry *entry) {
    if (atomic_fetch_sub(&entry->references, 1) > 1)
        return;
    free(entry->key);
    free(entry->value);
    free(entry);
}

// ----------------------------------------------------------------------------------------------------------------- shard

struct shard {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    struct entry *newest, *oldest;
};

static unsigned hash_of(const char *key) {
    unsigned hash = 5;
    for (; *key; key++)
        hash = hash * 31 + (unsigned char)*key;
    return hash;
}

// The place in its bucket that points to the entry of the key, or to NULL. The lock is held, here and below.
static struct entry **find(struct shard *shard, const char *key, unsigned hash) {
    struct entry **place = &shard->buckets[hash / SHARDS % BUCKETS];
    while (*place && strcmp((*place)->key, key) != 0)
        place = &(*place)->next;
    return place;
}

static void link_as_newest(struct shard *shard, struct entry *entry) {
    entry->newer = NULL;
    entry->older = shard->newest;
    if (shard->newest)
        shard->newest->newer = entry;
    else
        shard->oldest = entry;
    shard->newest = entry;
}

static void unlink_from_order(struct shard *shard, struct entry *entry) {
    if (entry->newer)
        entry->newer->older = entry->older;
    else
        shard->newest = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    else
        shard->oldest = entry->newer;
}

static void insert(struct shard *shard, struct entry *entry, unsigned hash) {
    struct entry **bucket = &shard->buckets[hash / SHARDS % BUCKETS];
    entry->next = *bucket;
    *bucket = entry;
    link_as_newest(shard, entry);
}

// Takes the entry out of the shard. Its reference passes to the caller.
static struct entry *take_out(struct shard *shard, struct entry **place) {
    struct entry *entry = *place;
    *place = entry->next;
    unlink_from_order(shard, entry);
    return entry;
}

static void check_shard(struct shard *shard) {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        for (struct entry *entry = shard->buckets[bucket]; entry; entry = entry->next) {
            assert(atomic_load(&entry->references) >= 1);
            for (struct entry *other = entry->next; other; other = other->next)
                assert(strcmp(entry->key, other->key) != 0);
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------- cache

struct cache {
    struct shard shards[SHARDS];
    char *(*load)(const char *key); // what to keep for a key that nobody has set, or NULL

    pthread_mutex_t lock; // protects what follows
    pthread_cond_t changed;
    int capacity, entries;
    bool closing;
    long hits, misses, evictions;
    pthread_t evictor;
};

static struct shard *shard_of(struct cache *cache, unsigned hash) {
    return &cache->shards[hash % SHARDS];
}

static void count_entries(struct cache *cache, int change) {
    pthread_mutex_lock(&cache->lock);
    cache->entries += change;
    if (cache->entries > cache->capacity)
        pthread_cond_signal(&cache->changed);
    pthread_mutex_unlock(&cache->lock);
}

static void count_request(struct cache *cache, bool hit) {
    pthread_mutex_lock(&cache->lock);
    if (hit)
        cache->hits++;
    else
        cache->misses++;
    pthread_mutex_unlock(&cache->lock);
}

// The entry that the cache has for the key, with a reference for the caller, or NULL.
static struct entry *look_up(struct shard *shard, const char *key, unsigned hash) {
    pthread_mutex_lock(&shard->lock);
    struct entry *entry = *find(shard, key, hash);
    if (entry) {
        unlink_from_order(shard, entry);
        link_as_newest(shard, entry);
#if BUG != 1
        keep(entry);
#endif
    }
    pthread_mutex_unlock(&shard->lock);
#if BUG == 1
    if (entry)
        keep(entry);
#endif
    return entry;
}

// Loads what the cache lacks. Meanwhile, another client may have done the same: then its entry counts.
static struct entry *load_entry(struct cache *cache, struct shard *shard, const char *key, unsigned hash) {
    char *value = cache->load(key);
    if (!value)
        return NULL;
    struct entry *entry = new_entry(key, value);
    free(value);
    pthread_mutex_lock(&shard->lock);
#if BUG != 2
    struct entry *other = *find(shard, key, hash);
    if (other) {
        keep(other);
        pthread_mutex_unlock(&shard->lock);
#if BUG != 3
        release(entry);
#endif
        return other;
    }
#endif
    insert(shard, keep(entry), hash);
    pthread_mutex_unlock(&shard->lock);
    count_entries(cache, 1);
    return entry;
}

// The entry for the key, to be released by the caller; NULL if there is none.
static struct entry *get(struct cache *cache, const char *key) {
    unsigned hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    struct entry *entry = look_up(shard, key, hash);
    count_request(cache, entry != NULL);
    if (!entry && cache->load)
        entry = load_entry(cache, shard, key, hash);
    return entry;
}

static bool delete(struct cache *cache, const char *key) {
    unsigned hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    struct entry **place = find(shard, key, hash);
    struct entry *entry = *place ? take_out(shard, place) : NULL;
    pthread_mutex_unlock(&shard->lock);
    if (!entry)
        return false;
    release(entry);
    count_entries(cache, -1);
    return true;
}

static void set(struct cache *cache, const char *key, const char *value) {
    struct entry *entry = new_entry(key, value);
    unsigned hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    struct entry **place = find(shard, key, hash);
    struct entry *old = *place ? take_out(shard, place) : NULL;
    insert(shard, entry, hash);
    pthread_mutex_unlock(&shard->lock);
    if (old)
        release(old);
    else
        count_entries(cache, 1);
}

// -------------------------------------------------------------------------------------------------------------- eviction

static bool evict_oldest(struct shard *shard) {
    pthread_mutex_lock(&shard->lock);
    struct entry *entry = shard->oldest;
    if (entry)
        take_out(shard, find(shard, entry->key, hash_of(entry->key)));
    pthread_mutex_unlock(&shard->lock);
    if (entry)
        release(entry);
    return entry != NULL;
}

static void *evict(void *argument) {
    struct cache *cache = argument;
    int next = 0;
    pthread_mutex_lock(&cache->lock);
    while (!cache->closing) {
        if (cache->entries <= cache->capacity) {
            pthread_cond_wait(&cache->changed, &cache->lock);
            continue;
        }
        pthread_mutex_unlock(&cache->lock);
        bool evicted = evict_oldest(&cache->shards[next]);
        next = (next + 1) % SHARDS;
        pthread_mutex_lock(&cache->lock);
        if (evicted) {
            cache->entries--;
            cache->evictions++;
        }
    }
    pthread_mutex_unlock(&cache->lock);
    return NULL;
}

// -------------------------------------------------------------------------------------------------------- open and close

static struct cache *open_cache(int capacity, char *(*load)(const char *)) {
    struct cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&cache->shards[i].lock, NULL);
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->changed, NULL);
    cache->capacity = capacity;
    cache->load = load;
    if ((errno = pthread_create(&cache->evictor, NULL, evict, cache))) {
        free(cache);
        return NULL;
    }
    return cache;
}

static void print_statistics(struct cache *cache) {
    pthread_mutex_lock(&cache->lock);
    fprintf(stderr, "cache: %d entries, %ld hits, %ld misses, %ld evictions\n", cache->entries, cache->hits,
            cache->misses, cache->evictions);
    pthread_mutex_unlock(&cache->lock);
}

// No client uses the cache any more.
static void close_cache(struct cache *cache) {
    pthread_mutex_lock(&cache->lock);
    cache->closing = true;
    pthread_cond_signal(&cache->changed);
    pthread_mutex_unlock(&cache->lock);
    pthread_join(cache->evictor, NULL);
    for (int i = 0; i < SHARDS; i++) {
        struct shard *shard = &cache->shards[i];
        check_shard(shard);
        while (evict_oldest(shard))
            cache->entries--;
        pthread_mutex_destroy(&shard->lock);
    }
    assert(cache->entries == 0);
    pthread_cond_destroy(&cache->changed);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

// ------------------------------------------------------------------------------------------------------------------ main

static char *load_test_value(const char *key) {
    char value[16];
    snprintf(value, sizeof value, "<%s>", key);
    return copy_of(value);
}

struct client {
    struct cache *cache;
    int number;
    pthread_t thread;
};

static void *use_cache(void *argument) {
    struct client *client = argument;
    for (int i = 0; i < REQUESTS; i++) {
        char key[2] = {(char)('a' + (client->number + i) % KEYS), '\0'};
        struct entry *entry = get(client->cache, key);
        assert(entry && entry->value[1] == key[0]);
        release(entry);
    }
    return NULL;
}

static int test(void) {
    struct cache *cache = open_cache(CAPACITY, load_test_value);
    if (!cache)
        return 1;
    struct client clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){.cache = cache, .number = i};
        if (pthread_create(&clients[i].thread, NULL, use_cache, &clients[i]))
            return 1;
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i].thread, NULL);
    print_statistics(cache);
    close_cache(cache);
    return 0;
}

static void obey(struct cache *cache, char *line) {
    char *rest, *command = strtok_r(line, " \n", &rest);
    char *key = strtok_r(NULL, " \n", &rest), *value = strtok_r(NULL, "\n", &rest);
    if (command && key && value && strcmp(command, "set") == 0) {
        set(cache, key, value);
    } else if (command && key && strcmp(command, "get") == 0) {
        struct entry *entry = get(cache, key);
        printf("%s\n", entry ? entry->value : "?");
        if (entry)
            release(entry);
    } else if (command && key && strcmp(command, "delete") == 0) {
        printf("%s\n", delete(cache, key) ? "deleted" : "?");
    } else if (command && strcmp(command, "stats") == 0) {
        print_statistics(cache);
    } else if (command) {
        fprintf(stderr, "cache: cannot %s\n", command);
    }
}

int main(int argc, char **argv) {
    if (argc < 2)
        return test();
    int capacity = 0, option;
    while ((option = getopt(argc, argv, "c:")) != -1)
        capacity = option == 'c' ? atoi(optarg) : 0;
    if (capacity < 1 || optind < argc) {
        fprintf(stderr, "usage: cache [-c CAPACITY]\n");
        return 2;
    }
    struct cache *cache = open_cache(capacity, NULL);
    if (!cache)
        return 1;
    char line[256];
    while (fgets(line, sizeof line, stdin))
        obey(cache, line);
    close_cache(cache);
    return 0;
}
