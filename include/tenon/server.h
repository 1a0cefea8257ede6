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
	uint64_t list_ttl_ms; /* how long clients may keep lists; 0: not at all */
	bool list_public;     /* lists are the same for all callers */
	bool check_output;    /* validate structured results against their schema */
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

/* False: no such name. Calls already running finish. */
bool tenon_server_remove_tool(struct tenon_server *server, const char *name);
bool tenon_server_remove_resource(struct tenon_server *server, const char *uri);
bool tenon_server_remove_prompt(struct tenon_server *server, const char *name);

/* Tells everybody who subscribed to this URI that it has changed. */
void tenon_server_resource_updated(struct tenon_server *server, const char *uri);

/* ---- reaching it ---- */

/* Serves one client on standard input and output until end of input or a signal; standard output is
 * moved away first, so that a stray print cannot corrupt the stream. */
enum tenon_code tenon_server_run_stdio(struct tenon_server *server, struct tenon_error *err);

struct tenon_http_options {
	const char *address; /* "127.0.0.1", "::1"; NULL: 127.0.0.1 */
	uint16_t port;       /* 0: the kernel chooses */
	const char *path;    /* NULL: "/mcp" */
	const char *token;   /* bearer token, at least 16 characters; NULL with no_token only */
	bool no_token;       /* anybody who can connect may call; loopback only */
	const char *const *hosts;   /* further values of Host to accept; NULL-terminated or NULL */
	const char *const *origins; /* further origins to accept; NULL-terminated or NULL */
	/* Called once when the port is known, on the loop's thread; may be NULL. */
	void (*listening)(const char *url, void *data);
	void *data;
};

/* Serves Streamable HTTP until tenon_server_stop or a signal; finishes what runs (at most 2 s). */
enum tenon_code tenon_server_run_http(struct tenon_server *server,
				      const struct tenon_http_options *options,
				      struct tenon_error *err);

void tenon_server_stop(struct tenon_server *server); /* any thread, also a signal handler */

#ifdef __cplusplus
}
#endif
#endif
