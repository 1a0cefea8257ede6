/* url.h - the parts of an http, https, ws or wss URL, strictly: what two readers could take for two
 * different hosts is no URL here.
 *
 * Only visible ASCII, no user name, no backslash, ports in digits. Slices point into the text that
 * was parsed. Threads: any. */
#ifndef TN_BASE_URL_H
#define TN_BASE_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct tn_url {
	struct tn_str scheme; /* as written: "http" */
	struct tn_str host;   /* as written; with the brackets of an IPv6 address */
	uint16_t port;        /* the scheme's own when none is written */
	struct tn_str origin; /* as written: "http://host:port" */
	struct tn_str target; /* as written: "/path?query", without fragment; may be empty */
};

bool tn_url_parse(struct tn_str text, struct tn_url *ret);

/* Scheme and host without case, ports by number. */
bool tn_url_same_origin(const struct tn_url *a, const struct tn_url *b);

bool tn_url_is_loopback(const struct tn_url *url); /* localhost, 127.0.0.0/8, [::1] */

/* Appends `reference` as seen from `base` (RFC 3986 section 5.2; dot segments stay, the HTTP client
 * removes them). False: that is no URL as above, or `out` is full. */
bool tn_url_resolve(const struct tn_url *base, struct tn_str reference, struct tn_buf *out);

#endif
