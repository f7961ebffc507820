/* Instead of libc++'s: which members of std::string are compiled into its object files. Here none are, so that clang compiles
 * those that a program uses from their source in <string>. */
#ifndef _LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H
#define _LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H
#pragma GCC system_header
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(Func, CharT)
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(Func, CharT)
#endif
