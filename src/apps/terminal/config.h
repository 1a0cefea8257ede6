/* config.h - the settings of the terminal (terminal.md section 12.5), read once from
 * TENON_TERMINAL_* variables, which the host fills from config.json, flags and --set
 * (docs/configuration.md). Two more come from the host itself: TENON_TERMINAL_NETWORK (1: clients
 * come by the network) and TENON_TERMINAL_RUNTIME (the folder for pty-host.sock).
 *
 * Ownership: the caller finishes it. Threads: any. */
#ifndef TN_TERM_CONFIG_H
#define TN_TERM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "apps/terminal/redact.h"

enum tn_term_sandbox {
	TN_TERM_SANDBOX_NONE,
	TN_TERM_SANDBOX_IF_AVAILABLE, /* "auto", where clients come by the network */
	TN_TERM_SANDBOX_ALWAYS        /* "bubblewrap": without it nothing is started */
};

struct tn_term_config {
	bool backend_none;        /* terminal.backend = "none": placeholders */
	bool persist;             /* terminal.persist = "host", and there is a folder for it */
	uint32_t host_grace_s;    /* 30 */
	const char *const *roots; /* absolute; NULL-terminated, as all lists; none: anywhere */
	const char *const *allowed_shells; /* absolute; none: those of /etc/shells and $SHELL */
	const char *shell;      /* the default one; "": $SHELL, then the user's, then /bin/sh */
	const char *user_shell; /* $SHELL; "": not set */
	const char *home;       /* $HOME; "": not set */
	const char *const *env_pass; /* terminal.env.pass: names or patterns let through */
	uint32_t max_sessions, max_sessions_per_caller;  /* 100, 32 */
	uint32_t idle_timeout_s, closed_retention_s;     /* 3600, 3600 */
	uint32_t scrollback_lines;                       /* 10000 */
	uint32_t max_hold_ms;                            /* 55000 */
	uint32_t max_concurrent_calls;                   /* 64 */
	uint32_t rate_per_minute;                        /* 600 */
	uint64_t spool_session_bytes, spool_total_bytes; /* 128 MiB, 2 GiB */
	bool network; /* clients may come from other machines: what is asked about is stricter */
	enum tn_term_sandbox sandbox; /* of sessions that do not say */
	bool sandbox_network;         /* terminal.sandbox_network = "host" */
	uint64_t limit_processes, limit_files, limit_file_bytes, limit_memory_bytes,
		limit_cpu_s;                 /* 8192, else 0: as ours */
	enum tn_redact_level redact_results; /* terminal.redact.results: known */
	const char *const *redact_patterns;
	bool history, ignore_space_people, ignore_space_tools;
	uint32_t history_days;      /* 30 */
	uint64_t history_bytes;     /* 512 MiB */
	const char *state_folder;   /* .../terminal; absolute */
	const char *runtime_folder; /* where pty-host.sock goes; NULL without persist */
	struct tn_arena arena;      /* holds the texts */
};

typedef const char *tn_term_getter(const char *name);
/* What the getter returns is copied. Fails: INVALID (which setting, what to send instead),
 * NOT_FOUND (no place for what is kept), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_term_config_read(struct tn_term_config *config, tn_term_getter *get,
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
