/* session_kit.h - stands in for sessions (watch.h) in tests of what watches them: a screen that is
 * fed by hand, and what was asked of the session.
 *
 * A test links these instead of session.c. Threads: one. */
#ifndef TN_TERM_SESSION_KIT_H
#define TN_TERM_SESSION_KIT_H

#include "apps/terminal/session/watch.h"

struct tn_term_session {
	struct tn_term_session_info info;
	struct tn_screen *screen; /* NULL: it is gone */
	struct tn_term_watcher *watchers, *walking;
	struct tn_buf typed;
	char controller[64];
	unsigned gives;
	uint64_t offset;
};

struct tn_term_session *kit_open(uint16_t columns, uint16_t rows);
void kit_free(struct tn_term_session *s);
/* As the session does it: the screen first, then whoever watches. */
void kit_output(struct tn_term_session *s, struct tn_str bytes);
void kit_changed(struct tn_term_session *s);
void kit_command(struct tn_term_session *s, const struct tn_term_command_info *info, bool ended);
void kit_closed(struct tn_term_session *s);

#endif
