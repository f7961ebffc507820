/* C++: exceptions. They are not followed: where one is thrown, the work on that execution ends. */
#include "internal.h"

/* Itanium C++ ABI 2.4.2: a throw begins by allocating the exception. */
void *__cxa_allocate_exception(size_t size)
{
    __tp_unsupported("an exception is thrown; exceptions are not followed");
    return __tp_alloc_record(size, 2 * sizeof(void *));
}

/* Itanium C++ ABI 2.4.3. */
void __cxa_throw(void *exception, void *type, void (*destructor)(void *))
{
    (void)exception;
    (void)type;
    (void)destructor;
    __tp_unsupported("an exception is thrown; exceptions are not followed");
}

/* Itanium C++ ABI 2.5.4. */
void __cxa_rethrow(void)
{
    __tp_unsupported("an exception is thrown; exceptions are not followed");
}

/* std::__throw_system_error(int, char const *): a std::system_error. */
void _ZNSt3__120__throw_system_errorEiPKc(int error, const char *what)
{
    (void)error;
    (void)what;
    __tp_unsupported("an exception is thrown; exceptions are not followed");
}

/* std::rethrow_exception(std::exception_ptr) */
void _ZSt17rethrow_exceptionSt13exception_ptr(void *exception)
{
    (void)exception;
    __tp_unsupported("an exception is thrown; exceptions are not followed");
}
