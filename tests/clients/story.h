/* story.h - what the stories told by our own client share: rows for the results file, steps with a
 * time limit, and the server on the other side, which can be killed and brought back.
 *
 * Threads: one. A story is one process; `story_finish` gives its exit code. */
#ifndef TENON_TESTS_STORY_H
#define TENON_TESTS_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tenon/client.h"

#define STORY_URL_MAX 256
#define STORY_ARGS_MAX 16

struct story {
	const char *suite;
	const char *step;
	bool step_failed;
	int failures;
};

/* Runs one step; after `limit_s` seconds without return the whole story ends as failed. False: the
 * step failed. */
bool story_step(struct story *story, const char *name, unsigned limit_s, void (*run)(void *data),
		void *data);
/* Marks the running step as failed, once; the first reason is the one that is reported. */
void story_fail(struct story *story, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says it when the condition does not hold; returns the condition. */
bool story_check(struct story *story, bool condition, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int story_finish(const struct story *story);

/* A server that is reached by a URL: it prints "listening on URL" on standard error. Of its
 * arguments, the one that is "ADDRESS" stands for where it listens: 127.0.0.1 and any port at
 * first, the same port when it is started again. A Unix socket is the last of its arguments. */
struct story_server {
	const char *const *command; /* NULL-terminated */
	const char *kind;           /* "http", "sse", "ws": how the URL is changed; "unix" */
	char address[STORY_URL_MAX];
	char url[STORY_URL_MAX];
	pid_t pid; /* 0: not running */
	int log;   /* its standard error, kept open */
};
bool story_server_start(struct story_server *server, struct story *story);
void story_server_kill(struct story_server *server, int signal); /* and waits for its end */

/* What a child needs of our environment besides the safe list: where sanitizers report to. */
struct story_env {
	char texts[4][1024];
	const char *list[5]; /* NULL-terminated */
};
void story_env_fill(struct story_env *env);

/* Kills the children this process has, which is what a client has started. Returns how many. */
int story_kill_children(int signal);
int story_count_children(void);

/* The most memory this process ever had, in KiB. */
long story_peak_kib(void);
/* Sanitizers keep freed memory and slow everything down: what is measured is not the program. */
bool story_is_sanitized(void);
long long story_now_ms(void);

#endif
