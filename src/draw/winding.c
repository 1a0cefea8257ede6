#include "draw/winding.h"

#include "base/size.h"

size_t tn_winding_nodes(size_t count)
{
	return 2 * tn_size_power(count);
}

void tn_winding_init(struct tn_winding *winding, struct tn_winding_node *nodes, size_t count)
{
	winding->nodes = nodes;
	winding->places = tn_size_power(count);
}

void tn_winding_set(struct tn_winding *winding, size_t place, int32_t step)
{
	struct tn_winding_node *nodes = winding->nodes;
	size_t at = winding->places + place;

	nodes[at] = (struct tn_winding_node){step, step, step};
	for (at /= 2; at > 0; at /= 2) {
		const struct tn_winding_node *left = &nodes[2 * at], *right = left + 1;
		const int32_t low = left->sum + right->low, high = left->sum + right->high;

		nodes[at].sum = left->sum + right->sum;
		nodes[at].low = left->low < low ? left->low : low;
		nodes[at].high = left->high > high ? left->high : high;
	}
}

/* The count is, or gets to be, what is looked for inside of the node. */
static bool has_turn(const struct tn_winding_node *node, int32_t count)
{
	if (count == 0)
		return node->low != 0 || node->high != 0;
	return count + node->low <= 0 && count + node->high >= 0;
}

/* The first place from `from` on that takes the count away from 0 (`count` 0) or back to it.
 * Steps are of 1, so that a count of both signs has been 0. */
static size_t turn_from(const struct tn_winding *winding, size_t from, int32_t count)
{
	const struct tn_winding_node *nodes = winding->nodes;
	size_t at = winding->places + from;
	int32_t running = count;

	if (from >= winding->places)
		return winding->places;
	/* Up and to the right, until a node has it; then down to the place. */
	for (;;) {
		if (has_turn(&nodes[at], running))
			break;
		running += nodes[at].sum;
		while (at % 2 == 1)
			at /= 2;
		if (at == 0)
			return winding->places;
		at++;
	}
	while (at < winding->places) {
		at *= 2;
		if (!has_turn(&nodes[at], running)) {
			running += nodes[at].sum;
			at++;
		}
	}
	return at - winding->places;
}

bool tn_winding_next(const struct tn_winding *winding, size_t *at, size_t *ret_first,
		     size_t *ret_end)
{
	size_t first = turn_from(winding, *at, 0);

	if (first == winding->places)
		return false;
	*ret_first = first;
	*ret_end = turn_from(winding, first + 1, winding->nodes[winding->places + first].sum);
	*at = *ret_end + 1;
	return *ret_end < winding->places;
}
