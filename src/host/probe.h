/* probe.h - asking other programs and ports, once and not for long, for tenon doctor.
 *
 * Threads: main. Every function blocks for `timeout_ms` at most. */
#ifndef TN_HOST_PROBE_H
#define TN_HOST_PROBE_H

#include "base/buf.h"
#include "base/error.h"

/* Runs a program with nothing on standard input; what it prints on standard output is appended to
 * `out`, standard error is dropped. Fails: NOT_FOUND (no such program), EXPIRED (it was ended),
 * SYSTEM. */
TN_MUST_USE enum tenon_code tn_probe_run(const char *const *argv, unsigned timeout_ms,
					 struct tn_buf *out, int *ret_exit,
					 struct tenon_error *err);

/* GET http://127.0.0.1:PORT/path; the body is appended to `out`. Fails: SYSTEM (no connection),
 * EXPIRED, INVALID (no HTTP), LIMIT. */
TN_MUST_USE enum tenon_code tn_probe_get(unsigned port, const char *path, unsigned timeout_ms,
					 unsigned *ret_status, struct tn_buf *out,
					 struct tenon_error *err);

/* The absolute path of a program beside this one ("tenon"). */
TN_MUST_USE enum tenon_code tn_probe_beside(const char *name, struct tn_buf *out,
					    struct tenon_error *err);

#endif
