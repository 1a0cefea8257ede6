/* term_kit.h - for tests of sessions: a server of them with a loop, real programs on real PTYs
 * (the host is this very program), folders of its own and a clock that can be turned.
 *
 * A failure is an assertion. main() of a test begins with TERM_KIT_HOST. Threads: loop. */
#ifndef TN_TERM_TERM_KIT_H
#define TN_TERM_TERM_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/terminal/session/session.h"
#include "base/settings_test_kit.h"

enum { TERM_KIT_WAIT_MS = 30000, TERM_KIT_EVENTS = 512 };

#define TERM_KIT_HOST(argc, argv)                                       \
	do {                                                            \
		if ((argc) > 1 && strcmp((argv)[1], "--pty-host") == 0) \
			return tn_pty_host_main((argc)-1, (argv) + 1);  \
	} while (0)

struct term_kit {
	struct tn_loop *loop;
	struct tn_timer *timer;
	struct tn_clock clock; /* the system's, plus: */
	uint64_t turned_ms;
	uint64_t each_look_ms; /* by which a look at it is later than the one before */
	struct settings_kit settings;
	struct tn_term_config config;
	uint64_t records_bytes_max; /* of the next server; 0: as always */
	bool records;               /* what is made is recorded */
	struct tn_term *term;
	const struct tn_term_backend *backend;
	struct tn_term_caller caller;
	char folder[64];
	bool is_late;
	unsigned changes[TN_TERM_HISTORY_CHANGED + 1];
	unsigned came, went;
	pid_t host_pid;
	char problems[512];
};

/* What came of an operation, copied. */
struct term_answer {
	unsigned count; /* of completions */
	char fault[32]; /* its code; "-": of the server; empty: none */
	char message[512], hint[256];
	struct tn_buf text, error_text; /* output */
	enum tn_term_status status;
	enum tn_term_state state;
	int exit_code;
	char id[TN_HANDLE_SIZE], session_id[TN_HANDLE_SIZE], cwd[PATH_MAX];
	char completion[16], signal[24], warnings[128], reason[16], match[256], epoch[32];
	bool truncated, alternate, has_screen, matched, has_errors, more;
	uint64_t from, next, total_bytes, total_lines, gap_bytes;
	unsigned group_count, redactions;
	struct tn_term_waiting waiting;
};

/* `settings`: pairs of key and value ("terminal.max_sessions", "2"), ending with NULL; NULL: none.
 */
void term_kit_open(struct term_kit *kit, const char *const *settings);
void term_kit_close(struct term_kit *kit);
/* The server goes, with `keep` as if it were killed, and another one comes in the same folders. */
void term_kit_open_again(struct term_kit *kit);
void term_kit_end_server(struct term_kit *kit, bool keep);

void term_kit_until(struct term_kit *kit, bool (*done)(void *data), void *data);
void term_kit_wait_ms(struct term_kit *kit, unsigned ms);
void term_kit_turn(struct term_kit *kit, uint64_t ms); /* the clock */

/* A session, ready. `shell` NULL: bash. */
struct tn_term_session *term_kit_shell(struct term_kit *kit, const char *shell);
struct tn_term_session *term_kit_program(struct term_kit *kit, const char *const *argv);
struct tn_term_session *term_kit_session(struct term_kit *kit, const char *id);

void term_kit_answer_init(struct term_answer *a);
void term_kit_answer_finish(struct term_answer *a);

/* What an execute_command without arguments asks for, in this session (NULL: the active one). */
struct tn_term_execute term_kit_request(struct term_kit *kit, const char *session_id,
					const char *command);
struct tn_term_op *term_kit_begin(struct term_kit *kit, const struct tn_term_execute *request,
				  struct term_answer *a);
/* Runs it and waits for the answer; `a` is begun here. */
void term_kit_execute(struct term_kit *kit, const struct tn_term_execute *request,
		      struct term_answer *a);
void term_kit_run(struct term_kit *kit, struct tn_term_session *s, const char *command,
		  struct term_answer *a);
/* Runs it, and its output and exit code are these. */
void term_kit_expect(struct term_kit *kit, struct tn_term_session *s, const char *command,
		     int exit_code, const char *output);
void term_kit_until_answered(struct term_kit *kit, struct term_answer *a);

struct tn_term_op *term_kit_begin_wait(struct term_kit *kit, struct tn_term_session *s,
				       enum tn_term_until until, const char *value,
				       struct term_answer *a);
void term_kit_wait_from(struct term_kit *kit, const struct tn_term_wait *wait,
			struct term_answer *a);
void term_kit_read(struct term_kit *kit, const struct tn_term_read *request, struct term_answer *a);
void term_kit_type(struct tn_term_session *s, const char *text);
void term_kit_until_state(struct term_kit *kit, struct tn_term_session *s,
			  enum tn_term_state state);
bool term_kit_has_begun(void *session); /* its command; for term_kit_until */
bool term_kit_has(const struct term_answer *a, const char *text);

#endif
