#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/size.h"

enum { FIRST_BLOCK = 4096, LARGEST_GROWTH = 1 << 20, ALIGNMENT = 16 };

struct tn_arena_block {
	struct tn_arena_block *next;
	size_t size; /* of data */
	_Alignas(ALIGNMENT) char data[];
};

void tn_arena_init(struct tn_arena *arena, size_t limit)
{
	*arena = (struct tn_arena){.limit = limit};
}

static void free_blocks(struct tn_arena_block *block)
{
	while (block) {
		struct tn_arena_block *next = block->next;

		tn_mem_free(block);
		block = next;
	}
}

void tn_arena_finish(struct tn_arena *arena)
{
	free_blocks(arena->blocks);
	tn_arena_init(arena, arena->limit);
}

void tn_arena_reset(struct tn_arena *arena)
{
	struct tn_arena_block *keep = arena->blocks;

	/* The oldest block is the small one: it stays, so that most requests allocate nothing. */
	while (keep && keep->next) {
		struct tn_arena_block *next = keep->next;

		tn_mem_free(keep);
		keep = next;
	}
	if (keep && keep->size > FIRST_BLOCK) {
		tn_mem_free(keep);
		keep = NULL;
	}
	arena->blocks = keep;
	arena->used = 0;
	arena->total = keep ? keep->size : 0;
}

static size_t next_block_size(const struct tn_arena *arena, size_t wanted)
{
	size_t size = arena->total ? arena->total : FIRST_BLOCK;

	if (size > LARGEST_GROWTH)
		size = LARGEST_GROWTH;
	return size < wanted ? wanted : size;
}

static struct tn_arena_block *add_block(struct tn_arena *arena, size_t wanted)
{
	struct tn_arena_block *block;
	size_t size = next_block_size(arena, wanted);

	if (arena->total > arena->limit || wanted > arena->limit - arena->total)
		return NULL;
	if (size > arena->limit - arena->total)
		size = wanted;
	if (size > SIZE_MAX - sizeof(*block))
		return NULL;
	block = tn_mem_resize(NULL, sizeof(*block) + size);
	if (!block) {
		arena->starved = true;
		return NULL;
	}
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->used = 0;
	arena->total += size;
	return block;
}

void *tn_arena_alloc_raw(struct tn_arena *arena, size_t size)
{
	struct tn_arena_block *block = arena->blocks;
	size_t rounded;
	char *memory;

	if (!tn_size_add(size, ALIGNMENT - 1, &rounded))
		return NULL;
	rounded &= ~(size_t)(ALIGNMENT - 1);
	if (!block || block->size - arena->used < rounded) {
		block = add_block(arena, rounded);
		if (!block)
			return NULL;
	}
	memory = block->data + arena->used;
	arena->used += rounded;
	return memory;
}

void *tn_arena_alloc(struct tn_arena *arena, size_t size)
{
	void *memory = tn_arena_alloc_raw(arena, size);

	if (memory)
		memset(memory, 0, size);
	return memory;
}

void *tn_arena_alloc_array(struct tn_arena *arena, size_t count, size_t size)
{
	size_t bytes;

	return tn_size_mul(count, size, &bytes) ? tn_arena_alloc(arena, bytes) : NULL;
}

char *tn_arena_copy(struct tn_arena *arena, struct tn_str text)
{
	char *copy;
	size_t size;

	if (!tn_size_add(text.size, 1, &size))
		return NULL;
	copy = tn_arena_alloc_raw(arena, size);
	if (!copy)
		return NULL;
	if (text.size)
		memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	return copy;
}

char *tn_arena_format(struct tn_arena *arena, const char *format, ...)
{
	va_list args;
	char *text;
	int size;

	va_start(args, format);
	size = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (size < 0)
		return NULL;
	text = tn_arena_alloc_raw(arena, (size_t)size + 1);
	if (!text)
		return NULL;
	va_start(args, format);
	(void)vsnprintf(text, (size_t)size + 1, format, args);
	va_end(args);
	return text;
}
