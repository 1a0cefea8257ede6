/* relay_launch.h - a daemon for a relay that finds none: `tenond --launch` beside this program.
 *
 * It prints one line, which is a discovery file or {"error":"CODE","message":"..."}, and ends. The
 * daemon it starts is not ours and stays. Ownership: the caller frees it, also inside `done`.
 * Threads: loop. */
#ifndef TN_CLI_RELAY_LAUNCH_H
#define TN_CLI_RELAY_LAUNCH_H

#include "host/settings/runtime.h"
#include "loop/loop.h"

struct tn_relay_launch;

struct tn_relay_launched {
	bool ok;
	bool final; /* asking again at once is of no use: it died too often, or is set up wrongly */
	struct tn_discovery found; /* when ok */
	char message[512];         /* when not */
};

typedef void tn_relay_launched_fn(const struct tn_relay_launched *launched, void *data);

/* `program`: the path of tenond. Fails: SYSTEM (it cannot be started), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_relay_launch_start(struct tn_loop *loop, const char *program,
						  tn_relay_launched_fn *done, void *data,
						  struct tn_relay_launch **ret,
						  struct tenon_error *err);
void tn_relay_launch_free(struct tn_relay_launch *launch); /* accepts NULL */

#endif
