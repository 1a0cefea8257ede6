/* shell_kit.h - for tests: a real shell on a real PTY, with what it says of its commands.
 *
 * Every wait has a deadline; what takes longer fails the test with all that was read. */
#ifndef TN_TERM_SHELL_KIT_H
#define TN_TERM_SHELL_KIT_H

#include <sys/types.h>

#include "apps/terminal/shell/shell.h"

enum { KIT_WAIT_MS = 20000 };

struct kit_file { /* of the home folder */
	const char *name, *text;
};

struct kit_wish {
	const char *shell; /* "bash" */
	bool login;
	const struct kit_file *home; /* up to one without a name; NULL: empty */
	const char *const *env;      /* further variables, NULL-terminated; NULL: none */
};

struct kit_mark {
	char kind; /* 'A' to 'D' */
	long number;
	int exit_code;
	char cwd[4096]; /* as it came, percent-encoded */
	size_t from, to;
};

struct kit {
	struct tn_shell_start start;
	char top[64], home[96], folder[96], nonce[40], path[256];
	pid_t pid;
	int fd;
	uint64_t number;
	struct tn_buf output; /* all of it */
	size_t at;            /* what was looked at */
	struct tn_buf last;   /* of the last command, between C and D */
};

struct kit_result {
	int exit_code;
	char cwd[4096];
	char *output; /* between C and D, CRLF as LF; the kit's, until the next command */
	size_t size;
};

bool kit_has(const char *shell); /* is it installed? */
/* Starts it and waits for the first prompt. */
void kit_open(struct kit *kit, const struct kit_wish *wish);
void kit_start(struct kit *kit, const struct kit_wish *wish); /* does not wait */
void kit_close(struct kit *kit);

void kit_send(struct kit *kit, const char *bytes, size_t size);
void kit_type(struct kit *kit, const char *text);
/* The next mark of ours; fails the test when none comes. */
struct kit_mark kit_mark(struct kit *kit);
struct kit_mark kit_mark_of(struct kit *kit, char kind, long number); /* skips others */
void kit_prompt(struct kit *kit);                                     /* the next B */
void kit_wait_text(struct kit *kit, const char *text);                /* anywhere after `at` */
void kit_wait_front(struct kit *kit, const char *program);            /* it has the terminal */
bool kit_quiet(struct kit *kit, int for_ms);                          /* no byte came */

/* Delivers a command and waits for its end and for the prompt. */
struct kit_result kit_run(struct kit *kit, const char *text);
struct kit_result kit_run_with(struct kit *kit, struct tn_str text, const char *cwd,
			       const char *const *env);
uint64_t kit_deliver(struct kit *kit, struct tn_str text, const char *cwd, const char *const *env);
struct kit_result kit_finish_command(struct kit *kit, uint64_t number); /* waits for C and D */
void kit_expect(struct kit *kit, const char *text, int exit_code, const char *output);
/* Waits for the shell's end; its wait status. */
int kit_wait_exit(struct kit *kit);

#endif
