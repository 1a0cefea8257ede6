/* short_memory.h - an allocator that fails when it is told to; stands in for base/mem.c in the
 * program it is linked into. Threads: one. */
#ifndef TN_TESTS_SHORT_MEMORY_H
#define TN_TESTS_SHORT_MEMORY_H

#include <stdbool.h>

struct short_memory {
	bool armed;
	bool goes_on;      /* once it has failed, it fails for good */
	unsigned long nth; /* which one fails; 0: none */
	unsigned long count;
	long live; /* blocks that are not given back */
	bool hit;
};
extern struct short_memory fault;

#endif
