/* log.h - the daemon's log: one JSON object a line, to a file that is rotated or to standard error,
 * and the last ones in memory for tenon://logs.
 *
 * {"time":"2026-01-02T03:04:05.678Z","level":"info","area":"http","message":"…", members…}. Never a
 * token, an argument or a result. Threads: loop. Writing never blocks for long and never fails: a
 * full disk is told once, on standard error. */
#ifndef TN_HOST_LOG_H
#define TN_HOST_LOG_H

#include "base/buf.h"
#include "base/error.h"

enum tn_log_level { TN_LOG_DEBUG, TN_LOG_INFO, TN_LOG_NOTICE, TN_LOG_WARNING, TN_LOG_ERROR };

/* `path` NULL: standard error. Fails: SYSTEM (the file cannot be opened). */
TN_MUST_USE enum tenon_code tn_log_open(const char *path, enum tn_log_level lowest,
					struct tenon_error *err);
void tn_log_close(void);
void tn_log_set_level(enum tn_log_level lowest);
bool tn_log_wants(enum tn_log_level level); /* a line of this level would be written */
bool tn_log_level_find(const char *name, enum tn_log_level *ret);

void tn_log(enum tn_log_level level, const char *area, const char *format, ...) TN_PRINTF(3, 4);
/* The same with members of our own making: `,"port":7777` */
void tn_log_with(enum tn_log_level level, const char *area, struct tn_str members,
		 const char *format, ...) TN_PRINTF(4, 5);

/* The value of tenon://logs (docs/daemon.md). */
void tn_log_write(struct tn_buf *out);
void tn_log_on_line(void (*told)(void *data), void *data); /* NULL: nobody */

#endif
