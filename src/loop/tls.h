/* tls.h - the client's half of TLS on a socket that is connected already, to a server of this
 * machine: its certificate is whatever its developer made, and nobody verifies it. For previews
 * (workbench.md section 0), and for nothing else.
 *
 * The library that speaks TLS lies in a plug-in that is opened on first use (http_client.h).
 * Nothing here waits: the caller watches the socket, and asks again. Ownership: the connection is
 * the caller's, and so is its socket, which does not block and is closed afterwards. Threads: one
 * at a time. */
#ifndef TN_LOOP_TLS_H
#define TN_LOOP_TLS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct tn_tls; /* one connection */

enum tn_tls_step { TN_TLS_MORE, TN_TLS_READY, TN_TLS_FAILED };

struct tn_tls_library {
	/* `host` is what the server is called in a URL. Nothing is sent yet. Fails: NO_MEMORY. */
	enum tenon_code (*open)(int fd, const char *host, struct tn_tls **ret,
				struct tenon_error *err);
	void (*close)(struct tn_tls *tls); /* accepts NULL; waits for nobody */
	/* The handshake goes on: `events` (loop.h) are what the socket is ready for, 0 at first.
	 * MORE: again when it is ready for *ret_events. There is no deadline: the caller has one.
	 */
	enum tn_tls_step (*shake)(struct tn_tls *tls, int events, int *ret_events);
	/* After READY. How many bytes came; 0: the end, whether it was announced or not; -1: none
	 * are there. What was read from the socket and is not asked for yet makes it ready for
	 * nothing: ask until -1. */
	ssize_t (*read)(struct tn_tls *tls, char *bytes, size_t size);
	/* How many bytes were taken; 0: none now, and the same bytes come again; -1: it is over. */
	ssize_t (*write)(struct tn_tls *tls, const char *bytes, size_t size);
};

/* `folder` as in http_client.h. Fails: NOT_FOUND (not installed), SYSTEM, INTERNAL. */
TN_MUST_USE enum tenon_code tn_tls_load(const char *folder, const struct tn_tls_library **ret,
					struct tenon_error *err);

#endif
