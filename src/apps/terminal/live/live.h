/* live.h - sessions as people see and use them while they run (terminal.md section 11): a snapshot
 * of the screen first, then every byte as it comes, to any number of viewers, and the keyboard for
 * one of them at a time.
 *
 * A viewer is let in by a ticket: 256 random bits, good for one session, once, for
 * TN_TERM_TICKET_MS. What it does not take in time is left out and replaced by a fresh snapshot; no
 * viewer ever slows a session. Nothing here knows how frames travel (struct tn_live_wire).
 * Ownership: the app owns the live view; a viewer lives from tn_live_enter to tn_live_leave.
 * Threads: loop. */
#ifndef TN_TERM_LIVE_H
#define TN_TERM_LIVE_H

#include "apps/terminal/session/watch.h"
#include "base/clock.h"
#include "base/rng.h"
#include "loop/loop.h"

#define TN_LIVE_TICKET_SIZE TN_RNG_TOKEN_SIZE(32)

struct tn_live;
struct tn_live_viewer;

struct tn_live_options {
	struct tn_loop *loop;
	const struct tn_clock *clock;
	/* NULL: this principal has no such session any more. */
	struct tn_term_session *(*find)(const char *session_id, const char *principal, void *data);
	void *data;
	/* How long the keyboard is kept for somebody whose line broke; 0: 15 s. */
	uint32_t return_ms;
};
TN_MUST_USE enum tenon_code tn_live_open(const struct tn_live_options *options,
					 struct tn_live **ret, struct tenon_error *err);
/* Viewers have left, or are told by `close` and must not be used any more. Accepts NULL. */
void tn_live_close(struct tn_live *live);

/* That `principal` may see the session has been checked. When there are TN_TERM_TICKETS_MAX the
 * oldest goes. `control`: its holder may take the keyboard. Fails: INVALID (an id that is too
 * long). */
TN_MUST_USE enum tenon_code tn_live_ticket(struct tn_live *live, const char *session_id,
					   const char *principal, bool control,
					   char ret[TN_LIVE_TICKET_SIZE], struct tenon_error *err);

/* A viewer's end of the line. */
struct tn_live_wire {
	void (*send)(void *line, struct tn_str bytes, bool binary);
	size_t (*queued)(const void *line);       /* bytes that have not left yet */
	void (*close)(void *line, unsigned code); /* of WebSocket; tn_live_leave still comes */
	void *line;
};
/* Spends the ticket. NULL: it is none for this session, the session is gone, or it has
 * TN_TERM_VIEWERS_MAX viewers. Nothing is sent before tn_live_begin. */
struct tn_live_viewer *tn_live_enter(struct tn_live *live, struct tn_str session_id,
				     struct tn_str ticket, const struct tn_live_wire *wire);
void tn_live_begin(struct tn_live_viewer *viewer);
void tn_live_received(struct tn_live_viewer *viewer, struct tn_str bytes, bool binary);
void tn_live_leave(struct tn_live_viewer *viewer);

#endif
