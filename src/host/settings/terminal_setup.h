/* terminal_setup.h - what the host sees to before the terminal is served: that nobody reaches it
 * from afar by a slip, and what the app must know of its host (terminal.md 10, 10.3, 12.1).
 *
 * Threads: main, before there are others. */
#ifndef TN_HOST_TERMINAL_SETUP_H
#define TN_HOST_TERMINAL_SETUP_H

#include "host/settings/config.h"

struct tn_terminal_reach {
	bool network;      /* clients come over a socket that is not the user's alone */
	bool remote;       /* from other machines */
	bool behind_proxy; /* which has ended TLS before us */
};
/* By what the app was opened with, not by what the file says for the next time. Fails: INVALID
 * (what is missing, and by which setting or flag it is given). */
TN_MUST_USE enum tenon_code tn_terminal_check_reach(struct tn_config *config,
						    const struct tn_terminal_reach *reach,
						    struct tenon_error *err);

/* After the settings were read: secrets of our environment go out of reach of what runs in the
 * terminal (privacy.h), and what only we read there goes altogether. */
void tn_terminal_hide_secrets(const struct tn_config *config);

#endif
