/* ready.h - how a server that a command starts is found: by a line that it prints, or by asking its
 * address (workbench.md 6.4).
 *
 * Ownership: the caller's. Threads: one at a time; tn_wb_ready_answers blocks, so it belongs into a
 * job. */
#ifndef TN_WB_LAUNCH_READY_H
#define TN_WB_LAUNCH_READY_H

#include <stdbool.h>

#include "base/buf.h"

struct tn_wb_ready;

/* Fails: INVALID (no pattern, a sentence), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_ready_create(struct tn_str pattern, struct tn_wb_ready **ret,
					       struct tenon_error *err);
void tn_wb_ready_free(struct tn_wb_ready *ready); /* accepts NULL */
/* The line matches; its first group, or nothing where the pattern has none, is appended. A line
 * that takes too long to look at does not match. */
bool tn_wb_ready_match(struct tn_wb_ready *ready, struct tn_str line, struct tn_buf *ret_url);

/* An address that a browser can open: a server that listens everywhere (0.0.0.0, [::]) is reached
 * here. False: it is no http address of this machine. */
bool tn_wb_ready_address(struct tn_str said, struct tn_buf *ret_url);

/* Somebody answers there, whatever it is. At most `wait_ms`. */
bool tn_wb_ready_answers(const char *url, int wait_ms);

/* A port of 127.0.0.1 that was free a moment ago; 0: none. */
unsigned tn_wb_ready_port(void);

#endif
