/* serve.h - what the ways of reaching a server share.
 *
 * Threads: loop. */
#ifndef TN_HOST_SERVE_H
#define TN_HOST_SERVE_H

#include "mcp/server.h"

/* While a transport runs: SIGTERM, SIGINT, SIGHUP and tenon_server_stop call `stop`. */
struct tn_serve_stop {
	struct tn_signal *signals[3];
};

TN_MUST_USE enum tenon_code tn_serve_stop_open(struct tn_serve_stop *stop,
					       struct tenon_server *server,
					       void (*stopped)(void *data), void *data,
					       struct tenon_error *err);
void tn_serve_stop_close(struct tn_serve_stop *stop, struct tenon_server *server);

#endif
