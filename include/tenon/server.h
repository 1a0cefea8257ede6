/* server.h - an MCP server: what it offers, and how it is reached.
 *
 * Speaks revisions 2024-11-05 to 2026-07-28 at once; every client gets its own. Threads: create,
 * add and run on one thread; only tenon_server_stop may be called from elsewhere (also from a
 * signal handler). Ownership: the caller destroys what it created. */
#ifndef TENON_SERVER_H
#define TENON_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/app.h"
#include "tenon/tool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tenon_server;

struct tenon_server_options {
	const char *name;    /* required */
	const char *version; /* required */
	const char *title;
	const char *website_url;
	const char *instructions;                   /* a short text for the model, below 2 KiB */
	enum tenon_argument_faults argument_faults; /* for tools added outside an app */
	uint64_t list_ttl_ms;    /* how long clients may keep lists; 0: not at all */
	bool list_public;        /* lists are the same for all callers */
	bool check_output;       /* validate structured results against their schema */
	const char *description; /* of the server, for people (2025-11-25) */
	const char *icons;       /* NULL, or a JSON array of icons */
	bool no_server_info;     /* do not name the server in every result (MCP-045) */

	/* Sealed state (MCP-205) must be opened by every process behind one balancer: the same 32
	 * bytes or more, as text, for all; the first seals, all open, so that keys can be changed
	 * one after the other. NULL-terminated. NULL: a random key of this process. */
	const char *const *seal_keys;

	uint32_t sessions_max;  /* legacy HTTP sessions; 0: 1024 */
	uint32_t listeners_max; /* streams of subscriptions/listen; 0: 1024 */

	/* What hosts would reject or cut is told once, before serving: `item` is "tool weather",
	 * `sentence` says what and what to do instead. NULL: on standard error. */
	void (*lint)(const char *item, const char *sentence, void *data);
	bool no_lint;
	/* One line of JSON for each request that ends: time, principal, client, method, name,
	 * outcome, duration in ms; no arguments (MCP-289). NULL: no audit. */
	void (*audit)(const char *line, void *data);
	void *data; /* of these two */
};

enum tenon_code tenon_server_create(const struct tenon_server_options *options,
				    struct tenon_server **ret, struct tenon_error *err);
void tenon_server_destroy(struct tenon_server *server); /* accepts NULL */

/* Each may be called at any time; connected clients are told that the list has changed. Fails:
 * INVALID (a name or schema that clients would refuse; the message says what), LIMIT, NO_MEMORY. */
enum tenon_code tenon_server_add_tool(struct tenon_server *server, const struct tenon_tool *tool,
				      struct tenon_error *err);
enum tenon_code tenon_server_add_resource(struct tenon_server *server,
					  const struct tenon_resource *resource,
					  struct tenon_error *err);
enum tenon_code tenon_server_add_template(struct tenon_server *server,
					  const struct tenon_resource_template *resource_template,
					  struct tenon_error *err);
enum tenon_code tenon_server_add_prompt(struct tenon_server *server,
					const struct tenon_prompt *prompt, struct tenon_error *err);
enum tenon_code tenon_server_add_app(struct tenon_server *server, const struct tenon_app *app,
				     struct tenon_error *err);

/* An extension of the protocol: its id and settings stand under `capabilities.extensions`, and its
 * methods are called like any other, without touching the core. */
struct tenon_method {
	const char *name;        /* "skills/list"; none of the protocol's own */
	const char *name_member; /* NULL, or the member of params that Mcp-Name repeats over HTTP */
	/* Ends by tenon_call_finish_json or tenon_call_refuse; the arguments are the params. */
	tenon_call_fn *call;
	void *data;
};
struct tenon_extension {
	const char *id;       /* "io.modelcontextprotocol/skills" (MCP-042) */
	const char *settings; /* a JSON object; NULL: {} */
	bool legacy;          /* declared and served in 2025-11-25, too */
	bool required;        /* its methods want the client to declare it: -32021 otherwise */
	const struct tenon_method *methods; /* ends with a NULL name; may be NULL */
};
enum tenon_code tenon_server_add_extension(struct tenon_server *server,
					   const struct tenon_extension *extension,
					   struct tenon_error *err);

/* Tells of everything hosts would reject or cut, as `lint` would be told. Returns how many. */
size_t tenon_server_lint(struct tenon_server *server,
			 void (*told)(const char *item, const char *sentence, void *data),
			 void *data);

/* False: no such name. Calls already running finish. */
bool tenon_server_remove_tool(struct tenon_server *server, const char *name);
bool tenon_server_remove_resource(struct tenon_server *server, const char *uri);
bool tenon_server_remove_prompt(struct tenon_server *server, const char *name);

/* Tells everybody who subscribed to this URI that it has changed. */
void tenon_server_resource_updated(struct tenon_server *server, const char *uri);

/* ---- reaching it ----
 *
 * A server may be reached in several ways at once: open each with a tenon_server_listen_*, then
 * tenon_server_run. The two functions after that are the same in one step for the usual cases. */

