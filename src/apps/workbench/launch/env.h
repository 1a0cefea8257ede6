/* env.h - what a program of the project finds in its environment: ours without what is our own, and
 * what the configuration says (workbench.md 6.2 preview.environment, 6.4).
 *
 * Ownership: the arena's. Threads: loop, as everybody who reads environ. */
#ifndef TN_WB_LAUNCH_ENV_H
#define TN_WB_LAUNCH_ENV_H

#include "base/arena.h"
#include "jsonrpc/json.h"

enum { TN_WB_ENV_PARTS = 2 };

/* Later members of the same name win; values are scalars, and what is none is left out. `port`, if
 * it is not 0, stands for "{port}". NULL: out of memory. */
const char *const *tn_wb_env(struct tn_arena *arena,
			     const struct tn_json *const more[TN_WB_ENV_PARTS], unsigned port);
/* The text with the port in the place of each "{port}", unless it is 0. NULL: out of memory. */
const char *tn_wb_put_port(struct tn_arena *arena, struct tn_str text, unsigned port);

#endif
