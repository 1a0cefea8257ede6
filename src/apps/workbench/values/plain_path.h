/* plain_path.h - which paths may name a file of a workspace (workbench.md sections 5 and 7.5).
 *
 * Threads: any. */
#ifndef TN_WB_VALUES_PLAIN_PATH_H
#define TN_WB_VALUES_PLAIN_PATH_H

#include "base/str.h"

/* Relative, with slashes, no part of it empty, "." or "..", no backslash, no NUL. */
bool tn_wb_path_is_plain(struct tn_str path);

#endif
