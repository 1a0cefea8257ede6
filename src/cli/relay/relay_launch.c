#include "cli/relay/relay_launch.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "cli/limits.h"
#include "jsonrpc/json.h"
#include "loop/child.h"

enum { LINE_BYTES_MAX = 16 * 1024, READ_BYTES = 4096 };

struct tn_relay_launch {
	struct tn_child *child;
	struct tn_io *out;
	struct tn_timer *timer;
	struct tn_buf line;
	bool told;
	tn_relay_launched_fn *done;
	void *data;
};

/* The last use of `launch` unless the caller keeps it. */
static void tell(struct tn_relay_launch *launch, const struct tn_relay_launched *launched)
{
	if (launch->told)
		return;
	launch->told = true;
	launch->done(launched, launch->data);
}

static void fail(struct tn_relay_launch *launch, const char *message)
{
	struct tn_relay_launched launched = {0};

	(void)snprintf(launched.message, sizeof(launched.message), "%s", message);
	tell(launch, &launched);
}

static bool read_error(struct tn_str line, struct tn_relay_launched *launched)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	struct tn_str code = {0}, words = {0};

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, line, &root, NULL) == TENON_OK) {
		(void)tn_json_to_str(tn_json_get(root, "error"), &code);
		(void)tn_json_to_str(tn_json_get(root, "message"), &words);
	}
	launched->final = code.size > 0;
	(void)snprintf(launched->message, sizeof(launched->message), "%.*s",
		       words.size ? (int)words.size : 26,
		       words.size ? words.data : "the daemon does not start.");
	tn_arena_finish(&arena);
	return launched->final;
}

static void judge(struct tn_relay_launch *launch)
{
	struct tn_relay_launched launched = {0};
	struct tn_str line = tn_str_trim(tn_buf_str(&launch->line));

	if (line.size == 0) {
		fail(launch, "tenond ended without a word");
		return;
	}
	launched.ok = tn_discovery_parse(line, &launched.found, NULL) == TENON_OK;
	if (!launched.ok)
		(void)read_error(line, &launched);
	tell(launch, &launched);
}

static void out_ready(struct tn_io *io, int events, void *data)
{
	struct tn_relay_launch *launch = data;
	char bytes[READ_BYTES];
	ssize_t got = read(tn_child_fd(launch->child, TN_CHILD_STDOUT), bytes, sizeof(bytes));

	(void)events;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got > 0)
		tn_buf_append(&launch->line, bytes, (size_t)got);
	if (got > 0 && !launch->line.failed && !memchr(bytes, '\n', (size_t)got))
		return;
	tn_io_watch(io, 0);
	judge(launch);
}

static void timed_out(struct tn_timer *timer, void *data)
{
	(void)timer;
	fail(data, "the daemon does not start in time");
}

enum tenon_code tn_relay_launch_start(struct tn_loop *loop, const char *program,
				      tn_relay_launched_fn *done, void *data,
				      struct tn_relay_launch **ret, struct tenon_error *err)
{
	const char *const command[] = {program, "--launch", NULL};
	const struct tn_child_options options = {
		.command = command,
		.env = (const char *const *)environ,
		.shares_stderr = true,
	};
	struct tn_relay_launch *launch = tn_mem_alloc(sizeof(*launch));
	enum tenon_code code;

	if (!launch)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	launch->done = done;
	launch->data = data;
	tn_buf_init(&launch->line, LINE_BYTES_MAX);
	code = tn_child_open(loop, &options, &launch->child, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, timed_out, launch, &launch->timer, err);
	if (code == TENON_OK)
		code = tn_io_open(loop, tn_child_fd(launch->child, TN_CHILD_STDOUT), out_ready,
				  launch, &launch->out, err);
	if (code != TENON_OK) {
		tn_relay_launch_free(launch);
		return code;
	}
	tn_io_watch(launch->out, TN_IO_READ);
	tn_timer_start(launch->timer, TN_RELAY_LAUNCH_MS);
	*ret = launch;
	return TENON_OK;
}

void tn_relay_launch_free(struct tn_relay_launch *launch)
{
	if (!launch)
		return;
	tn_io_close(launch->out);
	tn_timer_close(launch->timer);
	tn_child_free(launch->child);
	tn_buf_finish(&launch->line);
	tn_mem_free(launch);
}
