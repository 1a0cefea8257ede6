/* A server as our child: lines on its standard input and output (mcp.md section 9). */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/size.h"
#include "client/carrier.h"
#include "client/limits.h"
#include "loop/child.h"
#include "transport/line_stream.h"

enum { TEXT_BYTES = 16 * 1024, ENV_MAX = 4096 };

struct child_carrier {
	struct tn_carrier base;
	struct tn_child *child;
	struct tn_line_stream *lines;
	struct tn_io *text; /* its standard error; NULL: it shares ours */
	struct tn_timer *last_words;
	struct tn_later *ready;
	bool has_exited, input_over, is_lost, is_closing;
	struct tn_child_end end;
	void (*closed)(void *data);
	void *closed_data;
};

static struct child_carrier *carrier_of(struct tn_carrier *base)
{
	return (struct child_carrier *)(void *)base; /* its first member */
}

/* ---- the end ---- */

static void tell_lost(struct child_carrier *c)
{
	struct tenon_error err;

	if (c->is_lost || c->is_closing)
		return;
	c->is_lost = true;
	tn_timer_stop(c->last_words);
	tn_line_stream_stop_reading(c->lines);
	if (!c->has_exited)
		(void)tn_fail(&err, TENON_SYSTEM, "the server has closed its output");
	else if (c->end.by_signal)
		(void)tn_fail(&err, TENON_SYSTEM, "the server was ended by signal %d",
			      c->end.number);
	else
		(void)tn_fail(&err, TENON_SYSTEM, "the server has ended with status %d",
			      c->end.number);
	c->base.events->lost(c->base.data, &err);
}

/* Its last answers may still be in the pipe, and its end tells why the pipe is over: the first
 * waits for the second, but not for long. */
static void part_over(struct child_carrier *c)
{
	if (c->has_exited && c->input_over)
		tell_lost(c);
	else
		tn_timer_start(c->last_words, TN_CHILD_LAST_WORDS_MS);
}

static void last_words_over(struct tn_timer *timer, void *data)
{
	(void)timer;
	tell_lost(data);
}

static void free_carrier(struct child_carrier *c)
{
	tn_io_close(c->text);
	tn_line_stream_close(c->lines);
	tn_child_free(c->child);
	tn_timer_close(c->last_words);
	tn_later_close(c->ready);
	tn_mem_free(c);
}

static void exited(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct child_carrier *c = data;

	(void)child;
	c->has_exited = true;
	c->end = end;
	if (c->is_closing)
		tn_later_request(c->ready);
	else
		part_over(c);
}

/* ---- what comes ---- */

static void line_came(struct tn_line_stream *lines, struct tn_str line, void *data)
{
	struct child_carrier *c = data;

	(void)lines;
	c->base.events->message(c->base.data, NULL, 0, line);
}

static void line_skipped(struct tn_line_stream *lines, void *data)
{
	struct child_carrier *c = data;

	(void)lines;
	if (c->base.events->skipped)
		c->base.events->skipped(c->base.data);
}

static void input_ended(struct tn_line_stream *lines, void *data)
{
	struct child_carrier *c = data;

	(void)lines;
	c->input_over = true;
	part_over(c);
}

static const struct tn_line_stream_events line_events = {
	.line = line_came,
	.too_long = line_skipped,
	.end = input_ended,
	.broken = input_ended,
};

/* MCP-082: read always, or a chatty server blocks on a full pipe. */
static void text_ready(struct tn_io *io, int events, void *data)
{
	struct child_carrier *c = data;
	char bytes[TEXT_BYTES];
	ssize_t got = read(tn_child_fd(c->child, TN_CHILD_STDERR), bytes, sizeof(bytes));

	(void)events;
	if (got > 0)
		c->base.events->text(c->base.data, tn_str(bytes, (size_t)got));
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		tn_io_watch(io, 0);
}

/* `ready` at first, `closed` at last; neither inside a call. */
static void turn_due(struct tn_later *later, void *data)
{
	struct child_carrier *c = data;

	(void)later;
	if (c->is_closing) {
		void (*closed)(void *data) = c->closed;
		void *closed_data = c->closed_data;

		if (!c->has_exited)
			return;
		free_carrier(c);
		if (closed)
			closed(closed_data);
	} else if (!c->is_lost) {
		c->base.events->ready(c->base.data);
	}
}

/* ---- ops ---- */

static void send_line(struct tn_carrier *base, const struct tn_outgoing *message)
{
	struct child_carrier *c = carrier_of(base);

	if (!c->is_lost && !c->is_closing)
		tn_line_stream_send(c->lines, message->json);
}

