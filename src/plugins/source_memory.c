#include "plugins/source_memory.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "base/error.h"
#include "base/mem.h"

struct source_block {
	struct source_block *before, *after;
	size_t size;
	size_t pad; /* what follows is aligned for anything */
};

/* Tree-sitter's functions take no context: the one of this thread's parse. */
static _Thread_local struct source_memory *current;

static void count(size_t size)
{
	if (size > current->limit - current->used)
		longjmp(current->out, 1);
	current->used += size;
}

static void link_in(struct source_block *block, size_t size)
{
	block->size = size;
	block->before = NULL;
	block->after = current->blocks;
	if (current->blocks)
		current->blocks->before = block;
	current->blocks = block;
}

static void unlink_block(struct source_block *block)
{
	if (block->before)
		block->before->after = block->after;
	else
		current->blocks = block->after;
	if (block->after)
		block->after->before = block->before;
	current->used -= block->size;
}

static void *take(size_t size)
{
	struct source_block *block;

	tn_assert(current);
	count(size);
	block = tn_mem_resize(NULL, sizeof(*block) + size);
	if (!block) {
		current->starved = true;
		longjmp(current->out, 1);
	}
	link_in(block, size);
	return block + 1;
}

static void *take_zeroed(size_t number, size_t size)
{
	void *memory = take(number * size); /* of fixed structs: it cannot overflow */

	memset(memory, 0, number * size);
	return memory;
}

static void give_back(void *memory)
{
	struct source_block *block = memory ? (struct source_block *)memory - 1 : NULL;

	if (!block)
		return;
	unlink_block(block);
	tn_mem_free(block);
}

static void *take_again(void *memory, size_t size)
{
	struct source_block *block = memory ? (struct source_block *)memory - 1 : NULL;
	void *fresh = take(size);

	if (block) {
		memcpy(fresh, memory, block->size < size ? block->size : size);
		give_back(memory);
	}
	return fresh;
}

static pthread_once_t installed = PTHREAD_ONCE_INIT;

static void install(void)
{
	ts_set_allocator(take, take_zeroed, take_again, give_back);
}

void source_memory_install(void)
{
	(void)pthread_once(&installed, install); /* fails only on a broken variable */
}

void source_memory_use(struct source_memory *memory)
{
	current = memory;
}

void source_memory_finish(struct source_memory *memory)
{
	while (memory->blocks) {
		struct source_block *block = memory->blocks;

		memory->blocks = block->after;
		tn_mem_free(block);
	}
}
