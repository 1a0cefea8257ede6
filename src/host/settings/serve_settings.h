/* serve_settings.h - what `tenon serve` is told besides its ways in: settings, policy, and what
 * goes with the terminal (terminal.md 12.6).
 *
 * Ownership: the caller finishes. Threads: main. */
#ifndef TN_HOST_SERVE_SETTINGS_H
#define TN_HOST_SERVE_SETTINGS_H

#include <limits.h>

#include "base/buf.h"
#include "host/settings/config.h"
#include "mcp/server.h"

enum { TN_SERVE_FLAGS_MAX = 64, TN_SERVE_EXIT_FILE = 2 };

struct tn_serve_settings {
	const char *config_file, *policy_file;         /* NULL: the user's */
	const char *flags[2 * TN_SERVE_FLAGS_MAX + 1]; /* keys and values, then NULL */
	size_t flag_count;
	const char *own;     /* the first option that only the terminal has; NULL: none */
	struct tn_buf roots; /* those of --root, separated by colons */
	struct tn_config *config;
	char runtime_folder[PATH_MAX + 32]; /* of --persist host; "": none */
	int lock_fd;                        /* the same; -1: none */
};

void tn_serve_settings_init(struct tn_serve_settings *settings);
void tn_serve_settings_finish(struct tn_serve_settings *settings);

/* One option with its value, which stays the caller's. True: it was one of ours; *ret_code is 0, or
 * the exit code, and standard error says why. */
bool tn_serve_settings_take(struct tn_serve_settings *settings, const char *name, char *value,
			    int *ret_code);

/* Reads everything. `terminal`: it is among them. The exit code: 0; 1
 * for options, 2 for files; standard error says why. */
int tn_serve_settings_read(struct tn_serve_settings *settings, bool terminal);

/* Policy and consent, when the apps are added. `said`: what answers for persons (consent_said.h),
 * or NULL. Fails: INVALID (the policy; exit code 2), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_serve_settings_policy(const struct tn_serve_settings *settings,
						     struct tenon_server *server, const char *said,
						     struct tenon_error *err);

/* "tenon serve: " and the sentence, on standard error; returns the exit code for mistakes in the
 * command line. */
int tn_serve_complain(const char *format, ...) TN_PRINTF(1, 2);

#endif
