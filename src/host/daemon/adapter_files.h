/* adapter_files.h - the adapters of previewed pages and the programs that Node runs for us, which
 * the build has put into the program (docs/adapters.md). Threads: any. */
#ifndef TN_HOST_ADAPTER_FILES_H
#define TN_HOST_ADAPTER_FILES_H

#include "base/str.h"

struct tn_adapter_file {
	const char *name; /* "react-hook.js" */
	struct tn_str text;
};

extern const struct tn_adapter_file tn_adapter_files[]; /* ends with a NULL name */

#endif
