/* news.h - the answer of get_changes: what of a noted reading its reader has not seen.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_NEWS_H
#define TN_STUDIO_NEWS_H

#include "apps/studio/mcp/follow.h"

struct tn_studio_here;

struct tn_studio_telling {
	const struct tn_studio_reading *reading; /* noted for who has `seen` that */
	const struct tn_studio_seen *seen;
	const struct tn_studio_follow *follow;
	const struct tn_oplog *log;
	struct tn_studio_here *here; /* whose colours are */
	char cursor[TN_STUDIO_CURSOR_SIZE];
	struct tn_buf *out; /* an open object without members */
	struct tn_buf *text;
	bool any; /* private */
};
/* False: there is nothing; what stands in `out` says so. */
bool tn_studio_tell_news(struct tn_studio_telling *telling);
/* That it cannot be said. */
void tn_studio_tell_reset(struct tn_buf *out, struct tn_buf *text,
			  const struct tn_studio_follow *follow, const struct tn_studio_seen *seen,
			  uint64_t revision);

#endif
