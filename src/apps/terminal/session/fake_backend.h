/* fake_backend.h - a scripted backend for tests of the tools (terminal.md section 14): it notes
 * what it was asked, and answers what the test has laid out, at once or when it is told to.
 *
 * Threads: loop. Ownership: the test's. */
#ifndef TN_TERM_FAKE_BACKEND_H
#define TN_TERM_FAKE_BACKEND_H

#include "apps/terminal/session/backend.h"

enum fake_pending { FAKE_NONE, FAKE_EXECUTE, FAKE_READ, FAKE_CREATE };

struct fake_backend {
	struct tn_term_backend backend; /* self: this */
	/* What it was asked last; texts of the call, so they are copied. */
	char asked[64]; /* the function */
	char command[256], cwd[256], session_id[128], env[256], name[128], shell[64], cursor[64];
	uint64_t timeout_ms;
	uint32_t yield_ms, wait_ms;
	int on_timeout, if_busy, sandbox;
	bool isolated, pty, has_stdin, timeout_given, activate, record, include_closed;
	uint16_t columns, rows;
	struct tn_term_shaping shaping;
	unsigned calls, cancels;

	/* What it answers. */
	const char *fault; /* a code; "-": of the server; NULL: none */
	bool later;        /* not at once, but by fake_backend_answer */
	enum tn_term_status status;
	int exit_code;
	const char *output;

	/* The operation that is running. */
	enum fake_pending pending;
	union {
		tn_term_executed_fn *executed;
		tn_term_read_fn *read;
		tn_term_created_fn *created;
	} done;
	void *data;
};

void fake_backend_init(struct fake_backend *fake);
void fake_backend_answer(struct fake_backend *fake);

#endif
