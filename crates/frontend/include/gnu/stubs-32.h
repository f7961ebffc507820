/* Stands in for the header of 32-bit libraries, so that 32-bit programs compile where only 64-bit libraries are. */
