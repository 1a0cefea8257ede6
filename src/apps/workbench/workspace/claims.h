/* claims.h - what a look found for the graph: a snapshot for each producer of our own, which are
 * the sources and the modules (workbench.md 6.4, 9, G3).
 *
 * Ownership: the caller's. Threads: one at a time; reading is for a worker. */
#ifndef TN_WB_CLAIMS_H
#define TN_WB_CLAIMS_H

#include "apps/workbench/config/config.h"
#include "apps/workbench/graph/snapshot.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/source/project.h"

struct tn_wb_claimed {
	char producer[TN_WB_ID_BYTES_MAX + 16];
	uint32_t rank;
	struct tn_wb_snapshot
		*snapshot; /* NULL: it was refused, and the graph has an earlier one */
};
struct tn_wb_claims {
	struct tn_wb_claimed *items;
	size_t count;
};

/* `before`: what the graph has of the look before. Whatever is wrong is a diagnostic.
 * Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_wb_claims_read(const struct tn_wb_source_graph *sources, const struct tn_wb_config *config,
		  const struct tn_wb_claims *before, struct tn_wb_claims *ret,
		  struct tn_wb_diagnostics *diagnostics, struct tenon_error *err);
void tn_wb_claims_finish(struct tn_wb_claims *claims);
/* Puts them into the graph, and takes back what producers of `before` claim that are gone. */
void tn_wb_claims_take(struct tn_wb_claims *claims, const struct tn_wb_claims *before,
		       struct tn_wb_graph *graph, struct tn_wb_diagnostics *diagnostics);

#endif
