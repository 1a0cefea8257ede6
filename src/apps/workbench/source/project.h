/* project.h - a folder's sources as the workbench sees them (workbench.md 7.6 and 9): components
 * that may be inferred, routes, and who renders whom.
 *
 * Two steps: tn_wb_source_scan looks at the files and infers entries, and tn_wb_source_graph says,
 * for the types that are in force then, what the three built-in producers claim. A second look
 * reads only what has changed. Without the plug-in both succeed with what needs no source, and the
 * scan has one diagnostic, "analysis_unavailable".
 *
 * Threads: one at a time; these calls block, and are for a worker. `cancelled` may be NULL.
 * Ownership: results belong to the caller, who finishes them also after a failure. */
#ifndef TN_WB_SOURCE_PROJECT_H
#define TN_WB_SOURCE_PROJECT_H

#include <stdatomic.h>

#include "apps/workbench/source/hint.h"
#include "apps/workbench/values/diagnostic.h"
#include "apps/workbench/values/glob.h"
#include "base/buf.h"

struct tn_wb_source;
struct tn_wb_position;
/* `root` is absolute; `plugins`: the plug-in's folder, NULL: the usual places. Reads nothing yet.
 * Fails: INVALID, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_source_open(const char *root, const char *plugins,
					      struct tn_wb_source **ret, struct tenon_error *err);
void tn_wb_source_close(struct tn_wb_source *source);              /* accepts NULL */
bool tn_wb_source_is_available(const struct tn_wb_source *source); /* the plug-in is there */
size_t tn_wb_source_file_count(const struct tn_wb_source *source); /* of the last look */
size_t tn_wb_source_read_count(const struct tn_wb_source *source); /* of these, read anew */

struct tn_wb_source_scan {
	const struct tn_wb_globs *include, *exclude;
	const struct tn_wb_globs *infer;       /* files that entries are inferred of; NULL: all */
	bool infers;                           /* else the registry is empty */
	const struct tn_wb_source_hint *hints; /* of all explicit entries, also of disabled ones */
	size_t hint_count;
};
struct tn_wb_source_found {
	struct tn_buf registry; /* a ComponentRegistry v0 as JSON: inferred entries */
	struct tn_wb_diagnostics diagnostics;
};
/* Fails: NOT_FOUND, DENIED (the root), CANCELLED, LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_source_scan(struct tn_wb_source *source,
					      const struct tn_wb_source_scan *what,
					      const atomic_bool *cancelled,
					      struct tn_wb_source_found *ret,
					      struct tenon_error *err);
void tn_wb_source_found_finish(struct tn_wb_source_found *found);

/* A GraphSnapshot v0 as JSON, in canonical order (G1). */
struct tn_wb_source_producer {
	struct tn_buf snapshot;
	struct tn_wb_diagnostics diagnostics;
};
struct tn_wb_source_graph {
	struct tn_wb_source_producer registry, routes, components;
};
/* After a scan. `hints`: of the effective registry, at least one an entry. `routes`: paths of files
 * that hold routes, or NULL: all that import the router. Fails: CANCELLED, LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_source_graph(struct tn_wb_source *source,
					       const struct tn_wb_source_hint *hints,
					       size_t hint_count, const struct tn_str *routes,
					       size_t route_count, const atomic_bool *cancelled,
					       struct tn_wb_source_graph *ret,
					       struct tenon_error *err);
void tn_wb_source_graph_finish(struct tn_wb_source_graph *graph);

/* Calls `each` with every folder, relative to the root, that a file of the last look lies in,
 * however deep. */
void tn_wb_source_folders(const struct tn_wb_source *source,
			  void (*each)(const char *folder, void *data), void *data);

/* Where an export is declared, as of the last scan. False: no such file or export. */
bool tn_wb_source_definition(struct tn_wb_source *source, struct tn_str path,
			     struct tn_str export_name, struct tn_wb_position *ret);

#endif
