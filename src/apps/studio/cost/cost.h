/* cost.h - what a diagram costs a month (studio.md section 11): meters of the registry times a
 * dated price table. An estimate never makes a network request; unknown is never zero.
 *
 * Amounts are cents in int64_t, rounded half up a line; prices keep their decimals. Threads: loop.
 */
#ifndef TN_STUDIO_COST_H
#define TN_STUDIO_COST_H

#include "apps/studio/document/value.h"

enum tn_studio_cost_group {
	TN_STUDIO_BY_NOTHING,
	TN_STUDIO_BY_GROUP,
	TN_STUDIO_BY_CATEGORY,
	TN_STUDIO_BY_MODULE,
	TN_STUDIO_BY_PROVIDER,
	TN_STUDIO_BY_CONTAINER /* each with all that is in it, however deep */
};

struct tn_studio_prices; /* the shipped table, with the user's refreshed one over it */
/* `folder`: where a refreshed table may lie (prices.json); NULL: the shipped one alone. A broken
 * file counts as none and is told in `err` with OK. */
TN_MUST_USE enum tenon_code tn_studio_prices_load(const struct tn_studio_registry *registry,
						  const char *folder, struct tn_studio_prices **ret,
						  struct tenon_error *err);
/* The same with the usual folder, $XDG_DATA_HOME/tenon/studio. Blocks while a small file is read.
 */
/* The user's table has come, gone or been refreshed since these were loaded. */
bool tn_studio_prices_are_stale(const struct tn_studio_prices *prices);
TN_MUST_USE enum tenon_code tn_studio_prices_with_users(const struct tn_studio_registry *registry,
							struct tn_studio_prices **ret,
							struct tenon_error *err);
/* They never change, so that any thread may read them. */
struct tn_studio_prices *tn_studio_prices_ref(struct tn_studio_prices *prices);
void tn_studio_prices_unref(struct tn_studio_prices *prices); /* accepts NULL */

struct tn_studio_cost_options {
	const struct tn_json *node_ids; /* NULL: all */
	const struct tn_json *what_if;  /* usage by node id, not stored; NULL: none */
	enum tn_studio_cost_group group_by;
	bool says_lines; /* the text has what each sum is made of */
};
/* The members of estimate_costs' answer (12.2); `text` gets what a reader needs. Fails: NOT_FOUND,
 * INVALID_INPUT (usage out of range). */
bool tn_studio_estimate(const struct tn_studio_document *document,
			const struct tn_studio_prices *prices,
			const struct tn_studio_cost_options *options, struct tn_arena *arena,
			struct tn_buf *result, struct tn_buf *text, struct tn_studio_fault *fault);
/* In cents a month of the whole diagram; false: something has no price (the rest is in *ret). */
bool tn_studio_cost_total(const struct tn_studio_document *document,
			  const struct tn_studio_prices *prices, struct tn_arena *arena,
			  int64_t *ret_cents);
/* In cents a month of one node, 0 of one that is only drawn; false: it has no price. */
bool tn_studio_cost_of(const struct tn_studio_document *document,
		       const struct tn_studio_prices *prices, const struct tn_studio_node *node,
		       struct tn_arena *arena, int64_t *ret_cents);
void tn_studio_put_cents(struct tn_buf *out, int64_t cents); /* a JSON number: 12.34 */
/* Values for a node's usage: keys known, numbers in range. */
bool tn_studio_check_usage(const struct tn_studio_node *node, const struct tn_json *usage,
			   struct tn_studio_fault *fault);

#endif
