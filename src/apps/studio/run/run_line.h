/* run_line.h - what the engine prints, line by line (studio.md 9.7, Appendix A). Nothing in it can
 * break the reader (ST-088): half lines, lines without end, bytes that are no text, JSON that is
 * none. Threads: one at a time. */
#ifndef TN_STUDIO_RUN_LINE_H
#define TN_STUDIO_RUN_LINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

/* ---- bytes to lines ---- */

struct tn_studio_lines {
	struct tn_buf held; /* the line that has not ended */
	uint64_t dropped;   /* bytes of it beyond TN_STUDIO_RUN_LINE_BYTES_MAX */
	uint64_t at;        /* in all that was fed: where the line that is given ends */
};
/* `cut`: bytes that were left out at its end; 0: it is whole. */
typedef void tn_studio_line_fn(struct tn_str line, uint64_t cut, void *data);

void tn_studio_lines_init(struct tn_studio_lines *lines);
void tn_studio_lines_finish(struct tn_studio_lines *lines);
void tn_studio_lines_feed(struct tn_studio_lines *lines, struct tn_str bytes,
			  tn_studio_line_fn *each, void *data);
/* What came without a line's end. */
void tn_studio_lines_end(struct tn_studio_lines *lines, tn_studio_line_fn *each, void *data);

/* ---- a line to text ---- */

/* Valid UTF-8 without control characters; of escape sequences only colours stay (ST-145). */
void tn_studio_line_clean(struct tn_buf *out, struct tn_str raw);

/* ---- a line to what it says ---- */

enum tn_studio_says {
	TN_STUDIO_SAYS_TEXT, /* and whatever has no meaning for us */
	TN_STUDIO_SAYS_VERSION,
	TN_STUDIO_SAYS_PLANNED,    /* address, action */
	TN_STUDIO_SAYS_SUMMARY,    /* counts, operation */
	TN_STUDIO_SAYS_OUTPUTS,    /* body: the object */
	TN_STUDIO_SAYS_DIAGNOSTIC, /* body */
	TN_STUDIO_SAYS_START,      /* address, action */
	TN_STUDIO_SAYS_COMPLETE,
	TN_STUDIO_SAYS_ERRORED
};

struct tn_studio_said {
	enum tn_studio_says says;
	bool is_json;
	struct tn_str message, level; /* of JSON; message empty: it has none */
	struct tn_str address, action, operation;
	int64_t add, change, remove, import;
	const struct tn_json *body;
};
/* The tree and the texts live in the arena. What is no JSON object is TEXT. */
void tn_studio_line_read(struct tn_str raw, struct tn_arena *arena, struct tn_studio_said *ret);

/* "create", "noop" and the like as results say it: "no-op"; the same text where nothing changes.
 */
struct tn_str tn_studio_action_word(struct tn_str action);

#endif
