/* sites.h - places in the sources where elements are written, and which component type each is of.
 *
 * Open as long as one plan is made; the source must not look meanwhile. Threads: as project.h. */
#ifndef TN_WB_SOURCE_SITES_H
#define TN_WB_SOURCE_SITES_H

#include "apps/workbench/source/project.h"
#include "apps/workbench/source/tree.h"

struct tn_wb_sites;
/* `paths`: of all files that are asked about; those that have changed are read again. Fails: LIMIT,
 * NO_MEMORY, NOT_FOUND (the plug-in that reads sources is not there: the message says so). */
TN_MUST_USE enum tenon_code tn_wb_sites_open(struct tn_wb_source *source,
					     const struct tn_str *paths, size_t path_count,
					     const struct tn_wb_source_hint *hints,
					     size_t hint_count, struct tn_wb_sites **ret,
					     struct tenon_error *err);
void tn_wb_sites_close(struct tn_wb_sites *sites); /* accepts NULL */

/* Appends the file's text as it is now. Fails: as tn_place_find, tn_place_read. */
TN_MUST_USE enum tenon_code tn_wb_sites_text(const struct tn_wb_sites *sites, struct tn_str path,
					     struct tn_buf *out, struct tenon_error *err);
/* Its tree. Fails: as tn_wb_tree_parse. */
TN_MUST_USE enum tenon_code tn_wb_sites_parse(const struct tn_wb_sites *sites, struct tn_str path,
					      struct tn_str text, struct tn_wb_tree *ret,
					      struct tenon_error *err);
/* Whether a tag of the file's tree renders the type: its name leads to what a hint of the type
 * leads to. */
bool tn_wb_sites_renders(struct tn_wb_sites *sites, struct tn_str path,
			 const struct tn_wb_tree *tree, uint32_t tag, struct tn_str type_id);

#endif
