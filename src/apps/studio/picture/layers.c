#include "apps/studio/picture/layers.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 4 };

struct vertex {
	uint32_t first_out, first_in, out_count, in_count; /* in `outs`, `ins` */
	uint32_t rank, place;                              /* in its rank, from 0 */
	double weight;                                     /* where it wants to be */
};

struct layers {
	struct tn_studio_box *boxes;
	const struct tn_studio_spacing *spacing;
	struct vertex *vertices;
	struct tn_studio_link *links; /* a copy; cycles are broken in it */
	uint32_t *outs, *ins;         /* the other ends */
	uint32_t *ranked;             /* vertices rank by rank, in their order */
	uint32_t *rank_first;         /* in `ranked`; one more than there are ranks */
	uint32_t *stack;
	uint8_t *state;
	size_t count, link_count, rank_count;
};

/* ---- who is linked to whom ---- */

static void count_ends(struct layers *layers)
{
	size_t i;

	for (i = 0; i < layers->count; i++)
		layers->vertices[i].out_count = layers->vertices[i].in_count = 0;
	for (i = 0; i < layers->link_count; i++) {
		layers->vertices[layers->links[i].from].out_count++;
		layers->vertices[layers->links[i].to].in_count++;
	}
}

/* Ends are listed in the order of the links, which are sorted. */
static void list_ends(struct layers *layers)
{
	uint32_t out = 0, in = 0;
	size_t i;

	count_ends(layers);
	for (i = 0; i < layers->count; i++) {
		struct vertex *vertex = &layers->vertices[i];

		vertex->first_out = out;
		vertex->first_in = in;
		out += vertex->out_count;
		in += vertex->in_count;
		vertex->out_count = vertex->in_count = 0;
	}
	for (i = 0; i < layers->link_count; i++) {
		const struct tn_studio_link *link = &layers->links[i];
		struct vertex *from = &layers->vertices[link->from];
		struct vertex *to = &layers->vertices[link->to];

		layers->outs[from->first_out + from->out_count++] = link->to;
		layers->ins[to->first_in + to->in_count++] = link->from;
	}
}

static int by_ends(const void *a, const void *b)
{
	const struct tn_studio_link *left = a, *right = b;

	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	return (left->to > right->to) - (left->to < right->to);
}

static void sort_links(struct layers *layers)
{
	size_t i, kept = 0;

	qsort(layers->links, layers->link_count, sizeof(*layers->links), by_ends);
	for (i = 0; i < layers->link_count; i++)
		if (kept == 0 || by_ends(&layers->links[kept - 1], &layers->links[i]) != 0)
			layers->links[kept++] = layers->links[i];
	layers->link_count = kept;
	list_ends(layers);
}

/* ---- cycles ---- */

enum { UNSEEN, ON_THE_WAY, SEEN };

/* Depth first from `root`; what leads back to a vertex on the way is turned. The walk stands on
 * `stack`; `place` says which link of a vertex comes next. */
static void turn_from(struct layers *layers, uint32_t root)
{
	size_t depth = 1;

	layers->stack[0] = root;
	layers->state[root] = ON_THE_WAY;
	layers->vertices[root].place = 0;
	while (depth > 0) {
		uint32_t at = layers->stack[depth - 1], link, next;
		struct vertex *vertex = &layers->vertices[at];

		if (vertex->place == vertex->out_count) {
			layers->state[at] = SEEN;
			depth--;
			continue;
		}
		link = vertex->first_out + vertex->place++;
		next = layers->outs[link];
		if (layers->state[next] == ON_THE_WAY) {
			layers->links[link] = (struct tn_studio_link){next, at};
		} else if (layers->state[next] == UNSEEN) {
			layers->state[next] = ON_THE_WAY;
			layers->vertices[next].place = 0;
			layers->stack[depth++] = next;
		}
	}
}

/* Links are sorted by their beginning, so that a place in `outs` is one in `links`, too. */
static void break_cycles(struct layers *layers)
{
	uint32_t i;

	for (i = 0; i < layers->count; i++)
		if (layers->state[i] == UNSEEN)
			turn_from(layers, i);
	sort_links(layers);
}

/* ---- ranks ---- */

/* Vertices whose predecessors all have a rank get theirs; `place` counts those that have not. */
static void find_ranks(struct layers *layers)
{
	size_t first = 0, last = 0, i;

	for (i = 0; i < layers->count; i++) {
		layers->vertices[i].rank = 0;
		layers->vertices[i].place = layers->vertices[i].in_count;
		if (layers->vertices[i].in_count == 0)
			layers->stack[last++] = (uint32_t)i;
	}
	while (first < last) {
		const struct vertex *from = &layers->vertices[layers->stack[first++]];

		for (i = 0; i < from->out_count; i++) {
			uint32_t next = layers->outs[from->first_out + i];
			struct vertex *to = &layers->vertices[next];

			if (to->rank <= from->rank)
				to->rank = from->rank + 1;
			if (--to->place == 0)
				layers->stack[last++] = next;
		}
		if (from->rank >= layers->rank_count)
			layers->rank_count = from->rank + 1;
	}
}

