/* pty_kit.h - for tests of PTYs: a loop, a host that is this very program, and watched sessions.
 *
 * A failure is an assertion. Threads: loop. */
#ifndef TN_TERM_PTY_KIT_H
#define TN_TERM_PTY_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/terminal/pty/pty.h"
#include "base/buf.h"

enum { KIT_WAIT_MS = 20000, KIT_SESSIONS = 320 };

struct kit;

struct kit_session {
	struct kit *kit;
	struct tn_pty *pty;
	struct tn_buf out[TN_PTY_STREAMS];
	uint64_t counted[TN_PTY_STREAMS]; /* instead of kept, when `counts` */
	bool counts;
	size_t turn_max; /* consumed at a time; 0: all */
	unsigned turns[TN_PTY_STREAMS];
	bool exited, lost, closed;
	uint64_t head_at_exit;
	int status;
	pid_t killed[64];
	unsigned killed_count;
};

struct kit {
	struct tn_loop *loop;
	struct tn_pty_host *host;
	struct tn_timer *timer;
	struct kit_session sessions[KIT_SESSIONS];
	unsigned count, found_count;
	char found_keys[8][TN_PTY_KEY_SIZE];
	bool is_late;
	pid_t host_pid;
	bool (*until)(struct kit *kit, void *data);
	void *until_data;
};

void kit_open(struct kit *kit, const char *socket_path, uint32_t grace_ms);
void kit_close(struct kit *kit, bool keep);

/* A shell script, or argv; `spawn` may say more (argv, env, cwd are filled in where NULL). */
struct kit_session *kit_script(struct kit *kit, const char *script);
struct kit_session *kit_spawn(struct kit *kit, struct tn_pty_spawn *spawn);

/* Runs the loop until it is true; an assertion fails after KIT_WAIT_MS. */
void kit_until(struct kit *kit, bool (*done)(struct kit *kit, void *data), void *data);
void kit_wait_ms(struct kit *kit, unsigned ms);
void kit_until_exited(struct kit_session *session);
void kit_until_ended(struct kit_session *session); /* exited, and all streams */
void kit_until_closed(struct kit_session *session);
void kit_until_lost(struct kit_session *session);
/* Until this text stands in its output. */
void kit_until_text(struct kit_session *session, const char *text);
void kit_type(struct kit_session *session, const char *text);

bool kit_has(const struct kit_session *session, const char *text);
bool kit_is_alive(pid_t pid); /* and no zombie */
/* The number behind the word in the output, as "pid=123". */
pid_t kit_number(const struct kit_session *session, const char *word);
/* Waits, without the loop, until the process is gone. */
void kit_until_gone(pid_t pid);

/* Prints bytes that tell their own place: pieces of 16, hexadecimal and a blank. The exit code. */
int kit_print_flood(size_t size);

/* A shell that has started what is hard to end: a child, a background job that ignores hang-ups and
 * terminations, a daemon of two forks with a session of its own, and one that is stopped. It says
 * their numbers behind these words, and "all up". */
enum { KIT_MEMBERS = 4 };
extern const char kit_household[];
extern const char *const kit_members[KIT_MEMBERS];
void kit_until_household(struct kit_session *s, pid_t pids[KIT_MEMBERS]); /* one that was begun */
struct kit_session *kit_start_household(struct kit *kit, pid_t pids[KIT_MEMBERS]);
void kit_check_gone(const pid_t pids[KIT_MEMBERS]); /* waits for it */

pid_t kit_parent_of(pid_t pid);
uint64_t kit_now_ms(void);

#endif
