/* arena.h - memory that is given back all at once: one arena a request.
 *
 * Ownership: the caller owns the struct; everything allocated lives until reset or finish.
 * Threads: one at a time. Allocation returns NULL past the byte limit or when the system
 * refuses. */
#ifndef TN_BASE_ARENA_H
#define TN_BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

struct tn_arena_block;

struct tn_arena {
	struct tn_arena_block *blocks; /* newest first */
	size_t used;                   /* in the newest block */
	size_t total;                  /* bytes held in all blocks */
	size_t limit;                  /* bytes the arena may hold */
	bool starved;                  /* the system refused, not the limit; stays until finish */
};

void tn_arena_init(struct tn_arena *arena, size_t limit); /* allocates nothing */
void tn_arena_finish(struct tn_arena *arena);
void tn_arena_reset(struct tn_arena *arena); /* keeps one small block for the next use */

void *tn_arena_alloc(struct tn_arena *arena, size_t size); /* zeroed, 16-aligned */
void *tn_arena_alloc_array(struct tn_arena *arena, size_t count, size_t size); /* zeroed */
void *tn_arena_alloc_raw(struct tn_arena *arena, size_t size);                 /* not zeroed */
char *tn_arena_copy(struct tn_arena *arena, struct tn_str text);               /* adds a NUL */
char *tn_arena_format(struct tn_arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
