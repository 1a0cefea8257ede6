/* generate_order.c - what is referred to comes first (studio.md 8.2): a stable topological sort.
 *
 * Again and again the first block whose dependencies have all been taken: a heap of those that are
 * ready, by their place in node order, gives exactly that in n log n. What is left is in a cycle,
 * or behind one; it keeps the node order. */
#include "apps/studio/generate/internal.h"

struct heap {
	uint32_t *items;
	size_t count;
};

static void push(struct heap *heap, uint32_t item)
{
	size_t at = heap->count++;
	for (; at > 0 && heap->items[(at - 1) / 2] > item; at = (at - 1) / 2)
		heap->items[at] = heap->items[(at - 1) / 2];
	heap->items[at] = item;
}

static uint32_t pop(struct heap *heap)
{
	uint32_t first = heap->items[0], last = heap->items[--heap->count];
	size_t at = 0;
	for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
		if (child + 1 < heap->count && heap->items[child + 1] < heap->items[child])
			child++;
		if (heap->items[child] >= last)
			break;
		heap->items[at] = heap->items[child];
		at = child;
	}
	heap->items[at] = last;
	return first;
}

struct link { /* somebody who waits */
	uint32_t waiting;
	struct link *next;
};

struct sort {
	struct tn_studio_gen *gen;
	struct tn_studio_block **blocks; /* in node order */
	uint32_t *waits_for;             /* how many each still waits for */
	struct link **waiters;
	uint8_t *state; /* 0: not taken, 1: taken, 2: on the path that is walked, 3: walked */
	struct heap ready;
};

static bool sort_init(struct sort *sort, struct tn_studio_gen *gen)
{
	size_t count = gen->block_count + 1;
	*sort = (struct sort){.gen = gen};
	sort->blocks = tn_arena_alloc_array(gen->arena, count, sizeof(*sort->blocks));
	sort->waits_for = tn_arena_alloc_array(gen->arena, count, sizeof(*sort->waits_for));
	sort->waiters = tn_arena_alloc_array(gen->arena, count, sizeof(struct link *));
	sort->state = tn_arena_alloc_array(gen->arena, count, 1);
	sort->ready.items = tn_arena_alloc_array(gen->arena, count, sizeof(uint32_t));
	if (!sort->blocks || !sort->waits_for || !sort->waiters || !sort->state ||
	    !sort->ready.items)
		return false;
	size_t at = 0;
	for (struct tn_studio_block *block = gen->blocks; block; block = block->next) {
		block->index = (uint32_t)at;
		sort->blocks[at++] = block;
	}
	return true;
}

static bool add_links(struct sort *sort)
{
	for (size_t i = 0; i < sort->gen->block_count; i++) {
		for (const struct tn_studio_dependency *one = sort->blocks[i]->dependencies; one;
		     one = one->next) {
			const struct tn_studio_block *on =
				tn_map_get(&sort->gen->by_address, one->address);
			struct link *made =
				on ? tn_arena_alloc(sort->gen->arena, sizeof(*made)) : NULL;
			if (!on)
				continue;
			if (!made)
				return false;
			made->waiting = (uint32_t)i;
			made->next = sort->waiters[on->index];
			sort->waiters[on->index] = made;
			sort->waits_for[i]++;
		}
	}
	return true;
}

/* The first block this one still waits for. */
static const struct tn_studio_block *left_of(const struct sort *sort, uint32_t index)
{
	const struct tn_studio_block *best = NULL;
	for (const struct tn_studio_dependency *one = sort->blocks[index]->dependencies; one;
	     one = one->next) {
		const struct tn_studio_block *on = tn_map_get(&sort->gen->by_address, one->address);
		if (on && sort->state[on->index] != 1 && (!best || on->index < best->index))
			best = on;
	}
	return best;
}

enum { CYCLE_NAMES_MAX = 20 };

static void tell_cycle(struct sort *sort, uint32_t start)
{
	struct tn_studio_gen *gen = sort->gen;
	const struct tn_studio_node *first = sort->blocks[start]->node, *last = NULL;
	struct tn_str names = TN_STR("");
	uint32_t at = start;
	unsigned count = 0;
	do {
		const struct tn_studio_node *node = sort->blocks[at]->node;
		if (node != last && ++count <= CYCLE_NAMES_MAX)
			names = tn_studio_gen_format(gen, "%.*s'%.*s' -> ", (int)names.size,
						     names.data, (int)node->label.size,
						     node->label.data);
		last = node;
		at = left_of(sort, at)->index;
	} while (at != start && !gen->full);
	tn_studio_gen_tell(gen, TN_STUDIO_ERROR, "REFERENCE_CYCLE", first, tn_str("", 0),
			   "These refer to each other in a circle: %.*s%s'%.*s'.", (int)names.size,
			   names.data, count > CYCLE_NAMES_MAX ? "... -> " : "",
			   (int)first->label.size, first->label.data);
}

/* From each that is left along the first that it waits for, until a circle closes. */
static void find_cycles(struct sort *sort)
{
	for (uint32_t i = 0; i < sort->gen->block_count; i++) {
		uint32_t at = i;
		while (sort->state[at] == 0) {
			sort->state[at] = 2;
			at = left_of(sort, at)->index;
		}
		if (sort->state[at] == 2)
			tell_cycle(sort, at);
		for (at = i; sort->state[at] == 2; at = left_of(sort, at)->index)
			sort->state[at] = 3;
	}
}

struct tn_studio_block **tn_studio_gen_order(struct tn_studio_gen *gen)
{
	struct sort sort;
	struct tn_studio_block **ordered = tn_arena_alloc_array(gen->arena, gen->block_count + 1,
								sizeof(struct tn_studio_block *));
	size_t taken = 0;
	if (!ordered || !sort_init(&sort, gen) || !add_links(&sort))
		return NULL;
	for (uint32_t i = 0; i < gen->block_count; i++) {
		if (sort.waits_for[i] == 0)
			push(&sort.ready, i);
	}
	while (sort.ready.count) {
		uint32_t at = pop(&sort.ready);
		sort.state[at] = 1;
		ordered[taken++] = sort.blocks[at];
		for (const struct link *one = sort.waiters[at]; one; one = one->next) {
			if (--sort.waits_for[one->waiting] == 0)
				push(&sort.ready, one->waiting);
		}
	}
	if (taken == gen->block_count)
		return ordered;
	find_cycles(&sort);
	for (size_t i = 0; i < gen->block_count; i++) {
		if (sort.state[i] != 1)
			ordered[taken++] = sort.blocks[i];
	}
	return ordered;
}
