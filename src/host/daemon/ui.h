/* ui.h - the page at "/" and its files, which the build has put into the program (docs/web.md).
 *
 * The page is an MCP client like any other; nothing here knows what it shows. Threads: loop. */
#ifndef TN_HOST_UI_H
#define TN_HOST_UI_H

#include "base/str.h"
#include "serve/http_page.h"

struct tn_ui_asset {
	const char *path; /* "/", "/assets/index-1a2b3c.js" */
	const char *type; /* of the content */
	const char *etag; /* quoted */
	struct tn_str plain;
	struct tn_str packed; /* by gzip; empty: it would not be smaller */
};

extern const struct tn_ui_asset tn_ui_assets[]; /* ends with a NULL path */

/* For the pages of a listener (tn_http_extra). Without a page in this build "/" says so. */
#define TN_UI_PAGES 3
extern const struct tn_http_page tn_ui_pages[TN_UI_PAGES];

bool tn_ui_is_built(void);
const struct tn_ui_asset *tn_ui_find(struct tn_str path); /* NULL: no such file */

/* Whether this value of Accept-Encoding takes gzip (RFC 9110 section 12.5.3). */
bool tn_ui_takes_gzip(struct tn_str accept_encoding);

#endif
