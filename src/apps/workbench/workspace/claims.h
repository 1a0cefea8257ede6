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

enum { TN_WB_PRODUCER_NAME_SIZE = TN_WB_ID_BYTES_MAX + 16 };

struct tn_wb_claimed {
	char producer[TN_WB_PRODUCER_NAME_SIZE];
	uint32_t rank;
	uint64_t serial; /* of the asking that it is of; 0: it is of no program */
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
/* What a producer of a module in JavaScript is called in the graph. */
void tn_wb_claims_name(const struct tn_wb_config_module *module,
		       const struct tn_wb_config_producer *producer,
		       char out[TN_WB_PRODUCER_NAME_SIZE]);
/* Puts them into the graph, and takes back what producers of `before` claim that are gone. */
void tn_wb_claims_take(struct tn_wb_claims *claims, const struct tn_wb_claims *before,
		       struct tn_wb_graph *graph, struct tn_wb_diagnostics *diagnostics);

#endif
