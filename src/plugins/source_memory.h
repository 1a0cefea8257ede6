/* source_memory.h - the memory of one parse, all of it given back at once.
 *
 * Tree-sitter ends the program when it gets no memory. Here it never hears of it: what it allocates
 * is counted and listed, and at the limit, or when the system refuses, the parse is left by a jump
 * to where it began. Threads: a parse belongs to the thread that runs it. */
#ifndef TN_PLUGINS_SOURCE_MEMORY_H
#define TN_PLUGINS_SOURCE_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

struct source_block;

struct source_memory {
	jmp_buf out; /* set by who begins; reached with 1 */
	struct source_block *blocks;
	size_t used, limit;
	bool starved; /* the system refused; else it was the limit */
};

/* Makes tree-sitter ask here. Once is enough, more does no harm. */
void source_memory_install(void);
/* From now on this thread's parse takes from `memory`; NULL: no parse runs. */
void source_memory_use(struct source_memory *memory);
void source_memory_finish(struct source_memory *memory); /* all that is still held */

#endif
