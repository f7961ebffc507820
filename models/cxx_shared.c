/* C++: the counts of std::shared_ptr and std::weak_ptr, as libc++ has them: each is one less than the number of owners, and
 * all strong owners together are one weak owner. */
#include "internal.h"

struct shared_weak_count;

/* The places of the virtual functions that are used here. */
struct virtual_functions {
    void (*destructors[2])(struct shared_weak_count *);
    void (*on_zero_shared)(struct shared_weak_count *);
    void *get_deleter;
    void (*on_zero_shared_weak)(struct shared_weak_count *);
};

struct shared_weak_count {
    const struct virtual_functions *functions;
    long shared_owners;
    long weak_owners;
};

/* std::__shared_weak_count::__release_weak: the last owner destroys the counts. */
void _ZNSt3__119__shared_weak_count14__release_weakEv(struct shared_weak_count *c)
{
    /* As in libc++: who sees that it is the last owner need not write. */
    if (__atomic_load_n(&c->weak_owners, __ATOMIC_ACQUIRE) == 0
        || __atomic_add_fetch(&c->weak_owners, -1, __ATOMIC_ACQ_REL) == -1)
        c->functions->on_zero_shared_weak(c);
}

/* std::__shared_weak_count::lock, for std::weak_ptr::lock: one more strong owner, unless there is none any more. */
struct shared_weak_count *_ZNSt3__119__shared_weak_count4lockEv(struct shared_weak_count *c)
{
    long owners = __atomic_load_n(&c->shared_owners, __ATOMIC_SEQ_CST);
    while (owners != -1)
        if (__atomic_compare_exchange_n(&c->shared_owners, &owners, owners + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return c;
    return 0;
}

/* Destructors of the base classes. */
void _ZNSt3__114__shared_countD2Ev(struct shared_weak_count *c)
{
    (void)c;
}

void _ZNSt3__119__shared_weak_countD2Ev(struct shared_weak_count *c)
{
    (void)c;
}

/* The virtual one, which a class overrides if it has a deleter. */
const void *_ZNKSt3__119__shared_weak_count13__get_deleterERKSt9type_info(const void *c, const void *type)
{
    (void)c;
    (void)type;
    return 0;
}
