/* Progress and log lines of a running call (mcp.md sections 14.1 and 14.3). */
#include "mcp/call.h"

#include <math.h>

#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/server.h"
#include "mcp/task.h"

/* A bucket of ten lets short work report every step; after that ten a second. */
static const double bucket_size = 10;

static void put_progress(const struct tenon_call *call, struct tn_buf *out, double progress,
			 double total, const char *message)
{
	tn_json_put_member_raw(out, "progressToken", call->progress_token);
	tn_json_put_key(out, "progress");
	tn_json_put_double(out, progress);
	if (total > 0 && isfinite(total)) {
		tn_json_put_key(out, "total");
		tn_json_put_double(out, total);
	}
	if (message && call->revision >= TN_R2)
		tn_json_put_member_text(out, "message", message);
	tn_task_put_meta(call, out);
}

static bool take_token(struct tenon_call *call)
{
	uint64_t now = tn_server_now_ms(call->server);

	if (!call->progress_any)
		call->progress_tokens = bucket_size;
	else
		call->progress_tokens +=
			(double)(now - call->progress_refill_ms) / TN_PROGRESS_INTERVAL_MS;
	if (call->progress_tokens > bucket_size)
		call->progress_tokens = bucket_size;
	call->progress_refill_ms = now;
	if (call->progress_tokens < 1)
		return false;
	call->progress_tokens -= 1;
	return true;
}

/* Keeps the newest message that the rate limit held back; it goes out before the answer. Its memory
 * at least doubles when it has to grow, so that a call may report for days. */
static void hold(struct tenon_call *call, struct tn_str params)
{
	const struct tn_str head = TN_STR("{\"jsonrpc\":\"2.0\",\"method\":"
					  "\"notifications/progress\",\"params\":{");
	const struct tn_str tail = TN_STR("}}");
	size_t size = head.size + params.size + tail.size;
	char *to = (char *)(uintptr_t)call->progress_held.data;

	if (size > call->progress_room) {
		size_t room = size * 2;

		to = tn_arena_alloc_raw(&call->arena, room);
		if (!to)
			return; /* the older one stays */
		call->progress_room = room;
	}
	memcpy(to, head.data, head.size);
	memcpy(to + head.size, params.data, params.size);
	memcpy(to + head.size + params.size, tail.data, tail.size);
	call->progress_held = tn_str(to, size);
}

void tenon_call_progress(struct tenon_call *call, double progress, double total,
			 const char *message)
{
	struct tn_buf params;

	if (!call->progress_token.data || call->phase == TN_CALL_FINISHED)
		return;
	if (!isfinite(progress) || (call->progress_any && !(progress > call->progress_last)))
		return; /* MCP-165: it grows strictly */
	tn_buf_init(&params, 64 * TN_KIB);
	put_progress(call, &params, progress, total, message);
	if (!params.failed) {
		if (take_token(call)) {
			call->progress_held.size = 0; /* its memory stays */
			tn_call_notify(call, "notifications/progress", tn_buf_str(&params));
		} else {
			hold(call, tn_buf_str(&params));
		}
	}
	call->progress_last = progress;
	call->progress_any = true;
	tn_buf_finish(&params);
}

bool tn_call_is_backlogged(const struct tenon_call *call)
{
	const struct tn_exchange *x = call->exchange;

	return x && x->ops->backlogged && x->ops->backlogged(x);
}

void tn_call_progress_each(struct tenon_call *call, double progress, const char *message,
			   struct tn_str meta)
{
	struct tn_buf params;

	if (!call->progress_token.data || call->phase == TN_CALL_FINISHED || !isfinite(progress) ||
	    (call->progress_any && !(progress > call->progress_last)))
		return;
	tn_buf_init(&params, TN_MESSAGE_BYTES_MAX);
	tn_json_put_member_raw(&params, "progressToken", call->progress_token);
	tn_json_put_key(&params, "progress");
	tn_json_put_double(&params, progress);
	if (call->revision >= TN_R2) {
		tn_json_put_member_text(&params, "message", message);
		tn_json_put_key(&params, "_meta");
		tn_json_begin_object(&params);
		tn_task_put_related(call, &params);
		if (meta.size > 0 && params.data[params.size - 1] != '{')
			tn_buf_append_byte(&params, ',');
		tn_buf_append_str(&params, meta);
		tn_json_end_object(&params);
	}
	if (!params.failed)
		tn_call_notify(call, "notifications/progress", tn_buf_str(&params));
	call->progress_held.size = 0; /* an older one need not come after it */
	call->progress_last = progress;
	call->progress_any = true;
	tn_buf_finish(&params);
}

void tenon_call_log(struct tenon_call *call, enum tenon_log_level level, const char *logger,
		    const char *text)
{
	static const char *const names[] = {"debug", "info",     "notice", "warning",
					    "error", "critical", "alert",  "emergency"};
	/* A session's level may change while the call runs (MCP-178). */
	int lowest = call->revision == TN_R5 ? call->log_level : tn_task_peer(call)->log_level;
	struct tn_buf params;

	if (call->phase == TN_CALL_FINISHED || (int)level < lowest)
		return;
	tn_buf_init(&params, 64 * TN_KIB);
	tn_json_put_member_text(&params, "level", names[level]);
	if (logger)
		tn_json_put_member_text(&params, "logger", logger);
	tn_json_put_member_text(&params, "data", text);
	tn_task_put_meta(call, &params);
	if (!params.failed)
		tn_call_notify(call, "notifications/message", tn_buf_str(&params));
	tn_buf_finish(&params);
}

void tenon_call_elicit_done(struct tenon_call *call, const char *key)
{
	const struct tn_visit *visit = call->visits;
	struct tn_buf params;

	while (visit && strcmp(visit->key, key) != 0)
		visit = visit->next;
	if (!visit)
		return; /* another revision, or never asked */
	tn_buf_init(&params, TN_KIB);
	tn_json_put_member_text(&params, "elicitationId", visit->id);
	if (!params.failed)
		tn_call_notify(call, "notifications/elicitation/complete", tn_buf_str(&params));
	tn_buf_finish(&params);
}
