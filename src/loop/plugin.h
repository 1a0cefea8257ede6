/* plugin.h - what is opened on first use, so that nothing else links its libraries.
 *
 * A plug-in is a file beside the executable, beside the library that this code is part of, or in
 * the library folder. It exports one struct, whose first member is a uint32_t: its version. It
 * stays loaded as long as the process runs: its libraries keep threads, locks and tables of their
 * own. Threads: any. */
#ifndef TN_LOOP_PLUGIN_H
#define TN_LOOP_PLUGIN_H

#include <stdint.h>

#include "base/error.h"

extern const char tn_plugin_dir[]; /* where they are when they are beside nothing */

struct tn_plugin {
	const char *file, *symbol;
	uint32_t version;
};

/* `folder`: where it lies; NULL or empty: the usual places. *ret is the struct. Fails: NOT_FOUND
 * (not installed), SYSTEM (it does not load), INTERNAL (another version's). */
TN_MUST_USE enum tenon_code tn_plugin_load(const struct tn_plugin *plugin, const char *folder,
					   const void **ret, struct tenon_error *err);

#endif
