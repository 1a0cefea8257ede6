/* A server that a module's command starts: found by what it prints, or by asking it, and seen
 * through the gateway (6.4, 10.6). */
#include "apps/workbench/launch/env.h"
#include "apps/workbench/launch/ready.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "apps/workbench/values/plain.h"
#include "base/mem.h"
#include "mcp/server.h"

struct tn_wb_poll {
	struct tn_wb_launch *launch; /* NULL: nobody waits for it any more */
	struct tn_job *job;
	char *url;
	bool answers;
};

/* ---- asking ---- */

static void ask(void *data, const atomic_bool *cancelled)
{
	struct tn_wb_poll *poll = data;

	(void)cancelled;
	poll->answers = tn_wb_ready_answers(poll->url, TN_WB_ASK_MS);
}

static void asked(void *data, bool cancelled)
{
	struct tn_wb_poll *poll = data;
	struct tn_wb_launch *launch = poll->launch;

	if (launch)
		launch->poll = NULL;
	if (launch && launch->phase == TN_WB_LAUNCH_STARTING) {
		if (poll->answers && !cancelled)
			tn_wb_launch_reach_all(launch, tn_str_from(poll->url));
		else
			tn_timer_start(launch->poll_timer, TN_WB_ASK_AGAIN_MS);
	}
	tn_mem_free(poll->url);
	tn_mem_free(poll);
}

static void poll_due(struct tn_timer *timer, void *data)
{
	struct tn_wb_launch *launch = data;
	struct tn_wb_poll *poll;
	struct tenon_error err;

	if (launch->phase != TN_WB_LAUNCH_STARTING || launch->poll)
		return;
	poll = tn_mem_alloc(sizeof(*poll));
	if (poll) {
		poll->launch = launch;
		poll->url = tn_mem_copy_text(launch->address, strlen(launch->address));
	}
	if (poll && poll->url &&
	    tn_job_start(launch->door->server->loop, ask, asked, poll, &poll->job, &err) ==
		    TENON_OK) {
		launch->poll = poll;
		return;
	}
	if (poll)
		tn_mem_free(poll->url);
	tn_mem_free(poll);
	tn_timer_start(timer, TN_WB_ASK_AGAIN_MS);
}

/* ---- what it prints ---- */

static void look_for_address(struct tn_wb_launch *launch, struct tn_str line)
{
	struct tn_buf url;

	tn_buf_init(&url, TN_WB_ADDRESS_BYTES_MAX);
	if (tn_wb_ready_match(launch->ready, line, &url)) {
		if (url.size || !launch->address)
			tn_wb_launch_reach_all(launch, tn_buf_str(&url));
		else
			tn_wb_launch_reach_all(launch, tn_str_from(launch->address));
	}
	tn_buf_finish(&url);
}

static void take_line(void *data, struct tn_str line, bool is_stderr)
{
	struct tn_wb_launch *launch = data;
	char *plain = line.size ? tn_wb_plain_copy(line) : NULL;

	if (!plain)
		return;
	tn_wb_launch_log(launch, is_stderr ? TN_WB_LOG_WARN : TN_WB_LOG_INFO, tn_str_from(plain));
	if (launch->ready && launch->phase == TN_WB_LAUNCH_STARTING)
		look_for_address(launch, tn_str_from(plain));
	tn_mem_free(plain);
}

/* ---- the start ---- */

/* NULL: out of memory. */
static const char *const *words_of(struct tn_arena *arena, const struct tn_json *command,
				   unsigned port)
{
	const char **words = tn_arena_alloc_array(arena, command->count + 1, sizeof(*words));
	size_t count = 0;

	for (const struct tn_json *at = command->first; words && at; at = at->next) {
		words[count] = tn_wb_put_port(arena, at->text, port);
		if (!words[count++])
			return NULL;
	}
	return words;
}

static enum tenon_code how_it_is_found(struct tn_wb_launch *launch, const struct tn_json *described,
				       struct tn_arena *arena, unsigned port,
				       struct tenon_error *err)
{
	struct tn_str pattern, url;
	const char *address;

	if (tn_json_to_str(tn_json_get(described, "url"), &url)) {
		address = tn_wb_put_port(arena, url, port);
		tn_wb_launch_keep(&launch->address, tn_str_from(address));
		if (!address || !launch->address)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (tn_json_to_str(tn_json_get(described, "readyPattern"), &pattern))
		return tn_wb_ready_create(pattern, &launch->ready, err);
	if (!launch->address)
		return tn_fail(err, TENON_INVALID,
			       "the launcher says neither readyPattern nor url: nothing tells "
			       "where its server is");
	return tn_timer_open(launch->door->server->loop, poll_due, launch, &launch->poll_timer,
			     err);
}

enum tenon_code tn_wb_launch_command_start(struct tn_wb_launch *launch,
					   const struct tn_wb_prepare *prepared,
					   struct tn_arena *arena, struct tenon_error *err)
{
	struct tn_wb_process_options options = {.loop = launch->door->server->loop,
						.directory = prepared->directory,
						.line_max = TN_WB_LINE_BYTES_MAX,
						.line = take_line,
						.ended = tn_wb_launch_ended,
						.data = launch};
	const struct tn_json *more[TN_WB_ENV_PARTS] = {
		tn_wb_launch_kept(launch->environment, arena)};
	unsigned port = tn_wb_ready_port();
	const struct tn_json *described = tn_wb_launch_kept(launch->described, arena);
	enum tenon_code code;

	if (!described)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!port)
		return tn_fail(err, TENON_SYSTEM, "no port is free");
	more[1] = tn_json_get(described, "env");
	options.command = words_of(arena, tn_json_get(described, "command"), port);
	options.env = tn_wb_env(arena, more, port);
	if (!options.command || !options.env)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = how_it_is_found(launch, described, arena, port, err);
	if (code == TENON_OK)
		code = tn_wb_process_start(&options, &launch->process, err);
	if (code == TENON_OK && launch->poll_timer)
		tn_timer_start(launch->poll_timer, TN_WB_ASK_AGAIN_MS);
	return code;
}

void tn_wb_launch_command_finish(struct tn_wb_launch *launch)
{
	if (launch->poll)
		launch->poll->launch = NULL;
	tn_timer_close(launch->poll_timer);
	tn_wb_ready_free(launch->ready);
	tn_mem_free(launch->address);
}
