/* internal.h - what the files that estimate costs share (cost.c, cost_meter.c, prices.c).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_COST_INTERNAL_H
#define TN_STUDIO_COST_INTERNAL_H

#include "apps/studio/cost/cost.h"

/* ---- prices (prices.c) ---- */

struct tn_studio_price {
	double usd;
	struct tn_str per;
	bool approximate; /* of the base region, because the other has none of its own */
};

/* `region` empty: the base region. False: there is no such price. */
bool tn_studio_price_find(const struct tn_studio_registry *registry,
			  const struct tn_studio_prices *prices, struct tn_str key,
			  struct tn_str region, struct tn_str base_region,
			  struct tn_studio_price *ret);
/* The day of the newest figures that are used. */
struct tn_str tn_studio_prices_as_of(const struct tn_studio_registry *registry,
				     const struct tn_studio_prices *prices);

/* ---- one node (cost_meter.c) ---- */

enum { TN_STUDIO_COST_LINES_MAX = 32 };

struct tn_studio_cost_line {
	struct tn_str label, unit;
	double quantity, price;
	int64_t cents;
};

struct tn_studio_cost {
	struct tn_studio_cost_line lines[TN_STUDIO_COST_LINES_MAX];
	size_t line_count;
	int64_t cents;
	bool known; /* otherwise `reason` says why there is no sum */
	bool approximate;
	char reason[200];
};

struct tn_studio_cost_scope {
	const struct tn_studio_document *document;
	const struct tn_studio_prices *prices;
	const struct tn_json *what_if; /* usage by node id; NULL: none */
	struct tn_arena *arena;
};

/* False: the node costs nothing because it is only drawn, and is left out. */
bool tn_studio_cost_node(const struct tn_studio_cost_scope *scope,
			 const struct tn_studio_node *node, struct tn_studio_cost *ret);
/* The assumptions that were used, as one JSON object. */
void tn_studio_cost_put_usage(struct tn_buf *out, const struct tn_studio_cost_scope *scope,
			      const struct tn_studio_node *node);
/* Where a node is: by its provider's scope `location`, the provider's configuration, or nowhere
 * known (empty: the base region). */
struct tn_str tn_studio_cost_region(const struct tn_studio_cost_scope *scope,
				    const struct tn_studio_node *node);

#endif
