/* diagnostic.h - what is wrong with a diagram, and what would cure it (studio.md section 7).
 *
 * Everything lives in the caller's arena. Threads: loop. */
#ifndef TN_STUDIO_DIAGNOSTIC_H
#define TN_STUDIO_DIAGNOSTIC_H

#include "apps/studio/document/value.h"

enum tn_studio_severity { TN_STUDIO_ERROR, TN_STUDIO_WARNING, TN_STUDIO_INFO };

struct tn_studio_diagnostic {
	enum tn_studio_severity severity;
	const char *code; /* "MISSING_PROPERTY"; static */
	struct tn_str message, hint;
	struct tn_str node_id, property, edge_id; /* empty: none */
	struct tn_str fix; /* a JSON array of {"tool","arguments"}; empty: none */
	struct tn_studio_diagnostic *next;
};

struct tn_studio_diagnostics {
	struct tn_arena *arena;
	struct tn_studio_diagnostic *first, *last;
	size_t counts[3]; /* by severity */
};
void tn_studio_diagnostics_init(struct tn_studio_diagnostics *list, struct tn_arena *arena);
/* Returns the new one, to add a property, a hint or a fix to; NULL: no memory (the arena says so).
 * `node` may be NULL. */
struct tn_studio_diagnostic *tn_studio_diagnose(struct tn_studio_diagnostics *list,
						enum tn_studio_severity severity, const char *code,
						const struct tn_studio_node *node,
						const char *format, ...) TN_PRINTF(5, 6);
void tn_studio_diagnostic_put(struct tn_buf *out, const struct tn_studio_diagnostic *one);
/* Appends a copy. False: no memory. */
bool tn_studio_diagnostics_add(struct tn_studio_diagnostics *list, struct tn_arena *arena,
			       const struct tn_studio_diagnostic *one);
/* As a JSON array. */
void tn_studio_diagnostics_put(struct tn_buf *out, const struct tn_studio_diagnostics *list);

struct tn_studio_prices;

struct tn_studio_check_options {
	bool for_run; /* UNSET_VARIABLE counts */
	/* As in edit.h; NULL: nothing is deployed. */
	bool (*deployed)(const void *status, struct tn_str node_id, struct tn_buf *ret_addresses);
	const void *status;
	const struct tn_studio_prices
		*prices; /* for the budget (11.3); NULL: it is not looked at */
};
/* All of section 7 but what only generation knows (REFERENCE_CYCLE, DUPLICATE_ADDRESS,
 * UNSET_VARIABLE, UNUSED_VARIABLE_VALUE: generate.h). */
void tn_studio_check(const struct tn_studio_document *document,
		     const struct tn_studio_check_options *options,
		     struct tn_studio_diagnostics *list);
/* The same for one node alone, for the answers of edits. */
void tn_studio_check_node(const struct tn_studio_document *document,
			  const struct tn_studio_node *node,
			  const struct tn_studio_check_options *options,
			  struct tn_studio_diagnostics *list);

#endif
