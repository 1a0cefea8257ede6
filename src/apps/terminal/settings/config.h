/* config.h - what the terminal is set to (settings_table.c, terminal.md section 12.5), together
 * with what it must know of its host and of its user.
 *
 * A setting that one place asks for is read there, from `settings`; the members are those that are
 * worked out, or that several ask for. Ownership: the caller finishes it; the views' values stay
 * the host's. Threads: any. */
#ifndef TN_TERM_CONFIG_H
#define TN_TERM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/settings.h"
#include "apps/terminal/redact/redact.h"

enum tn_term_sandbox {
	TN_TERM_SANDBOX_NONE,
	TN_TERM_SANDBOX_IF_AVAILABLE, /* "auto", where clients come by the network */
	TN_TERM_SANDBOX_ALWAYS,       /* "bubblewrap": without it nothing is started */
	TN_TERM_SANDBOX_LANDLOCK /* "landlock", or else bubblewrap, or else nothing is started */
};

struct tn_term_config {
	struct tn_settings settings;
	bool persist;             /* terminal.persist = "host", and there is a folder for it */
	const char *const *roots; /* absolute; NULL-terminated, as all lists; none: anywhere */
	const char *const *allowed_shells; /* absolute; none: those of /etc/shells and $SHELL */
	const char *shell;      /* the default one; "": $SHELL, then the user's, then /bin/sh */
	const char *user_shell; /* $SHELL; "": not set */
	const char *home;       /* $HOME; "": not set */
	const char *const *env_pass; /* terminal.env.pass: names or patterns let through */
	bool network; /* clients may come from other machines: what is asked about is stricter */
	enum tn_term_sandbox sandbox; /* of sessions that do not say */
	bool sandbox_elsewhere; /* "auto": callers from elsewhere get one where it works, in any
				 * case
				 */
	bool sandbox_network;   /* terminal.sandbox_network = "host" */
	enum tn_redact_level redact_results; /* terminal.redact.results: known */
	const char *const *redact_patterns;
	const char *state_folder;   /* .../terminal; absolute */
	const char *runtime_folder; /* where pty-host.sock goes; NULL without persist */
	struct tn_arena arena;      /* holds the texts */
};

typedef const char *tn_term_getter(const char *name); /* getenv, or a test's own */

struct tn_term_surroundings {
	const struct tn_settings *views; /* the host's; NULL: every setting has its default */
	bool network;                    /* see above */
	const char *runtime_folder;      /* for pty-host.sock; NULL: no session outlives us */
	tn_term_getter *get;             /* HOME, SHELL, TENON_STATE_DIR, XDG_STATE_HOME */
};
/* Fails: NOT_FOUND (no place for what is kept), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_term_config_read(struct tn_term_config *config,
						const struct tn_term_surroundings *around,
						struct tenon_error *err);
void tn_term_config_finish(struct tn_term_config *config);

/* Resolves a directory argument: absolute or below `base`, realpath, inside the roots. NULL wanted:
 * `base`; NULL base: where sessions start. Fails: NOT_FOUND (cwd_not_found), DENIED
 * (cwd_not_allowed: outside the roots, also by a symbolic link, or closed to us), INVALID
 * (cwd_not_directory). */
TN_MUST_USE enum tenon_code tn_term_config_directory(const struct tn_term_config *config,
						     const char *base, const char *wanted,
						     char out[4096], struct tenon_error *err);
/* Where a session starts that does not say: the first root that is there, else our own directory.
 * Fails: NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_term_config_start_directory(const struct tn_term_config *config,
							   char out[4096], struct tenon_error *err);

/* The shell to start: `wanted` (a name or path; NULL: the default), as an absolute path. Fails:
 * DENIED (not among the allowed ones; the message lists them), NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_term_config_shell(const struct tn_term_config *config,
						 const char *wanted, char out[4096],
						 struct tenon_error *err);

#endif
