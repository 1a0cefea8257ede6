/* links.h - who renders whom, over all files of a look: each declaration is a number, and so is
 * each package's export that is hinted at; names are followed through imports and exports to them.
 *
 * Made for one graph and thrown away with it; the files must not change meanwhile. Threads: one at
 * a time. */
#ifndef TN_WB_SOURCE_LINKS_H
#define TN_WB_SOURCE_LINKS_H

#include "apps/workbench/source/hint.h"
#include "apps/workbench/source/resolve.h"

struct tn_wb_hint_place {
	uint32_t node;                 /* TN_WB_NONE: no declaration is known */
	bool is_found;                 /* the file has this export */
	const struct tn_wb_file *file; /* where the position is */
	struct tn_wb_position at;
};
struct tn_wb_links {
	struct tn_arena arena;
	struct tn_wb_files *files;
	struct tn_wb_resolver resolver;
	const struct tn_wb_source_hint *hints;
	size_t hint_count;
	struct tn_wb_hint_place *places; /* by hint */
	uint32_t *first_node;            /* by file */
	uint32_t *package_hints;         /* those nodes follow the files' */
	uint32_t package_count, unit_count, node_count;
	uint32_t *type_of;                /* by node: the first hint of its type, TN_WB_NONE */
	uint32_t *target_first, *targets; /* by node: what it renders */
	uint32_t *seen, *queue;           /* by node, of one search */
	uint32_t search;
};

/* Fails: NO_MEMORY, LIMIT, CANCELLED. There is something to finish in any case. */
TN_MUST_USE enum tenon_code tn_wb_links_make(struct tn_wb_links *links, struct tn_wb_files *files,
					     const struct tn_wb_source_hint *hints, size_t count,
					     struct tenon_error *err);
void tn_wb_links_finish(struct tn_wb_links *links);
/* Follows what everything renders. */
TN_MUST_USE enum tenon_code tn_wb_links_follow(struct tn_wb_links *links,
					       const atomic_bool *cancelled,
					       struct tenon_error *err);

/* The node that a name in a file stands for; TN_WB_NONE. */
uint32_t tn_wb_links_use(struct tn_wb_links *links, const struct tn_wb_file *file,
			 const struct tn_wb_use *use);
/* The file that declares a variable which is imported once; itself if it is its own. *ret_name:
 * what it is called there. NULL: neither. */
const struct tn_wb_file *tn_wb_links_variable(struct tn_wb_links *links,
					      const struct tn_wb_file *file, struct tn_str name,
					      struct tn_str *ret_name);

/* Types that are rendered from these nodes on, through what is no type (and, with `is_route`, what
 * was only inferred). Calls `found` with the first hint of each, once. */
struct tn_wb_search {
	const uint32_t *start;
	size_t count;
	bool is_route;
	void (*found)(void *data, uint32_t hint);
	void *data;
};
void tn_wb_links_search(struct tn_wb_links *links, const struct tn_wb_search *search);

#endif
