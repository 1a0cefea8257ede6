#include "apps/terminal/pty/login_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/size.h"
#include "loop/child.h"

enum { MARK_BYTES = 16, MARK_SIZE = 64, PATH_BYTES_MAX = 32 * 1024, READ_BYTES = 16 * 1024 };

struct tn_login_path {
	struct tn_child *child;
	struct tn_io *out, *err;
	struct tn_timer *limit;
	struct tn_buf said;
	char mark[MARK_SIZE];
	bool told;
	void (*done)(const char *path, void *data);
	void *data;
};

/* ---- what it has said ---- */

static bool is_path(struct tn_str text)
{
	if (text.size == 0 || text.size > PATH_BYTES_MAX)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if ((unsigned char)text.data[i] < 0x20 || text.data[i] == 0x7F)
			return false;
	}
	return tn_str_find_byte(text, '/') != TN_STR_NONE;
}

bool tn_login_path_find(struct tn_str said, const char *mark, struct tn_str *out)
{
	char line[MARK_SIZE + 2];
	struct tn_str wanted, rest;
	size_t at;

	(void)snprintf(line, sizeof(line), "\n%s\n", mark);
	wanted = tn_str_from(line);
	at = tn_str_find(said, wanted);
	if (at == TN_STR_NONE)
		return false;
	rest = tn_str_from_offset(said, at + wanted.size);
	at = tn_str_find(rest, wanted);
	*out = tn_str(rest.data, at == TN_STR_NONE ? 0 : at);
	return at != TN_STR_NONE && is_path(*out);
}

/* ---- asking ---- */

static void stop(struct tn_login_path *ask)
{
	tn_io_close(ask->out);
	tn_io_close(ask->err);
	ask->out = ask->err = NULL;
	tn_timer_stop(ask->limit);
	tn_child_free(ask->child); /* its group is killed */
	ask->child = NULL;
}

/* The last act: `done` may free it. */
static void tell(struct tn_login_path *ask, bool is_there)
{
	char path[PATH_BYTES_MAX + 1];
	struct tn_str found;
	void (*done)(const char *path, void *data) = ask->done;
	void *data = ask->data;

	if (ask->told)
		return;
	ask->told = true;
	is_there = is_there && tn_login_path_find(tn_buf_str(&ask->said), ask->mark, &found);
	if (is_there) {
		memcpy(path, found.data, found.size);
		path[found.size] = '\0';
	}
	stop(ask);
	done(is_there ? path : NULL, data);
}

/* As read(2). */
static ssize_t take_some(struct tn_login_path *ask, enum tn_child_stream stream)
{
	char bytes[READ_BYTES];
	ssize_t got;

	do
		got = read(tn_child_fd(ask->child, stream), bytes, sizeof(bytes));
	while (got < 0 && errno == EINTR);
	if (got > 0 && stream == TN_CHILD_STDOUT)
		tn_buf_append(&ask->said, bytes, (size_t)got);
	return got < 0 && errno != EAGAIN ? 0 : got;
}

static void out_ready(struct tn_io *io, int events, void *data)
{
	struct tn_login_path *ask = data;
	struct tn_str found;

	(void)events;
	if (take_some(ask, TN_CHILD_STDOUT) == 0)
		tn_io_watch(io, 0); /* its end: what that means comes with the process's */
	/* What it prints afterwards, or that it goes on for ever, is of no interest. */
	if (ask->said.failed || tn_login_path_find(tn_buf_str(&ask->said), ask->mark, &found))
		tell(ask, true);
}

/* Shells complain there that they have no terminal. */
static void err_ready(struct tn_io *io, int events, void *data)
{
	(void)events;
	if (take_some(data, TN_CHILD_STDERR) == 0)
		tn_io_watch(io, 0);
}

static void has_ended(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct tn_login_path *ask = data;

	(void)child;
	(void)end;
	while (!ask->said.failed && take_some(ask, TN_CHILD_STDOUT) > 0)
		;
	tell(ask, true);
}

static void is_late(struct tn_timer *timer, void *data)
{
	(void)timer;
	tell(data, false);
}

/* ---- the start ---- */

/* All of them take -l, -i and -c, and this text means the same to all of them: in quotes, fish
 * joins its list with colons, too. */
static bool is_known(const char *shell)
{
	static const char *const names[] = {"bash", "zsh",  "fish", "sh",  "dash",
					    "ksh",  "mksh", "ash",  "yash"};
	const char *slash = strrchr(shell, '/');

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (strcmp(slash ? slash + 1 : shell, names[i]) == 0)
			return true;
	}
	return false;
}

static enum tenon_code start(struct tn_login_path *ask, struct tn_loop *loop, const char *shell,
			     const char *const *env, struct tenon_error *err)
{
	char words[MARK_SIZE * 2 + 64];
	const char *argv[] = {is_known(shell) ? shell : "/bin/sh", "-l", "-i", "-c", words, NULL};
	const struct tn_child_options options = {.command = argv,
						 .env = env,
						 .directory = "/",
						 .new_session = true,
						 .no_input = true,
						 .exited = has_ended,
						 .data = ask};
	enum tenon_code code;

	tn_rng_token(ask->mark, MARK_BYTES);
	(void)snprintf(words, sizeof(words), "printf '\\n%%s\\n%%s\\n%%s\\n' '%s' \"$PATH\" '%s'",
		       ask->mark, ask->mark);
	code = tn_child_open(loop, &options, &ask->child, err);
	if (code != TENON_OK)
		return code;
	code = tn_io_open(loop, tn_child_fd(ask->child, TN_CHILD_STDOUT), out_ready, ask, &ask->out,
			  err);
	if (code == TENON_OK)
		code = tn_io_open(loop, tn_child_fd(ask->child, TN_CHILD_STDERR), err_ready, ask,
				  &ask->err, err);
	if (code != TENON_OK)
		return code;
	tn_io_watch(ask->out, TN_IO_READ);
	tn_io_watch(ask->err, TN_IO_READ);
	return TENON_OK;
}

enum tenon_code tn_login_path_ask(struct tn_loop *loop, const char *shell, const char *const *env,
				  void (*done)(const char *path, void *data), void *data,
				  struct tn_login_path **ret, struct tenon_error *err)
{
	struct tn_login_path *ask = tn_mem_alloc(sizeof(*ask));
	enum tenon_code code;

	if (!ask)
		return tn_fail(err, TENON_NO_MEMORY, "no memory to ask for the PATH");
	*ask = (struct tn_login_path){.done = done, .data = data};
	tn_buf_init(&ask->said, TN_MIB);
	code = tn_timer_open(loop, is_late, ask, &ask->limit, err);
	if (code == TENON_OK)
		code = start(ask, loop, shell, env, err);
	if (code != TENON_OK) {
		tn_login_path_free(ask);
		return code;
	}
	tn_timer_start(ask->limit, TN_TERM_LOGIN_PATH_MS);
	*ret = ask;
	return TENON_OK;
}

void tn_login_path_free(struct tn_login_path *ask)
{
	if (!ask)
		return;
	if (ask->limit)
		stop(ask);
	tn_timer_close(ask->limit);
	tn_buf_finish(&ask->said);
	tn_mem_free(ask);
}
