/* operation.h - calls of the backend that wait, each in a session: what they have in common, and
 * how they are looked at. What one waits for only its own file knows.
 *
 * Ownership: an operation is the session's until it answers or is cancelled; it answers once and is
 * gone by then. Threads: loop. */
#ifndef TN_TERM_OPERATION_H
#define TN_TERM_OPERATION_H

#include "apps/terminal/session/session.h"

/* What only its own file knows of it. Each answers by freeing it first: what is told may close the
 * session, and make new ones. */
struct tn_term_op_kind {
	/* Something has happened: answers if that is what it waits for. True: it is gone. */
	bool (*look)(struct tn_term_op *op);
	/* The time it was given is over: answers with what there is, or takes more. */
	void (*time)(struct tn_term_op *op);
	/* What it waits for goes: answers with what there is. */
	void (*lose)(struct tn_term_op *op);
	/* Nobody waits for the answer: frees it. NULL: and that is all. */
	void (*cancel)(struct tn_term_op *op);
};

struct tn_regex;

struct tn_term_op {
	struct tn_term *term;
	struct tn_term_session *session;
	struct tn_term_command *command;
	const struct tn_term_op_kind *kind;
	struct tn_term_op *next; /* of the session */
	unsigned looked;         /* the round of looking that it was seen in, or made */
	struct tn_timer *timer;
	struct tn_term_shaping shaping;
	bool timeout_given, new_session, from_command, activates;
	uint32_t yield_ms;
	uint64_t timeout_ms;
	uint64_t begun_ms, from;
	char caller_key[192];
	union {
		tn_term_executed_fn *executed;
		tn_term_read_fn *read;
		tn_term_created_fn *created;
		tn_term_waited_fn *waited;
	} done;
	void *data;
	/* wait_for.c */
	enum tn_term_until until;
	char *value;
	size_t value_size;
	struct tn_regex *regex;
	uint64_t scan_from, scanned_to, wait_until_ms, hold_until_ms;
	bool scans_on; /* more stands there than is looked at in one turn */
	uint32_t idle_ms;
};

/* Its time is over `hold_ms` from now. NULL: no memory. */
struct tn_term_op *tn_term_op_new(struct tn_term *term, const struct tn_term_op_kind *kind,
				  struct tn_term_session *s, uint64_t hold_ms);
void tn_term_op_free(struct tn_term_op *op);
void tn_term_ops_look(struct tn_term_session *s); /* which of them are done by now */
void tn_term_ops_lose_command(struct tn_term_session *s, const struct tn_term_command *c);
void tn_term_ops_lose(struct tn_term_session *s); /* the session goes for good */
void tn_term_op_cancel(void *self, struct tn_term_op *op);

/* ---- execute_where.c ---- */

/* The session that a command is given to: the one that was resolved, or one that is made for it.
 * NULL: *fault says why none takes it. */
struct tn_term_session *tn_term_execute_where(struct tn_term *term,
					      const struct tn_term_execute *request,
					      const struct tn_term_run *run,
					      struct tn_term_fault *fault);
/* 5.2: false: what is in front waits for input, and would wait for ever with a command behind it.
 */
bool tn_term_check_front(struct tn_term_session *s, struct tn_term_fault *fault);

#endif
