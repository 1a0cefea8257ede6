/* revision.h - the published revisions of the protocol and which eras they form.
 *
 * Source: mcp.md section 0. Threads: any. */
#ifndef TN_MCP_REVISION_H
#define TN_MCP_REVISION_H

#include <stdbool.h>

#include "base/str.h"

enum tn_revision {
	TN_REVISION_NONE,
	TN_R1, /* 2024-11-05 */
	TN_R2, /* 2025-03-26 */
	TN_R3, /* 2025-06-18 */
	TN_R4, /* 2025-11-25: the newest legacy one */
	TN_R5  /* 2026-07-28: modern, without sessions */
};
#define TN_REVISION_COUNT 6

struct tn_str tn_revision_name(enum tn_revision revision);
enum tn_revision tn_revision_find(struct tn_str name); /* TN_REVISION_NONE: unknown */

/* A header value that claims the modern era: a date of 2026-07-28 or later (MCP-048). */
bool tn_revision_is_modern_date(struct tn_str name);

#endif
