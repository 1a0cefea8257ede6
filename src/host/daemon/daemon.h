/* daemon.h - the one daemon of this process: what its parts share (docs/daemon.md).
 *
 * Threads: loop. */
#ifndef TN_HOST_DAEMON_H
#define TN_HOST_DAEMON_H

#include <sys/types.h>

#include "host/settings/config.h"
#include "host/record/log.h"
#include "host/settings/runtime.h"
#include "mcp/server.h"

enum { TN_PAGE_TOKENS = 4 }; /* each is compared with whatever a request brings */

enum tn_daemon_state { TN_DAEMON_LISTENING, TN_DAEMON_OFF, TN_DAEMON_ERROR };

struct tn_admin;
struct tn_timer;
struct tn_audit_file;
struct tn_callers;
struct tn_metrics;
struct tn_person_door;
struct tn_proof;
struct tn_way;

struct tn_daemon {
	struct tenon_server *server;
	struct tn_config *config;
	struct tn_runtime_paths paths;
	char config_folder[PATH_MAX], state_folder[PATH_MAX];
	struct tn_discovery found; /* what the discovery file says */
	char person_token[TN_TOKEN_TEXT_MAX];
	/* Of pages that `tenon open` has opened, so that one can be withdrawn without the others.
	 */
	char page_tokens[TN_PAGE_TOKENS][TN_TOKEN_TEXT_MAX];
	bool page_token_taken[TN_PAGE_TOKENS];
	uint64_t started_wall_ms, token_since_wall_ms;
	bool token_fixed;     /* from a file: not rotated */
	bool remote;          /* bound to more than loopback */
	uint16_t wanted_port; /* a socket's from outside, else what is next */
	uint16_t asked_port;  /* http.port as it was when the listener was opened */
	char policy_path[PATH_MAX + 16], policy_problem[256]; /* problem: "" when it is in force */
	bool policy_named; /* on the command line: it must be there */
	char reason[256];  /* of TN_DAEMON_ERROR; "" otherwise */
	int lock_fd;
	struct tn_timer *rotation; /* NULL: only on demand */

	struct tn_way *http; /* the HTTP listener */
	struct tn_metrics *metrics;
	struct tn_audit_file *audit;
	struct tn_admin *admin;
	struct tn_callers *callers; /* who has spoken to us */
	struct tn_person_door *person_door;
	struct tn_proof *proof; /* NULL: approvals count at once */
	pid_t terminal_host;    /* what serves terminals; 0: nothing yet */
};

enum tn_daemon_state tn_daemon_state(const struct tn_daemon *daemon);

/* A new client token everywhere: listeners, discovery file. Old connections are closed within one
 * second. Fails: DENIED (the token is fixed), SYSTEM (the file). The new one is
 * daemon->found.token.
 */
TN_MUST_USE enum tenon_code tn_daemon_rotate(struct tn_daemon *daemon, struct tenon_error *err);

/* The settings have changed (tn_config_change): takes over what can be taken over while running:
 * mcp.enabled, apps, log.level, http.port (the listener moves). */
TN_MUST_USE enum tenon_code tn_daemon_apply(struct tn_daemon *daemon, struct tenon_error *err);

/* tenond --daemon: serves until SIGTERM; returns the exit code. `ready_fd`: told "ready\n", or one
 * line of what went wrong, then closed; -1: nobody waits. */
int tn_daemon_main(int argc, char **argv);

#endif
