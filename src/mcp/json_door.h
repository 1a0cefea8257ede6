/* json_door.h - a path for programs that speak no MCP: an app's own, which takes one JSON value and
 * answers with one (workbench.md section 0, "One door").
 *
 * The app registers a door; the HTTP listeners hand PUT, POST and DELETE below its path to it,
 * after the checks of Host, Origin, token and content type. A token with a scope has to allow every
 * tool. Threads: loop. */
#ifndef TN_MCP_JSON_DOOR_H
#define TN_MCP_JSON_DOOR_H

#include "base/buf.h"

struct tenon_server;

/* The transport's end of a request that is answered later. */
struct tn_json_door_waiting {
	/* Ends it; what stands in `out` is sent. */
	void (*answer)(struct tn_json_door_waiting *waiting, unsigned status,
		       const struct tn_buf *out);
	/* The app's: nobody waits any more, and the waiting has ended. */
	void (*gone)(void *user);
	void *user;
};

struct tn_json_door_request {
	struct tn_str method, path; /* "PUT"; what follows the prefix, percent-encoded as sent */
	struct tn_str query;        /* after "?", as sent; empty: none */
	struct tn_str body;         /* as sent, read by nobody yet; until `serve` returns */
	struct tn_json_door_waiting *waiting;
};

struct tn_json_door {
	const char *prefix;   /* "/api/v0/graph/producers/" */
	const char *app_name; /* no such path while this app is off */
	/* Appends one JSON value to `out`; the status is returned. 0: it is answered later, by
	 * `request->waiting`, of which the app has set `gone`. */
	unsigned (*serve)(void *app, const struct tn_json_door_request *request,
			  struct tn_buf *out);
	void *app;
	struct tn_json_door *next; /* the server's */
};

/* The door is the caller's, and stays where it is until it is removed. */
void tn_json_door_add(struct tenon_server *server, struct tn_json_door *door);
void tn_json_door_remove(struct tenon_server *server, struct tn_json_door *door);
/* The door that this path of a request leads to; NULL: none. */
const struct tn_json_door *tn_json_door_find(const struct tenon_server *server, struct tn_str path);

/* {"error":{"code":CODE,"message":...}} */
void tn_json_door_put_error(struct tn_buf *out, const char *code, const char *message);

#endif
