/* log.h - what a session's server and pages have said lately (workbench.md S20).
 *
 * The newest TN_WB_LOG_ENTRIES_MAX are kept. Escape sequences of terminals are left out, and what
 * is longer than TN_WB_TEXT_BYTES_MAX is cut. Ownership: the caller's struct; entries live until
 * the next one is added. Threads: one at a time. */
#ifndef TN_WB_SESSIONS_LOG_H
#define TN_WB_SESSIONS_LOG_H

#include <stdint.h>

#include "apps/workbench/limits.h"
#include "base/buf.h"

enum tn_wb_log_level { TN_WB_LOG_DEBUG, TN_WB_LOG_INFO, TN_WB_LOG_WARN, TN_WB_LOG_ERROR };
enum tn_wb_log_origin { TN_WB_LOG_SERVER, TN_WB_LOG_PAGE };

struct tn_wb_log_entry {
	enum tn_wb_log_level level;
	enum tn_wb_log_origin origin;
	int64_t at_wall_ms;
	char *message;
};

struct tn_wb_log {
	struct tn_wb_log_entry *ring; /* NULL: nothing was said */
	size_t count, next;
	uint64_t said; /* so many entries so far: the number of the next one */
	uint64_t lost; /* for want of memory */
};

void tn_wb_log_init(struct tn_wb_log *log); /* allocates nothing */
void tn_wb_log_finish(struct tn_wb_log *log);
bool tn_wb_log_level_of(struct tn_str name, enum tn_wb_log_level *ret);

/* `entry` without its message, which is `text`. */
void tn_wb_log_add(struct tn_wb_log *log, const struct tn_wb_log_entry *entry, struct tn_str text);
/* Which of them. */
struct tn_wb_log_query {
	enum tn_wb_log_level least;
	size_t limit, bytes_max; /* 0: any number */
	uint64_t before;         /* a cursor, which is a number; 0: up to the newest */
};
/* The newest of them, the oldest first, as an array of {level,message,timestamp,origin}. Returns
 * the cursor that leads on to those before; 0: there are none. */
uint64_t tn_wb_log_put(struct tn_buf *out, const struct tn_wb_log *log,
		       const struct tn_wb_log_query *query);

#endif
