/* prop_path.h - which prop an override is of, and where inside its value (O4).
 *
 * A JSON Pointer of 1 to TN_WB_PATH_TOKENS_MAX tokens, none empty; the first is the prop's name.
 * Threads: any. Ownership: the caller's; the tokens point into the path's own bytes, so that it is
 * not copied. */
#ifndef TN_WB_VALUES_PROP_PATH_H
#define TN_WB_VALUES_PROP_PATH_H

#include "apps/workbench/limits.h"
#include "base/str.h"

enum tn_wb_path_fault {
	TN_WB_PATH_GOOD,
	TN_WB_PATH_INVALID, /* code invalid_path: no such pointer, "-" or "01" as a position */
	TN_WB_PATH_UNSAFE   /* code unsafe_path: __proto__, prototype, constructor */
};

struct tn_wb_prop_path {
	size_t count;
	struct tn_str tokens[TN_WB_PATH_TOKENS_MAX]; /* unescaped */
	char bytes[TN_WB_PATH_BYTES_MAX];
};

/* *ret is good for reading only after GOOD. */
enum tn_wb_path_fault tn_wb_prop_path_read(struct tn_wb_prop_path *ret, struct tn_str text);

#endif