static void fill_ranks(struct layers *layers)
{
	size_t i;

	for (i = 0; i < layers->count; i++)
		layers->rank_first[layers->vertices[i].rank + 1]++;
	for (i = 0; i < layers->rank_count; i++)
		layers->rank_first[i + 1] += layers->rank_first[i];
	/* `stack` counts how many of each rank are there. */
	for (i = 0; i < layers->rank_count; i++)
		layers->stack[i] = 0;
	for (i = 0; i < layers->count; i++) {
		struct vertex *vertex = &layers->vertices[i];

		vertex->place = layers->stack[vertex->rank]++;
		layers->ranked[layers->rank_first[vertex->rank] + vertex->place] = (uint32_t)i;
	}
}

/* ---- order inside the ranks ---- */

static double share(const struct layers *layers, const struct vertex *vertex)
{
	uint32_t count = layers->rank_first[vertex->rank + 1] - layers->rank_first[vertex->rank];

	return (vertex->place + 0.5) / count;
}

static double barycentre(const struct layers *layers, const struct vertex *vertex, bool forward)
{
	const uint32_t *ends =
		forward ? layers->ins + vertex->first_in : layers->outs + vertex->first_out;
	uint32_t count = forward ? vertex->in_count : vertex->out_count, i;
	double sum = 0;

	if (count == 0)
		return share(layers, vertex);
	for (i = 0; i < count; i++)
		sum += share(layers, &layers->vertices[ends[i]]);
	return sum / count;
}

struct wish {
	double weight;
	uint32_t vertex;
};

static int by_wish(const void *a, const void *b)
{
	const struct wish *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight < right->weight ? -1 : 1;
	return (left->vertex > right->vertex) - (left->vertex < right->vertex);
}

static void order_rank(struct layers *layers, size_t rank, bool forward, struct wish *wishes)
{
	uint32_t *ranked = layers->ranked + layers->rank_first[rank];
	size_t count = layers->rank_first[rank + 1] - layers->rank_first[rank], i;

	for (i = 0; i < count; i++)
		wishes[i] = (struct wish){barycentre(layers, &layers->vertices[ranked[i]], forward),
					  ranked[i]};
	qsort(wishes, count, sizeof(*wishes), by_wish);
	for (i = 0; i < count; i++) {
		ranked[i] = wishes[i].vertex;
		layers->vertices[ranked[i]].place = (uint32_t)i;
	}
}

static void order_ranks(struct layers *layers, struct wish *wishes)
{
	size_t sweep, i;

	for (sweep = 0; sweep < SWEEPS; sweep++) {
		bool forward = sweep % 2 == 0;

		for (i = 0; i < layers->rank_count; i++)
			order_rank(layers, forward ? i : layers->rank_count - 1 - i, forward,
				   wishes);
	}
}

/* ---- places ---- */

static double middle(const struct layers *layers, uint32_t vertex)
{
	return layers->boxes[vertex].y + layers->boxes[vertex].height / 2.0;
}

static double wanted(const struct layers *layers, uint32_t vertex, bool forward)
{
	const struct vertex *of = &layers->vertices[vertex];
	const uint32_t *ends = forward ? layers->ins + of->first_in : layers->outs + of->first_out;
	uint32_t count = forward ? of->in_count : of->out_count, i;
	double sum = 0;

	if (count == 0)
		return layers->boxes[vertex].y;
	for (i = 0; i < count; i++)
		sum += middle(layers, ends[i]);
	return sum / count - layers->boxes[vertex].height / 2.0;
}

struct pool { /* boxes that stand as close as they may */
	double sum;
	size_t count;
};

/* The places nearest to the wanted ones (least squares) that keep order and gaps: neighbours that
 * would come too close move together. */
static void settle_rank(struct layers *layers, size_t rank, bool forward, struct pool *pools)
{
	const uint32_t *ranked = layers->ranked + layers->rank_first[rank];
	size_t count = layers->rank_first[rank + 1] - layers->rank_first[rank];
	size_t pool_count = 0, i, k, at = 0;
	int32_t before = 0;

	for (i = 0; i < count; i++) {
		pools[pool_count++] = (struct pool){wanted(layers, ranked[i], forward) - before, 1};
		before += layers->boxes[ranked[i]].height + layers->spacing->node_gap;
		while (pool_count > 1 &&
		       pools[pool_count - 2].sum * (double)pools[pool_count - 1].count >
			       pools[pool_count - 1].sum * (double)pools[pool_count - 2].count) {
			pools[pool_count - 2].sum += pools[pool_count - 1].sum;
			pools[pool_count - 2].count += pools[pool_count - 1].count;
			pool_count--;
		}
	}
	before = 0;
	for (i = 0; i < pool_count; i++) {
		double grid = layers->spacing->grid;
		double y = floor(pools[i].sum / (double)pools[i].count / grid + 0.5) * grid;

		for (k = 0; k < pools[i].count; k++, at++) {
			layers->boxes[ranked[at]].y = (int32_t)y + before;
			before += layers->boxes[ranked[at]].height + layers->spacing->node_gap;
		}
	}
}

