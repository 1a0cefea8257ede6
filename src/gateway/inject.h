/* inject.h - putting something right behind <head> of a page that passes by (workbench.md S16).
 *
 * At most TN_GATEWAY_LOOK_BYTES_MAX are held back until the place is found; where there is no
 * <head>, it is behind the doctype, or in front of everything. Ownership: the caller's struct.
 * Threads: one at a time. */
#ifndef TN_GATEWAY_INJECT_H
#define TN_GATEWAY_INJECT_H

#include "base/buf.h"

struct tn_inject {
	struct tn_buf held;
	bool done;
};

void tn_inject_init(struct tn_inject *inject);
void tn_inject_finish(struct tn_inject *inject);
/* Appends to `out` what of the page may go on; `ended`: nothing more comes. */
void tn_inject_feed(struct tn_inject *inject, struct tn_str bytes, bool ended, struct tn_str what,
		    struct tn_buf *out);

#endif
