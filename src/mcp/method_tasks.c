/* tasks/get, tasks/result, tasks/list, tasks/cancel, tasks/update (mcp.md sections 20.1, 20.2). */
#include <inttypes.h>
#include <stdio.h>

#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/server.h"
#include "mcp/task.h"

/* The task the params name. NULL: answered. */
static struct tn_task *find_task(struct tenon_call *call)
{
	struct tn_task *task;
	struct tn_str id;

	if (call->revision == TN_R5 && !tenon_call_require(call, TENON_CAN_TASKS))
		return NULL; /* MCP-254 */
	if (!tn_method_string(call, "taskId", TN_NAME_BYTES_MAX, &id))
		return NULL;
	task = tn_task_find(call, id);
	if (!task) /* the same for expired and foreign ones: nobody learns that they exist */
		tn_method_invalid(call, "taskId: there is no such task, or it has expired");
	return task;
}

static void send_task(struct tenon_call *call, const struct tn_task *task)
{
	tn_result_begin(call);
	if (call->revision == TN_R5)
		tn_task_put_detail(task, &call->out);
	else
		tn_task_put(task, &call->out);
	tn_result_end(call);
	tn_call_send(call, 200);
}

void tn_method_tasks_get(struct tenon_call *call)
{
	const struct tn_task *task = find_task(call);

	if (task)
		send_task(call, task);
}

void tn_method_tasks_result(struct tenon_call *call)
{
	struct tn_task *task = find_task(call);

	if (task)
		tn_task_wait(task, call);
}

void tn_method_tasks_cancel(struct tenon_call *call)
{
	struct tn_task *task = find_task(call);

	if (!task)
		return;
	if (call->revision == TN_R5) { /* MCP-253: idempotent */
		tn_task_cancel(task);
		tn_result_send_empty(call);
		return;
	}
	if (tn_task_is_over(task)) {
		tn_method_invalid(call, "taskId: the task has ended already");
		return;
	}
	tn_task_cancel(task); /* MCP-244: before the answer */
	send_task(call, task);
}

void tn_method_tasks_update(struct tenon_call *call)
{
	struct tn_task *task = find_task(call);
	const struct tn_json *responses = tn_json_get(call->params, "inputResponses");

	if (!task)
		return;
	if (!tn_json_is(responses, TN_JSON_OBJECT))
		tn_method_invalid(call, "inputResponses: send an object");
	else if (!tn_task_update(task, responses))
		tn_call_error(call, 200, TN_INTERNAL_ERROR, TN_STR("out of memory"),
			      tn_str(NULL, 0));
	else
		tn_result_send_empty(call);
}

/* ---- tasks/list ----
 *
 * A cursor is the number of the last task before the page: it stays good when tasks expire. */

static const struct tn_str cursor_head = {"after-", 6};

static bool read_cursor(struct tenon_call *call, uint64_t *ret_after)
{
	const struct tn_json *cursor = tn_json_get(call->params, "cursor");
	struct tn_str text;

	*ret_after = 0;
	if (!cursor || cursor->type == TN_JSON_NULL)
		return true;
	if (!tn_method_string(call, "cursor", TN_CURSOR_BYTES_MAX, &text))
		return false;
	if (tn_str_starts(text, cursor_head) &&
	    tn_str_to_uint(tn_str_from_offset(text, cursor_head.size), ret_after))
		return true;
	tn_method_invalid(call, "cursor: not one of this list's cursors");
	return false;
}

void tn_method_tasks_list(struct tenon_call *call)
{
	const struct tn_task *last = NULL;
	unsigned count = 0;
	uint64_t after;

	if (!read_cursor(call, &after))
		return;
	tn_result_begin(call);
	tn_json_put_key(&call->out, "tasks");
	tn_json_begin_array(&call->out);
	for (const struct tn_task *task = call->server->tasks.first; task; task = task->next) {
		if (task->sequence <= after || !tn_task_belongs(task, call))
			continue;
		if (count++ == TN_PAGE_ITEMS_MAX)
			break;
		tn_json_begin_object(&call->out);
		tn_task_put(task, &call->out);
		tn_json_end_object(&call->out);
		last = task;
	}
	tn_json_end_array(&call->out);
	if (count > TN_PAGE_ITEMS_MAX) {
		char cursor[32];

		(void)snprintf(cursor, sizeof(cursor), "%s%" PRIu64, cursor_head.data,
			       last->sequence);
		tn_json_put_member_text(&call->out, "nextCursor", cursor);
	}
	tn_result_end(call);
	tn_call_send(call, 200);
}
