/* watch.h - being told what happens in a session while it happens: viewers, recordings, waiters.
 *
 * Threads: loop. Ownership: the watcher's maker; it stays where it is between add and remove. A
 * watcher may remove itself from inside its functions. */
#ifndef TN_TERM_WATCH_H
#define TN_TERM_WATCH_H

#include "apps/terminal/session/model.h"
#include "apps/terminal/screen/screen.h"

struct tn_term_session;

struct tn_term_watcher {
	/* Output as the screen gets it: our marks out, edits applied. `from`: its stream offset. */
	void (*output)(struct tn_term_watcher *watcher, struct tn_str bytes, uint64_t from);
	/* State, title, size, who is in control, or the running command has changed. */
	void (*changed)(struct tn_term_watcher *watcher);
	void (*command)(struct tn_term_watcher *watcher, const struct tn_term_command_info *info,
			bool ended);
	void (*closed)(struct tn_term_watcher *watcher); /* the session is gone for good */
	void *data;
	struct tn_term_watcher *next; /* the session's */
};
void tn_term_watch(struct tn_term_session *session, struct tn_term_watcher *watcher);
void tn_term_unwatch(struct tn_term_session *session, struct tn_term_watcher *watcher);
/* Its recording goes on no more, though it does; false: one has begun. */
void tn_term_record_ended(struct tn_term_session *session, bool ended);

const struct tn_screen *tn_term_session_screen(const struct tn_term_session *session);
void tn_term_session_describe(const struct tn_term_session *session,
			      const struct tn_term_caller *caller,
			      struct tn_term_session_info *ret);

/* A person types. Fails: EXPIRED (it has ended), LIMIT. */
TN_MUST_USE enum tenon_code tn_term_session_type(struct tn_term_session *session,
						 struct tn_str bytes, struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_term_session_resize(struct tn_term_session *session,
						   uint16_t columns, uint16_t rows,
						   struct tenon_error *err);
/* Who is in control: NULL, nobody. While somebody is, send_keys and execute_command are refused
 * (handed_over). False: somebody else has it. */
bool tn_term_session_take(struct tn_term_session *session, const char *who);
void tn_term_session_give(struct tn_term_session *session);

#endif
