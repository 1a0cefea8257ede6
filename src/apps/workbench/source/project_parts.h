/* project_parts.h - the inside of a source, for the files project*.c. Threads: as project.h. */
#ifndef TN_WB_SOURCE_PROJECT_PARTS_H
#define TN_WB_SOURCE_PROJECT_PARTS_H

#include "apps/workbench/source/links.h"
#include "apps/workbench/source/project.h"

struct tn_wb_source {
	struct tn_wb_reader *reader; /* NULL: there is no plug-in */
	char why[256];               /* why not */
	struct tn_wb_files files;
};

/* ---- project_infer.c ---- */

/* Writes the entries that are inferred (R14). Fails: LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_infer(struct tn_wb_links *links,
					const struct tn_wb_source_scan *what, struct tn_buf *out,
					struct tn_wb_diagnostics *diagnostics,
					struct tenon_error *err);

/* ---- project_routes.c ---- */

/* Writes what core.routes claims (G14-G18). Fails: LIMIT, NO_MEMORY. */
struct tn_wb_route_files {
	const struct tn_str *paths; /* NULL: all that import the router */
	size_t count;
};
TN_MUST_USE enum tenon_code tn_wb_put_routes(struct tn_wb_links *links,
					     const struct tn_wb_route_files *of,
					     struct tn_wb_source_producer *out,
					     struct tenon_error *err);

/* ---- project_parts.c ---- */

/* It has no number: each is all that its producer claims. */
void tn_wb_begin_snapshot(struct tn_buf *out);
void tn_wb_put_source(struct tn_buf *out, const char *path, struct tn_wb_position at);
/* Hints in a search's order become a list without doubles, by type. */
struct tn_wb_type_list {
	struct tn_arena *arena;
	const struct tn_wb_source_hint *hints;
	uint32_t *items; /* first hints */
	size_t count, capacity;
	bool failed;
};
void tn_wb_type_found(void *list, uint32_t hint); /* for tn_wb_search */
void tn_wb_types_sort(struct tn_wb_type_list *list);

#endif
