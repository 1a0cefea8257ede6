/* serve.h - the ways in of one server, and their common end: run, stop, drain.
 *
 * A way is opened by a tenon_server_listen_* function and belongs to the server until the run ends,
 * or the server does. Threads: loop. */
#ifndef TN_HOST_SERVE_H
#define TN_HOST_SERVE_H

#include "mcp/server.h"

struct tn_way;

struct tn_way_ops {
	/* The server stops: takes nothing new; what runs may finish. Streams that only listen have
	 * ended by then. */
	void (*drain)(struct tn_way *way);
	/* Everything is answered and written. Asked again and again once it drains. */
	bool (*is_drained)(struct tn_way *way);
	void (*close)(struct tn_way *way); /* at once; frees it */
};

/* The first member of each kind. */
struct tn_way {
	const struct tn_way_ops *ops;
	struct tenon_server *server;
	struct tn_way *next;
	uint64_t retired_ms; /* when the loop's clock closes it; 0: not given up */
};

/* Makes the server ready for ways in; before the first is opened. */
TN_MUST_USE enum tenon_code tn_serve_open(struct tenon_server *server, struct tenon_error *err);
void tn_serve_add(struct tenon_server *server, struct tn_way *way); /* `ops` is set */
bool tn_serve_has(const struct tenon_server *server, const struct tn_way_ops *ops);

struct tn_way *tn_serve_last(const struct tenon_server *server); /* the one added last */
/* This way is given up while the others go on: it is closed TN_RETIRE_MS from now, so that whoever
 * asked for it by this very way gets the answer. */
void tn_serve_retire(struct tenon_server *server, struct tn_way *way);

/* The ways in, the first one first; NULL: none. */
struct tn_way *tn_serve_first(const struct tenon_server *server);

/* The server is to end, as by a signal: for a way whose end is the end of all. */
void tn_serve_stop(struct tenon_server *server);
/* Something may have been the last that was waited for. */
void tn_serve_settled(struct tenon_server *server);

#endif
