/* The area is a row of blocks, each behind its header; a search from the front finds the first gap
 * that is large enough. It is only ever used by a process that is out of memory, so it need not be
 * fast. */
#include "base/reserve.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/size.h"

struct block {
	size_t room; /* bytes behind the header */
	size_t size; /* of them in use; 0: a gap */
	_Alignas(16) char bytes[];
};

static bool is_ours(const struct tn_reserve *reserve, const void *memory)
{
	uintptr_t at = (uintptr_t)memory, start = (uintptr_t)reserve->area;

	return at >= start && at < start + reserve->size;
}

static struct block *block_at(const struct tn_reserve *reserve, size_t offset)
{
	return (struct block *)(void *)(reserve->area + offset);
}

static struct block *block_of(void *memory)
{
	return (struct block *)(void *)((char *)memory - offsetof(struct block, bytes));
}

static void join_gaps(const struct tn_reserve *reserve, struct block *gap, size_t end)
{
	while (end < reserve->used && !block_at(reserve, end)->size) {
		size_t more = sizeof(struct block) + block_at(reserve, end)->room;

		gap->room += more;
		end += more;
	}
}

/* The first gap with that much room, cut to it; NULL: there is none. */
static struct block *find_gap(struct tn_reserve *reserve, size_t room)
{
	for (size_t at = 0; at < reserve->used;) {
		struct block *block = block_at(reserve, at), *rest;
		size_t start = at;

		at += sizeof(*block);
		if (!block->size)
			join_gaps(reserve, block, at + block->room);
		at += block->room;
		if (!block->size && at == reserve->used) {
			reserve->used = start; /* a gap at the end is none */
			return NULL;
		}
		if (block->size || block->room < room)
			continue;
		if (block->room - room > sizeof(*block)) {
			rest = (struct block *)(void *)(block->bytes + room);
			*rest = (struct block){.room = block->room - room - sizeof(*block)};
			block->room = room;
		}
		return block;
	}
	return NULL;
}

static struct block *new_block(struct tn_reserve *reserve, size_t room)
{
	size_t left = reserve->size - reserve->used;
	struct block *block;

	if (left < sizeof(*block) || left - sizeof(*block) < room)
		return NULL;
	block = block_at(reserve, reserve->used);
	block->room = room;
	reserve->used += sizeof(*block) + room;
	return block;
}

static void *take(struct tn_reserve *reserve, size_t size)
{
	struct block *block = NULL;
	size_t room;

	if (!size)
		size = 1;
	if (!tn_size_add(size, 15, &room))
		return NULL;
	room &= ~(size_t)15;
	(void)pthread_mutex_lock(&reserve->lock); /* never fails on a plain mutex */
	block = find_gap(reserve, room);
	if (!block)
		block = new_block(reserve, room);
	if (block) {
		block->size = size;
		reserve->live += size;
		memset(block->bytes, 0, size);
	}
	(void)pthread_mutex_unlock(&reserve->lock);
	return block ? block->bytes : NULL;
}

static void give_back(struct tn_reserve *reserve, void *memory)
{
	struct block *block = block_of(memory);

	(void)pthread_mutex_lock(&reserve->lock);
	reserve->live -= block->size;
	block->size = 0;
	if (!reserve->live)
		reserve->used = 0;
	(void)pthread_mutex_unlock(&reserve->lock);
}

/* A block of the system's, whose size only the system knows. */
static size_t size_of(const struct tn_reserve *reserve, void *memory)
{
	return is_ours(reserve, memory) ? block_of(memory)->size : malloc_usable_size(memory);
}

void *tn_reserve_resize(struct tn_reserve *reserve, void *memory, size_t size)
{
	bool moves = memory && is_ours(reserve, memory);
	void *moved = tn_mem_resize(moves ? NULL : memory, size);
	size_t known;

	if (moved && !moves)
		return moved;
	if (!moved)
		moved = take(reserve, size);
	if (moved && memory) {
		known = size_of(reserve, memory);
		memcpy(moved, memory, size < known ? size : known);
		tn_reserve_free(reserve, memory);
	}
	return moved;
}

void *tn_reserve_alloc_array(struct tn_reserve *reserve, size_t count, size_t size)
{
	void *memory = tn_mem_alloc_array(count, size);
	size_t total;

	return memory || !tn_size_mul(count, size, &total) ? memory : take(reserve, total);
}

char *tn_reserve_copy_text(struct tn_reserve *reserve, const char *text, size_t size)
{
	char *copy = tn_mem_copy_text(text, size);
	size_t total;

	if (copy || !tn_size_add(size, 1, &total))
		return copy;
	copy = take(reserve, total);
	if (copy)
		memcpy(copy, text, size);
	return copy;
}

void tn_reserve_free(struct tn_reserve *reserve, void *memory)
{
	if (is_ours(reserve, memory))
		give_back(reserve, memory);
	else
		tn_mem_free(memory);
}

size_t tn_reserve_live(struct tn_reserve *reserve)
{
	size_t live;

	(void)pthread_mutex_lock(&reserve->lock);
	live = reserve->live;
	(void)pthread_mutex_unlock(&reserve->lock);
	return live;
}
