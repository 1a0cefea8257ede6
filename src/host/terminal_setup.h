/* terminal_setup.h - what the host sees to before the terminal is served: that nobody reaches it
 * from afar by a slip, and what the app must know of its host (terminal.md 10, 10.3, 12.1).
 *
 * Threads: main, before there are others. */
#ifndef TN_HOST_TERMINAL_SETUP_H
#define TN_HOST_TERMINAL_SETUP_H

#include "host/config.h"

struct tn_terminal_reach {
	bool network;      /* clients come over a socket that is not the user's alone */
	bool remote;       /* from other machines */
	bool behind_proxy; /* which has ended TLS before us */
};
/* Fails: INVALID (what is missing, and by which setting or flag it is given). */
TN_MUST_USE enum tenon_code tn_terminal_check_reach(const struct tn_config *config,
						    const struct tn_terminal_reach *reach,
						    struct tenon_error *err);

/* The variables by which the app knows: `network` as above; `runtime_folder`: of pty-host.sock.
 * NULL: none, and no session outlives this process. */
void tn_terminal_tell(bool network, const char *runtime_folder);

/* After tn_config_export: secrets go out of reach of what runs in the terminal (privacy.h). */
void tn_terminal_hide_secrets(const struct tn_config *config);

#endif
