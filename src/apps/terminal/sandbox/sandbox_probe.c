/* Whether a sandbox works here: many containers and hardened systems let nobody make a user
 * namespace, older kernels have no Landlock. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/sandbox/sandbox.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "loop/child.h"

enum { SAID_SIZE = 160, WHY_SIZE = 256 };

struct tn_sandbox_probe {
	enum tn_sandbox_kind kind;
	struct tn_child *child;
	struct tn_timer *limit, *now;
	struct tn_arena arena;
	char said[SAID_SIZE]; /* the beginning of its complaint */
	const char *why_not;  /* known without trying */
	void (*done)(const char *why_not, void *data);
	void *data;
};

static void finish(struct tn_sandbox_probe *probe, const char *why_not)
{
	void (*done)(const char *why_not, void *data) = probe->done;

	tn_timer_stop(probe->limit);
	tn_child_free(probe->child);
	probe->child = NULL;
	probe->done = NULL;
	if (done)
		done(why_not, probe->data); /* the last act: it may free the probe */
}

/* One line of it, without control characters. */
static void read_complaint(struct tn_sandbox_probe *probe)
{
	ssize_t got = read(tn_child_fd(probe->child, TN_CHILD_STDERR), probe->said, SAID_SIZE - 1);

	probe->said[got > 0 ? got : 0] = '\0';
	probe->said[strcspn(probe->said, "\n")] = '\0';
	for (char *c = probe->said; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7F)
			*c = '?';
	}
}

static void has_ended(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct tn_sandbox_probe *probe = data;
	char why[WHY_SIZE];

	(void)child;
	if (!end.by_signal && end.number == 0) {
		finish(probe, NULL);
		return;
	}
	read_complaint(probe);
	if (probe->kind == TN_SANDBOX_LANDLOCK)
		(void)snprintf(why, sizeof(why), "Landlock does not work here: %s",
			       probe->said[0] ? probe->said : "it ended without a word");
	else if (end.number == 127 && !end.by_signal && strstr(probe->said, "bwrap"))
		(void)snprintf(why, sizeof(why),
			       "bubblewrap is not installed (the program bwrap); install it, or "
			       "create the session with sandbox \"off\"");
	else
		(void)snprintf(why, sizeof(why), "bubblewrap does not work here: %s",
			       probe->said[0] ? probe->said : "it ended without a word");
	finish(probe, why);
}

static void is_late(struct tn_timer *timer, void *data)
{
	(void)timer;
	finish(data, "the sandbox did not start a program within five seconds");
}

static void known(struct tn_timer *timer, void *data)
{
	struct tn_sandbox_probe *probe = data;

	(void)timer;
	finish(probe, probe->why_not);
}

/* The same words as those of a session, for a program that does nothing. */
static enum tenon_code start(struct tn_sandbox_probe *probe, struct tn_loop *loop,
			     struct tenon_error *err)
{
	static const char *const program[] = {"true", NULL}, *const nothing[] = {NULL};
	static const char *const env[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
	const struct tn_term_config config = {
		.roots = nothing, .sandbox_network = true, .state_folder = "/nowhere"};
	const struct tn_sandbox_wish wish = {.kind = probe->kind, .argv = program, .cwd = "/"};
	struct tn_child_options options = {
		.env = env, .no_input = true, .exited = has_ended, .data = probe};
	struct tn_buf report;
	enum tenon_code code;

	tn_buf_init(&report, 64 * TN_KIB);
	code = tn_sandbox_wrap(&config, &wish, &probe->arena, &options.command, &report, err);
	tn_buf_finish(&report);
	if (code == TENON_OK)
		code = tn_child_open(loop, &options, &probe->child, err);
	return code;
}

enum tenon_code tn_sandbox_probe(struct tn_loop *loop, enum tn_sandbox_kind kind,
				 void (*done)(const char *why_not, void *data), void *data,
				 struct tn_sandbox_probe **ret, struct tenon_error *err)
{
	struct tn_sandbox_probe *probe = tn_mem_alloc(sizeof(*probe));
	enum tenon_code code;

	if (!probe)
		return tn_fail(err, TENON_NO_MEMORY, "no memory to try the sandbox");
	*probe = (struct tn_sandbox_probe){.kind = kind, .done = done, .data = data};
	tn_arena_init(&probe->arena, 8 * TN_MIB);
	if (geteuid() == 0 && kind == TN_SANDBOX_BUBBLEWRAP)
		probe->why_not = "the server runs as root, whom bubblewrap would not hold; run it "
				 "as another user";
	code = tn_timer_open(loop, is_late, probe, &probe->limit, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, known, probe, &probe->now, err);
	if (code == TENON_OK && probe->why_not)
		tn_timer_start(probe->now, 0);
	else if (code == TENON_OK)
		code = start(probe, loop, err);
	if (code != TENON_OK) {
		tn_sandbox_probe_free(probe);
		return code;
	}
	tn_timer_start(probe->limit, TN_TERM_LOGIN_PATH_MS);
	*ret = probe;
	return TENON_OK;
}

void tn_sandbox_probe_free(struct tn_sandbox_probe *probe)
{
	if (!probe)
		return;
	tn_child_free(probe->child);
	tn_timer_close(probe->limit);
	tn_timer_close(probe->now);
	tn_arena_finish(&probe->arena);
	tn_mem_free(probe);
}
