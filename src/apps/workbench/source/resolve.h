/* resolve.h - which file an import means: relative paths, endings left out, index files, and
 * `paths` and `baseUrl` of the nearest tsconfig.json or jsconfig.json.
 *
 * Only files of the table are found; what leads out of the root is nothing. Configurations are read
 * once for each resolver. Threads: one at a time. */
#ifndef TN_WB_SOURCE_RESOLVE_H
#define TN_WB_SOURCE_RESOLVE_H

#include "apps/workbench/source/files.h"

struct tn_wb_resolver {
	struct tn_wb_files *files;
	struct tn_arena arena;
	struct tn_map configs; /* by folder; shared by the folders below */
	size_t reads;          /* of configurations: they may extend each other in circles */
};
void tn_wb_resolver_init(struct tn_wb_resolver *resolver, struct tn_wb_files *files);
void tn_wb_resolver_finish(struct tn_wb_resolver *resolver);

/* NULL: a package, or nothing that is known. */
struct tn_wb_file *tn_wb_resolve(struct tn_wb_resolver *resolver, const struct tn_wb_file *from,
				 struct tn_str specifier);
/* `path` from `folder` (both relative to the root; the folder may be "") without "." and "..".
 * False: it leaves the root, or is too long. */
bool tn_wb_join(struct tn_str folder, struct tn_str path, char ret[PATH_MAX]);
/* The file of this path, or with an ending that was left out; `take`: it is read if need be. */
struct tn_wb_file *tn_wb_find_module(struct tn_wb_files *files, struct tn_str path, bool take);

#endif
