/* files.h - the source files of a folder, and what is known of each; kept from one look to the
 * next, so that only what has changed is read again.
 *
 * Nothing outside the root is read: each path is opened beneath it, links that lead out are passed
 * over. A link to what is there already adds nothing. Ownership: a table has its modules.
 * Threads: one at a time; these calls block. */
#ifndef TN_WB_SOURCE_FILES_H
#define TN_WB_SOURCE_FILES_H

#include <stdatomic.h>

#include "apps/workbench/source/module.h"
#include "apps/workbench/values/diagnostic.h"
#include "apps/workbench/values/glob.h"
#include "base/map.h"
#include "store/beneath.h"

struct tn_wb_file {
	char *path; /* relative to the root, with slashes */
	uint64_t size, changed_ns, made_ns, number, device;
	bool is_included; /* by the patterns; else somebody asked for it by name */
	bool is_fresh;    /* seen in this look */
	bool is_read;     /* the module is there */
	char *fault;      /* why not, or NULL */
	uint32_t index;   /* in the list, for who links files */
	struct tn_wb_module module;
};
struct tn_wb_files {
	struct tn_roots roots;
	char root[PATH_MAX];
	struct tn_wb_reader *reader; /* NULL: the plug-in is not there */
	struct tn_wb_file **list;    /* by path, in byte order */
	size_t count, capacity;
	struct tn_map by_path;
	size_t read_count; /* of the last look: files that were read */
};

/* `root` is absolute. Fails: INVALID, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_files_open(struct tn_wb_files *files, const char *root,
					     struct tn_wb_reader *reader, struct tenon_error *err);
void tn_wb_files_close(struct tn_wb_files *files);

/* Looks at all that `include` and not `exclude` matches. Files that cannot be read are told of.
 * Fails: NOT_FOUND, DENIED (the root itself), CANCELLED, NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_wb_files_look(struct tn_wb_files *files, const struct tn_wb_globs *include,
		 const struct tn_wb_globs *exclude, const atomic_bool *cancelled,
		 struct tn_wb_diagnostics *diagnostics, struct tenon_error *err);
/* NULL: it is not in the table. */
struct tn_wb_file *tn_wb_files_get(const struct tn_wb_files *files, struct tn_str path);
/* The same, read if it is beneath the root; it stays until the next look. */
struct tn_wb_file *tn_wb_files_take(struct tn_wb_files *files, struct tn_str path);
/* Appends the text of any file beneath the root. Fails: as tn_place_find, tn_place_read. */
TN_MUST_USE enum tenon_code tn_wb_files_text(const struct tn_wb_files *files, struct tn_str path,
					     struct tn_buf *out, struct tenon_error *err);

#endif
