#include "loop/reserve.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <uv.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"

/* A bump allocator that gives nothing back: it is only ever used by a process that is out of
 * memory, for tables that live as long as the loop. One state for the process, because libuv has
 * one allocator for the process. */
struct block {
	size_t size;
	_Alignas(16) char bytes[];
};

static struct {
	pthread_mutex_t lock;
	size_t used;
	_Alignas(16) char bytes[TN_LOOP_RESERVE_BYTES];
} reserve = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_ours(const void *memory)
{
	uintptr_t at = (uintptr_t)memory, start = (uintptr_t)reserve.bytes;

	return at >= start && at < start + sizeof(reserve.bytes);
}

static size_t size_of(const void *memory)
{
	const char *bytes = memory;

	return ((const struct block *)(const void *)(bytes - offsetof(struct block, bytes)))->size;
}

static void *from_reserve(size_t size)
{
	size_t total = (sizeof(struct block) + size + 15) & ~(size_t)15;
	struct block *block = NULL;

	if (size > sizeof(reserve.bytes))
		return NULL;
	(void)pthread_mutex_lock(&reserve.lock); /* never fails on a plain mutex */
	if (total <= sizeof(reserve.bytes) - reserve.used) {
		block = (struct block *)(void *)(reserve.bytes + reserve.used);
		block->size = size;
		memset(block->bytes, 0, size);
		reserve.used += total;
	}
	(void)pthread_mutex_unlock(&reserve.lock);
	return block ? block->bytes : NULL;
}

static void *reserve_alloc(size_t size)
{
	void *memory = tn_mem_resize(NULL, size);

	return memory ? memory : from_reserve(size);
}

static void *reserve_calloc(size_t count, size_t size)
{
	void *memory = tn_mem_alloc_array(count, size);
	size_t total;

	return memory || !tn_size_mul(count, size, &total) ? memory : from_reserve(total);
}

static void reserve_free(void *memory)
{
	if (!is_ours(memory))
		tn_mem_free(memory);
}

/* Moves a block of the system's, whose size only the system knows, into the reserve. */
static void *move_in(void *memory, size_t size)
{
	size_t known = malloc_usable_size(memory);
	void *moved = from_reserve(size);

	if (moved) {
		memcpy(moved, memory, size < known ? size : known);
		tn_mem_free(memory);
	}
	return moved;
}

static void *reserve_realloc(void *memory, size_t size)
{
	void *moved;

	if (!memory)
		return reserve_alloc(size);
	if (!is_ours(memory)) {
		moved = tn_mem_resize(memory, size);
		return moved ? moved : move_in(memory, size);
	}
	moved = reserve_alloc(size);
	if (moved)
		memcpy(moved, memory, size < size_of(memory) ? size : size_of(memory));
	return moved;
}

void tn_loop_reserve_install(void)
{
	(void)uv_replace_allocator(reserve_alloc, reserve_realloc, reserve_calloc, reserve_free);
}
