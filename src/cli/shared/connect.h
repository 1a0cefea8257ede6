/* connect.h - the one way in which verbs reach the daemon: an MCP client on its bridge.
 *
 * Where the bridge is: TENON_BRIDGE_PORT and TENON_BRIDGE_TOKEN when they are set, else the
 * discovery file, else a daemon is started. Threads: main. */
#ifndef TN_CLI_CONNECT_H
#define TN_CLI_CONNECT_H

#include "cli/shared/run.h"
#include "host/settings/runtime.h"
#include "tenon/client.h"

struct tn_connect {
	const char *app;             /* only this app's tools and resources; NULL: all */
	bool everyday;               /* of all apps: the short list (mcp/finder/finder.h) */
	bool no_start;               /* a daemon that does not run is not started */
	bool no_reconnect;           /* a lost connection stays lost */
	uint32_t timeout_ms;         /* of a request; 0: the client's default */
	uint32_t connect_timeout_ms; /* 0: the client's default */
	const char *token;           /* NULL: the client token */
	const char *url; /* of another server's WebSocket, with its token; NULL: the daemon's */
	struct tenon_client_handlers handlers;
};

/* *ret_client belongs to the caller. `ret_found` (may be NULL) says where it was found; of it only
 * bridge_port and token are set when the environment said so. Otherwise the exit code, and all is
 * told: 1 (no such app: NOT_FOUND), 3 (the token is refused), 4. */
int tn_cli_connect(const struct tn_cli *cli, const struct tn_connect *options,
		   struct tenon_client **ret_client, struct tn_discovery *ret_found);

/* The same without a word: for what has another way out. NOT_FOUND: no daemon runs (and none is
 * started), or it has no such app. */
TN_MUST_USE enum tenon_code tn_cli_try_connect(const struct tn_cli *cli,
					       const struct tn_connect *options,
					       struct tenon_client **ret_client,
					       struct tn_discovery *ret_found,
					       struct tenon_error *err);

/* The exit code of a request that failed, and all is told. */
int tn_cli_fail_outcome(const struct tn_cli *cli, const struct tenon_outcome *outcome);
/* The same of a resource, which servers do not name. */
int tn_cli_fail_resource(const struct tn_cli *cli, const char *uri,
			 const struct tenon_outcome *outcome);

#endif
