/* import_action.h - the work of import_terraform, apart from the protocol. Threads: loop; reading
 * the files blocks for as long as they take. */
#ifndef TN_STUDIO_IMPORT_ACTION_H
#define TN_STUDIO_IMPORT_ACTION_H

#include "apps/studio/edit/action.h"

/* Arguments `source`, `path` or `files`, `into`?, `layout`?, `dryRun`?; appends what import.h says,
 * `skippedFiles`, `dryRun`. Fails: PATH_NOT_ALLOWED, NOT_FOUND, IO_ERROR, LIMIT_EXCEEDED,
 * INVALID_INPUT. */
bool tn_studio_act_import(struct tn_studio_act *act, const struct tn_json *arguments,
			  struct tn_buf *result);

#endif
