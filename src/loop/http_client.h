/* http_client.h - requests to other servers, made by a plug-in that is opened on first use.
 *
 * The library that speaks TLS costs 3 ms and 6 MB at every start, so nothing here is linked to it:
 * the plug-in `tenon-client.so` lies beside the executable or in the library folder.
 * Ownership: the caller opens and closes the client and owns requests and answers. Threads: a
 * client may be used by several threads at once; running a batch blocks, so it belongs into a job.
 *
 * Always: certificates are verified, redirects are not followed, proxies are used for remote hosts
 * only, and no header or body is ever logged or quoted in an error. */
#ifndef TN_LOOP_HTTP_CLIENT_H
#define TN_LOOP_HTTP_CLIENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct tn_http_client;

/* Opens nothing yet. `folder` is where the plug-in lies; NULL: the usual places. */
TN_MUST_USE enum tenon_code tn_http_client_open(const char *folder, struct tn_http_client **ret,
						struct tenon_error *err);
void tn_http_client_close(struct tn_http_client *client); /* accepts NULL */

struct tn_http_request {
	const char *url;            /* http or https */
	const char *const *headers; /* "Name: value", NULL-terminated */
	struct tn_str body;         /* sent by POST; GET when data is NULL */
	uint32_t timeout_ms;        /* of one try, from connecting to the last byte */
	uint32_t retries;           /* after 429 and 5xx; honours Retry-After */
	bool direct;                /* the host is this machine: never by a proxy */
};

struct tn_http_answer {
	/* OK: an answer came, whatever its status. LIMIT: it is larger than the buffer's cap.
	 * EXPIRED: the time ran out. CANCELLED. SYSTEM: no connection, TLS refused. */
	enum tenon_code code;
	struct tenon_error err;
	unsigned status;
	struct tn_buf body; /* the caller sets its limit and finishes it */
};

struct tn_http_batch {
	const struct tn_http_request *requests;
	struct tn_http_answer *answers; /* one a request */
	size_t count;
	size_t parallel;           /* how many at a time, at least 1 */
	const atomic_bool *cancel; /* NULL, or ends everything within TN_HTTP_CANCEL_MS */
	atomic_uint *finished;     /* NULL, or counts the answers that are complete */
};

enum { TN_HTTP_CANCEL_MS = 200, TN_HTTP_RETRY_AFTER_MAX_MS = 30000 };

/* Runs all requests to their end; each answer says how it went.
 * Fails: NOT_FOUND (no plug-in), SYSTEM (it does not load), INTERNAL (another version's),
 * NO_MEMORY; the answers are then untouched. */
TN_MUST_USE enum tenon_code tn_http_client_run(struct tn_http_client *client,
					       const struct tn_http_batch *batch,
					       struct tenon_error *err);

#endif
