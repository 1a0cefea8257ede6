#include "apps/studio/mcp/tool_run.h"

#include <stdio.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/say.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fit.h"
#include "mcp/server.h"

enum { RETRY_MS = 100, HELD_MAX = 1024 * 1024, LOG_BYTES = 100 * 1000 };

/* ---- lines (ST-086) ---- */

static void send_line(struct tn_studio_wait *wait, uint64_t number, struct tn_str text,
		      struct tn_str level, bool is_stderr)
{
	struct tn_buf meta, message;

	tn_buf_init(&meta, 8 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	tn_buf_init(&message, 2 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	tn_buf_append_str(&message, text);
	tn_buf_append_byte(&message, '\0');
	tn_json_begin_object(&meta);
	tn_json_put_member_str(&meta, "line", text);
	tn_json_put_member_text(&meta, "stream", is_stderr ? "stderr" : "stdout");
	tn_json_put_member_text(&meta, "runId", tn_studio_run_id(wait->run));
	tn_json_put_member_str(&meta, "level", level);
	if (!meta.failed && !message.failed)
		tn_call_progress_each(wait->call, (double)(wait->lines_before + number),
				      message.data, tn_str_from_offset(tn_buf_str(&meta), 1));
	tn_buf_finish(&meta);
	tn_buf_finish(&message);
}

static void send_held(struct tn_studio_wait *wait)
{
	if (wait->held.size == 0)
		return;
	send_line(wait, wait->held_number, tn_buf_str(&wait->held), wait->held_level,
		  wait->held_stderr);
	tn_buf_clear(&wait->held);
	tn_buf_shrink(&wait->held, 0);
}

static void retry(struct tn_timer *timer, void *data)
{
	struct tn_studio_wait *wait = data;

	if (!wait->call || !wait->run || wait->held.size == 0)
		return;
	if (tn_call_is_backlogged(wait->call))
		tn_timer_start(timer, RETRY_MS);
	else
		send_held(wait);
}

static bool is_level(struct tn_str level, const char *name)
{
	return tn_str_is(level, name);
}

/* Static, so that it may be kept. */
static struct tn_str level_of(struct tn_str level)
{
	static const char *const levels[] = {"trace", "debug", "warn", "error"};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (is_level(level, levels[i]))
			return tn_str_from(levels[i]);
	}
	return TN_STR("info");
}

static void hear(struct tn_studio_run *run, const struct tn_studio_run_line *line, void *data)
{
	struct tn_studio_wait *wait = data;
	bool slow = tn_call_is_backlogged(wait->call);

	(void)run;
	if (!slow && wait->held.size == 0) {
		send_line(wait, line->number, line->text, level_of(line->level), line->is_stderr);
		return;
	}
	/* Consecutive lines share a notification, and none is lost. */
	if (wait->held.size > 0)
		tn_buf_append_byte(&wait->held, '\n');
	tn_buf_append_str(&wait->held, line->text);
	wait->held_number = line->number;
	wait->held_level = level_of(line->level);
	wait->held_stderr = line->is_stderr;
	if (!slow || wait->held.size > HELD_MAX)
		send_held(wait);
	else if (!tn_timer_active(wait->retry))
		tn_timer_start(wait->retry, RETRY_MS);
}

/* ---- ends ---- */

static void put_log(struct tn_buf *out, const struct tn_studio_run *run, uint64_t from)
{
	struct tn_buf log;
	uint64_t next = from;

	tn_buf_init(&log, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	tn_studio_run_log(&log, run, from, LOG_BYTES, &next);
	tn_json_put_member_str(out, "log", tn_buf_str(&log));
	tn_json_put_member_int(out, "nextLine", (int64_t)next);
	tn_buf_finish(&log);
}

static void say_more(struct tn_buf *text, const struct tn_buf *result)
{
	struct tn_json *run = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (!result->failed &&
	    tn_json_parse_copy(&arena, tn_buf_str(result), &run, NULL) == TENON_OK)
		tn_studio_say_run(text, run);
	tn_arena_finish(&arena);
}

void tn_studio_reply_run(struct tenon_call *call, const struct tn_studio_run *run, uint64_t log)
{
	struct tn_buf result, text;

	if (tn_studio_run_fault(run)) {
		struct tn_studio_fault fault = *tn_studio_run_fault(run);
		char details[128];

		(void)snprintf(details, sizeof(details), "{\"runId\":\"%s\"}",
			       tn_studio_run_id(run));
		fault.details = tn_str_from(details);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_run_put(&result, run, &text);
	if (log > 0 && result.size > 0) {
		result.size--; /* into the object */
		put_log(&result, run, log);
		tn_json_end_object(&result);
		tn_studio_reply_headline(call, tn_buf_str(&text), &result);
	} else {
		if (tn_call_says_all(call))
			say_more(&text, &result);
		tn_studio_reply(call, tn_buf_str(&text), &result);
	}
	tn_buf_finish(&text);
}

static void unwatch(struct tn_studio_wait *wait)
{
	if (wait->run)
		tn_studio_run_unwatch(wait->run, wait);
	wait->run = NULL;
	if (wait->due)
		tn_timer_stop(wait->due);
	if (wait->retry)
		tn_timer_stop(wait->retry);
}

static void ended(struct tn_studio_run *run, void *data)
{
	struct tn_studio_wait *wait = data;

	send_held(wait);
	unwatch(wait);
	if (wait->then)
		wait->then(wait, run);
	else
		tn_studio_reply_run(wait->call, run, wait->log_from);
}

static void due(struct tn_timer *timer, void *data)
{
	struct tn_studio_wait *wait = data;
	const struct tn_studio_run *run = wait->run;

	(void)timer;
	if (!run)
		return;
	send_held(wait);
	unwatch(wait);
	tn_studio_reply_run(wait->call, run, wait->log_from);
}

/* 9.6: who goes away ends a plan, not an apply; who cancels ends both. */
static void cancelled(struct tenon_call *call, void *data)
{
	struct tn_studio_wait *wait = data;
	struct tn_studio_run *run = wait->run;

	unwatch(wait);
	if (run && wait->stops_run) {
		enum tn_studio_command command = tn_studio_run_command(run);
		bool changes = command == TN_STUDIO_APPLY || command == TN_STUDIO_DESTROY;

		if (!changes || !call->left)
			tn_studio_run_cancel(run, false);
	}
	if (!wait->is_looking)
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
}

/* ---- life ---- */

static void free_wait(void *data)
{
	struct tn_studio_wait *wait = data;

	unwatch(wait);
	if (wait->opening)
		tn_studio_act_give_up(wait->opening);
	tn_studio_act_free(wait->act);
	wait->opening = NULL;
	wait->act = NULL;
	tn_timer_close(wait->due);
	tn_timer_close(wait->retry);
	wait->due = wait->retry = NULL;
	tn_buf_finish(&wait->held);
	wait->call = NULL;
	if (!wait->is_looking) /* otherwise who looks frees it */
		tn_mem_free(wait);
}

struct tn_studio_wait *tn_studio_wait_of(struct tenon_call *call, struct tn_studio_door *door)
{
	struct tn_studio_wait *wait = tenon_call_data(call);
	struct tn_studio_fault fault;

	if (wait)
		return wait;
	wait = tn_mem_alloc(sizeof(*wait));
	if (!wait || tn_timer_open(door->server->loop, due, wait, &wait->due, NULL) != TENON_OK ||
	    tn_timer_open(door->server->loop, retry, wait, &wait->retry, NULL) != TENON_OK) {
		if (wait)
			tn_timer_close(wait->due);
		tn_mem_free(wait);
		(void)tn_studio_fail_memory(&fault);
		tn_studio_reply_fault(call, &fault);
		return NULL;
	}
	wait->call = call;
	wait->door = door;
	tn_buf_init(&wait->held, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	tenon_call_set_data(call, wait, free_wait);
	return wait;
}

bool tn_studio_wait_watch(struct tn_studio_wait *wait, struct tn_studio_run *run)
{
	struct tenon_error err = {0};
	struct tn_studio_fault fault;

	if (tn_studio_run_watch(run, hear, ended, wait, &err) != TENON_OK) {
		(void)tn_studio_fail_error(&fault, &err);
		tn_studio_reply_fault(wait->call, &fault);
		return false;
	}
	wait->run = run;
	tenon_call_on_cancel(wait->call, cancelled, wait);
	return true;
}

void tn_studio_wait_for(struct tn_studio_wait *wait, struct tn_studio_run *run, bool stops_run,
			int64_t wait_ms)
{
	if (tn_studio_run_state(run) != TN_STUDIO_RUNNING || wait_ms == 0) {
		tn_studio_reply_run(wait->call, run, wait->log_from);
		return;
	}
	wait->stops_run = stops_run;
	wait->then = NULL;
	if (tn_studio_wait_watch(wait, run) && wait_ms > 0)
		tn_timer_start(wait->due, (uint64_t)wait_ms);
}

/* ---- which run ---- */

struct tn_studio_run *tn_studio_run_of(struct tenon_call *call, struct tn_studio_door *door)
{
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	const char *id = tenon_call_text(call, "runId");
	struct tn_studio_run *run;
	struct tn_studio_fault fault;

	if (!project)
		return NULL;
	run = tn_studio_run_find(door->runs, project, id);
	/* Its id alone says which project it is of. */
	for (struct tn_studio_project *other = tn_studio_projects_first(door->projects);
	     !run && id && !tenon_call_text(call, "project") && other; other = other->next)
		run = tn_studio_run_find(door->runs, other, id);
	if (run)
		return run;
	if (id)
		(void)tn_studio_fail(&fault, "NOT_FOUND",
				     "There is no run %.64s in this project; the last 50 are kept.",
				     id);
	else
		(void)tn_studio_fail(&fault, "NOT_FOUND",
				     "Nothing has run in this project yet: run_terraform.");
	tn_studio_reply_fault(call, &fault);
	return NULL;
}