static void forget(struct tn_carrier *base, void *request)
{
	(void)base; /* all requests share the stream */
	(void)request;
}

static void close_child(struct tn_carrier *base, void (*closed)(void *data), void *data)
{
	struct child_carrier *c = carrier_of(base);

	(void)tn_line_stream_flush(
		c->lines); /* what does not fit into the pipe is not waited for */
	c->is_closing = true;
	c->closed = closed;
	c->closed_data = data;
	tn_timer_stop(c->last_words);
	tn_line_stream_close(c->lines);
	c->lines = NULL;
	tn_io_close(c->text);
	c->text = NULL;
	if (c->has_exited)
		tn_later_request(c->ready);
	else
		tn_child_stop(c->child);
}

static void abort_child(struct tn_carrier *base)
{
	free_carrier(carrier_of(base));
}

static const struct tn_carrier_ops ops = {
	.send = send_line,
	.forget = forget,
	.close = close_child,
	.abort = abort_child,
};

/* ---- the start ---- */

/* What a program needs to find its files and speak the user's language, and no secret (MCP-286). */
static const char *const safe_names[] = {
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"TERM",
	"LANG",
	"LANGUAGE",
	"LC_ALL",
	"LC_CTYPE",
	"TZ",
	"TMPDIR",
	"XDG_RUNTIME_DIR",
	"XDG_CONFIG_HOME",
};

static bool is_overridden(const char *name, const char *const *env)
{
	size_t size = strlen(name);

	for (; env && *env; env++) {
		if (strncmp(*env, name, size) == 0 && (*env)[size] == '=')
			return true;
	}
	return false;
}

/* NULL: out of memory, or more than ENV_MAX. */
static const char *const *make_env(struct tn_arena *arena, const char *const *env)
{
	size_t count = 0, given = 0;
	const char **ret;

	while (env && env[given])
		given++;
	if (given > ENV_MAX)
		return NULL;
	ret = tn_arena_alloc_array(arena, given + TN_COUNT(safe_names) + 1, sizeof(*ret));
	if (!ret)
		return NULL;
	for (size_t i = 0; i < TN_COUNT(safe_names); i++) {
		const char *value = getenv(safe_names[i]);

		if (!value || is_overridden(safe_names[i], env))
			continue;
		ret[count] = tn_arena_format(arena, "%s=%s", safe_names[i], value);
		if (!ret[count++])
			return NULL;
	}
	for (size_t i = 0; i < given; i++)
		ret[count++] = env[i];
	return ret;
}

static enum tenon_code start(struct child_carrier *c, const struct tn_carrier_options *options,
			     const struct tn_child_target *target, struct tenon_error *err)
{
	struct tn_child_options child = {.command = target->command,
					 .directory = target->directory,
					 .shares_stderr = !options->events->text,
					 .exited = exited,
					 .data = c};
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	child.env = make_env(&arena, target->env);
	code = child.env ? tn_child_open(options->loop, &child, &c->child, err)
			 : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_finish(&arena);
	if (code != TENON_OK)
		return code;
	code = tn_line_stream_open(options->loop, tn_child_fd(c->child, TN_CHILD_STDOUT),
				   tn_child_fd(c->child, TN_CHILD_STDIN), TN_CLIENT_MESSAGE_MAX,
				   &line_events, c, &c->lines, err);
	if (code != TENON_OK || child.shares_stderr)
		return code;
	code = tn_io_open(options->loop, tn_child_fd(c->child, TN_CHILD_STDERR), text_ready, c,
			  &c->text, err);
	if (code == TENON_OK)
		tn_io_watch(c->text, TN_IO_READ);
	return code;
}

enum tenon_code tn_carrier_open_child(const struct tn_carrier_options *options,
				      const struct tn_child_target *target, struct tn_carrier **ret,
				      struct tenon_error *err)
{
	struct child_carrier *c = tn_mem_alloc(sizeof(*c));
	enum tenon_code code;

	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->base = (struct tn_carrier){.ops = &ops,
				      .events = options->events,
				      .data = options->data,
				      .kind = TN_CARRIER_STREAM,
				      .transport = "stdio"};
	code = tn_later_open(options->loop, turn_due, c, &c->ready, err);
	if (code == TENON_OK)
		code = tn_timer_open(options->loop, last_words_over, c, &c->last_words, err);
	if (code == TENON_OK)
		code = start(c, options, target, err);
	if (code != TENON_OK) {
		free_carrier(c);
		return code;
	}
	tn_later_request(c->ready);
	*ret = &c->base;
	return TENON_OK;
}
