/* ui.h - the page at "/" and its files, which the build has put into the program (docs/web.md).
 *
 * The page is an MCP client like any other; nothing here knows what it shows. Threads: loop. */
#ifndef TN_HOST_UI_H
#define TN_HOST_UI_H

#include "base/buf.h"
#include "serve/http_page.h"

struct tn_ui_asset {
	const char *path;    /* "/", "/assets/index-1a2b3c.js" */
	const char *type;    /* of the content */
	const char *etag;    /* quoted */
	size_t size;         /* of the file */
	struct tn_str bytes; /* the file; by gzip (RFC 1952) if that is smaller */
};

extern const struct tn_ui_asset tn_ui_assets[]; /* ends with a NULL path */

/* For the pages of a listener (tn_http_extra). Without a page in this build "/" says so. */
#define TN_UI_PAGES 2
extern const struct tn_http_page tn_ui_pages[TN_UI_PAGES];

bool tn_ui_is_built(void);
const struct tn_ui_asset *tn_ui_find(struct tn_str path); /* NULL: no such file */
bool tn_ui_is_packed(const struct tn_ui_asset *asset);
/* The file itself, appended. False: out of memory. */
bool tn_ui_unpack(const struct tn_ui_asset *asset, struct tn_buf *out);

/* Whether this value of Accept-Encoding takes gzip (RFC 9110 section 12.5.3). */
bool tn_ui_takes_gzip(struct tn_str accept_encoding);

#endif
