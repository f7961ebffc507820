// A model of a library function that Threadproof does not know, for libc/unknown_function_fixed.c.
int frobnicate(int x) { return x + 1; }
