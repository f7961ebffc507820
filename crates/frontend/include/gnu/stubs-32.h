/* Stands in for the header of 32-bit libraries, so that 32-bit programs compile where only the 64-bit ones are. */