/* One named token (MCP-266). Its name is the principal of what is done with it: sessions, tasks,
 * sealed state and handles belong to it. */
struct tenon_token {
	const char *name;  /* at most 63 characters of A-Z a-z 0-9 _ - . */
	const char *token; /* at least 16 visible ASCII characters */
	/* What it may use, as patterns in which `*` stands for any characters ("terraform_*",
	 * "plan:*"); NULL-terminated. NULL: everything. What it may not use it does not see. */
	const char *const *tools;
	const char *const *resources;
	const char *const *prompts;
	/* It is in a person's hands: its holder may approve what others ask for, and use the tools
	 * that are for persons only. Two tokens may have one name, which makes them one principal.
	 */
	bool person;
	/* A user of this machine holds it: over loopback, and by no proxy, its holder is no caller
	 * from elsewhere (docs/policy.md). The one token of `token` counts as local. */
	bool local;
};

struct tenon_http_options {
	const char *address; /* "127.0.0.1", "::1"; NULL: 127.0.0.1 */
	uint16_t port;       /* 0: the kernel chooses */
	const char *path;    /* of Streamable HTTP; NULL: "/mcp"; "": only the others are offered */
	/* The transports of older clients on the same port. NULL: "/sse" (its POST endpoint is
	 * "/messages") and "/ws"; "": not offered. */
	const char *sse_path;
	const char *ws_path;
	const char *token;                /* the one token, named "token"; NULL: see the next two */
	const struct tenon_token *tokens; /* several; ends with a NULL name */
	bool no_token;                    /* anybody who can connect may call; loopback only */
	bool bearer_subprotocol;          /* WebSocket: a browser's `bearer.<token>` counts, too */
	const char *const *hosts;   /* further values of Host to accept; NULL-terminated or NULL */
	const char *const *origins; /* further origins to accept; NULL-terminated or NULL */
	bool cors;                  /* answer those origins' preflights and name them (MCP-105) */
	bool no_sessions;           /* legacy clients are served without Mcp-Session-Id (MCP-129) */
	bool no_legacy;             /* 2026-07-28 only (MCP-053) */
	uint32_t keepalive_ms;      /* of silence before a comment on a stream; 0: 15 s; UINT32_MAX:
				       never */
	uint32_t connections_max;   /* WebSockets among them; 0: 1024 */
	/* One app each, or several, below the endpoints: "/mcp/plan", "/ws/plan,studio". Lists and
	 * calls there know nothing of the others. */
	bool app_paths;
	/* A socket that listens already, from a supervisor; the server's once it is open. 0:
	 * address and port count. */
	int fd;
	/* Called once when the port is known, on the loop's thread; may be NULL. */
	void (*listening)(const char *url, void *data);
	void *data;
};

/* Fails: INVALID (which option), SYSTEM (the address is taken), NO_MEMORY. */
enum tenon_code tenon_server_listen_http(struct tenon_server *server,
					 const struct tenon_http_options *options,
					 struct tenon_error *err);

struct tenon_unix_options {
	const char *path; /* of the socket, at most 107 bytes; a dead one is replaced */
	/* Who may connect besides our own user, by numeric id; ends with -1; NULL: nobody. The
	 * kernel says who it is; the principal is "uid:<id>". The socket's mode is 0600, and 0666
	 * when there are others. */
	const int64_t *uids;
	uint32_t connections_max; /* 0: 1024 */
};

/* Rotation: wherever `token` counts, `replacement` counts from now on. What was opened with the old
 * one is closed: it dies at once. Fails: NOT_FOUND (no listener has it), INVALID (the replacement),
 * NO_MEMORY. */
enum tenon_code tenon_server_replace_token(struct tenon_server *server, const char *token,
					   const char *replacement, struct tenon_error *err);

/* Lines, as on stdio, each connection a client of its own (MCP-093). Fails: INVALID (the path),
 * BUSY (somebody serves there), SYSTEM, NO_MEMORY. */
enum tenon_code tenon_server_listen_unix(struct tenon_server *server,
					 const struct tenon_unix_options *options,
					 struct tenon_error *err);

/* One client on standard input and output; standard output is moved away first, so that a stray
 * print cannot corrupt the stream. End of input ends tenon_server_run. */
enum tenon_code tenon_server_listen_stdio(struct tenon_server *server, struct tenon_error *err);

/* Serves until tenon_server_stop or SIGTERM, SIGINT, SIGHUP; then takes nothing new, lets running
 * calls finish (at most 2 s), ends the streams and closes what was opened. Fails: INVALID (nothing
 * was opened), SYSTEM, NO_MEMORY. */
enum tenon_code tenon_server_run(struct tenon_server *server, struct tenon_error *err);

enum tenon_code tenon_server_run_stdio(struct tenon_server *server, struct tenon_error *err);
enum tenon_code tenon_server_run_http(struct tenon_server *server,
				      const struct tenon_http_options *options,
				      struct tenon_error *err);

void tenon_server_stop(struct tenon_server *server); /* any thread, also a signal handler */

#ifdef __cplusplus
}
#endif
#endif
