/* terminal://command/{id}: a command's result, as long as it is kept (terminal.md section 8). */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/mcp/resource.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/to_json.h"
#include "base/limits.h"

/* NULL: the call has ended. */
static struct tn_term_command *command_of(struct tenon_call *call, struct tn_term_door *door)
{
	struct tn_term_command *c = NULL;
	struct tn_term_fault fault = {0};
	const char *id = tn_term_id_of(call);
	struct tn_term_caller caller;

	tn_term_caller_of(call, &caller);
	if (door->term && id)
		c = tn_term_command_find(door->term, &caller, id, &fault);
	if (!c)
		tenon_call_not_found(call);
	return c;
}

/* With so much of its output. False: the call has ended. */
static bool result_of(struct tenon_call *call, struct tn_term_door *door, size_t max,
		      struct tn_term_executed *ret)
{
	struct tn_term_shaping shaping = {.bytes_max = max};
	struct tn_term_command *c = command_of(call, door);
	struct tenon_error err;

	if (!c)
		return false;
	if (tn_term_command_result(c, &shaping, ret, &err) == TENON_OK)
		return true;
	tenon_call_fail(call, "The output cannot be read: %s.", err.message);
	return false;
}

static void reply(struct tenon_call *call, const char *type, struct tn_str text)
{
	tenon_call_set_cache(call, 0, false);
	tenon_call_add_resource_text(call, NULL, type, text.data ? text.data : "", text.size);
	tenon_call_finish(call);
}

void tn_term_read_command(struct tenon_call *call, void *door)
{
	struct tn_term_executed executed;
	struct tn_buf out;

	if (!result_of(call, door, TN_TERM_ANSWER_BYTES, &executed))
		return;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_term_put_executed(&out, &executed);
	tn_term_executed_finish(&executed);
	if (out.failed)
		tenon_call_fail(call, "Out of memory.");
	else
		reply(call, "application/json", tn_buf_str(&out));
	tn_buf_finish(&out);
}

static void read_output(struct tenon_call *call, void *door)
{
	struct tn_term_executed executed;

	if (!result_of(call, door, TN_TERM_ANSWER_BYTES_MAX, &executed))
		return;
	reply(call, "text/plain", tn_buf_str(&executed.output.text));
	tn_term_executed_finish(&executed);
}

const struct tenon_resource_template tn_term_resource_command = {
	.uri_template = "terminal://command/{id}",
	.name = "command",
	.title = "A command",
	.description = "How a command stands: status, exit code, duration, output, as "
		       "execute_command returns it.",
	.mime_type = "application/json",
	.read = tn_term_read_command,
	.complete = tn_term_complete_command,
};

const struct tenon_resource_template tn_term_resource_command_output = {
	.uri_template = "terminal://command/{id}/output",
	.name = "command/output",
	.title = "A command's output",
	.description = "All that it has printed, up to 1 MiB; beyond that its beginning and end.",
	.mime_type = "text/plain",
	.read = read_output,
	.complete = tn_term_complete_command,
};
