/* winding.h - a row of places where a count goes up and down, and where it is not 0: what many
 * shapes over each other cover of a line, found without looking at each of them.
 *
 * A balanced tree: setting a place and finding the next end of a span take the logarithm of the
 * places. Ownership: the caller owns the memory. Threads: one at a time. */
#ifndef TN_DRAW_WINDING_H
#define TN_DRAW_WINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_winding_node {
	int32_t sum, low, high; /* of the steps; the count's least and most on the way */
};
struct tn_winding {
	struct tn_winding_node *nodes; /* 2 * places; the root is 1 */
	size_t places;                 /* a power of two */
};

/* How many nodes there must be for `count` places. */
size_t tn_winding_nodes(size_t count);
/* `nodes`: that many, all zero. */
void tn_winding_init(struct tn_winding *winding, struct tn_winding_node *nodes, size_t count);
/* By how much the count changes at a place: -1, 0 or 1. */
void tn_winding_set(struct tn_winding *winding, size_t place, int32_t step);
/* The next span from place *at on, before which the count is 0: it goes from *ret_first to *ret_end
 * (places), and *at is moved behind it. False: there is none. */
bool tn_winding_next(const struct tn_winding *winding, size_t *at, size_t *ret_first,
		     size_t *ret_end);

#endif