static void stack_ranks(struct layers *layers)
{
	int32_t x = 0;
	size_t rank, i;

	for (rank = 0; rank < layers->rank_count; rank++) {
		int32_t y = 0, width = 0;

		for (i = layers->rank_first[rank]; i < layers->rank_first[rank + 1]; i++) {
			struct tn_studio_box *box = &layers->boxes[layers->ranked[i]];

			box->x = x;
			box->y = y;
			y += box->height + layers->spacing->node_gap;
			width = box->width > width ? box->width : width;
		}
		x += width + layers->spacing->rank_gap;
	}
}

static void settle(struct layers *layers, struct pool *pools)
{
	int32_t top = INT32_MAX;
	size_t sweep, i;

	for (sweep = 0; sweep < SWEEPS; sweep++) {
		bool forward = sweep % 2 == 1;

		for (i = 0; i < layers->rank_count; i++)
			settle_rank(layers, forward ? i : layers->rank_count - 1 - i, forward,
				    pools);
	}
	for (i = 0; i < layers->count; i++)
		top = layers->boxes[i].y < top ? layers->boxes[i].y : top;
	for (i = 0; i < layers->count; i++)
		layers->boxes[i].y -= top;
}

static bool allocate(struct layers *layers, const struct tn_studio_link *links,
		     struct tn_arena *arena)
{
	size_t i;

	layers->vertices = tn_arena_alloc_array(arena, layers->count, sizeof(*layers->vertices));
	layers->links = tn_arena_alloc_array(arena, layers->link_count + 1, sizeof(*links));
	layers->outs = tn_arena_alloc_array(arena, layers->link_count + 1, sizeof(uint32_t));
	layers->ins = tn_arena_alloc_array(arena, layers->link_count + 1, sizeof(uint32_t));
	layers->ranked = tn_arena_alloc_array(arena, layers->count, sizeof(uint32_t));
	layers->rank_first = tn_arena_alloc_array(arena, layers->count + 2, sizeof(uint32_t));
	layers->stack = tn_arena_alloc_array(arena, layers->count, sizeof(uint32_t));
	layers->state = tn_arena_alloc(arena, layers->count);
	if (!layers->vertices || !layers->links || !layers->outs || !layers->ins ||
	    !layers->ranked || !layers->rank_first || !layers->stack || !layers->state)
		return false;
	for (i = 0; i < layers->link_count; i++)
		layers->links[i] = links[i];
	return true;
}

bool tn_studio_layers_place(struct tn_studio_box *boxes, size_t box_count,
			    const struct tn_studio_link *links, size_t link_count,
			    const struct tn_studio_spacing *spacing, struct tn_arena *arena)
{
	struct layers layers = {
		.boxes = boxes, .spacing = spacing, .count = box_count, .link_count = link_count};
	struct wish *wishes = tn_arena_alloc_array(arena, box_count + 1, sizeof(*wishes));
	struct pool *pools = tn_arena_alloc_array(arena, box_count + 1, sizeof(*pools));

	if (box_count == 0)
		return true;
	if (!wishes || !pools || !allocate(&layers, links, arena))
		return false;
	sort_links(&layers);
	break_cycles(&layers);
	find_ranks(&layers);
	fill_ranks(&layers);
	order_ranks(&layers, wishes);
	stack_ranks(&layers);
	settle(&layers, pools);
	return true;
}

/* ---- grids ---- */

void tn_studio_grid_place(struct tn_studio_box *boxes, size_t box_count, size_t columns,
			  int32_t gap)
{
	size_t column, i;
	int32_t x = 0, y = 0;

	for (column = 0; column < columns; column++) {
		int32_t width = 0;

		for (i = column; i < box_count; i += columns) {
			boxes[i].x = x;
			width = boxes[i].width > width ? boxes[i].width : width;
		}
		x += width + gap;
	}
	for (i = 0; i < box_count; i += columns) {
		int32_t height = 0;
		size_t k;

		for (k = i; k < box_count && k < i + columns; k++) {
			boxes[k].y = y;
			height = boxes[k].height > height ? boxes[k].height : height;
		}
		y += height + gap;
	}
}
