/* tools/call: find, check, run. */
#include <stdio.h>

#include "jsonrpc/json_write.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/plain_text.h"
#include "jsonrpc/schema.h"
#include "mcp/consent.h"
#include "mcp/finder/finder.h"
#include "mcp/header_params.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/server.h"
#include "mcp/task.h"

static const struct tn_json no_arguments = {.type = TN_JSON_OBJECT};

/* By the app, in the shape of its own errors. */
static void refuse_by_app(struct tenon_call *call, const struct tn_schema_faults *faults)
{
	struct tenon_argument_fault told[TN_SCHEMA_FAULTS_MAX];

	for (uint32_t i = 0; i < faults->count; i++)
		told[i] = (struct tenon_argument_fault){faults->items[i].path,
							faults->items[i].message};
	tn_result_reset_content(call);
	call->item->refuse(call, call->item->app_state, told, faults->count, faults->more);
}

/* MCP-223 and ARCHITECTURE section 3.1: the app decides which kind of error a fault is. */
static void refuse_arguments(struct tenon_call *call, const struct tn_schema_faults *faults)
{
	struct tn_buf text;

	if (call->item->faults == TENON_FAULTS_ARE_TOOL_ERRORS && call->item->refuse) {
		refuse_by_app(call, faults);
		return;
	}
	tn_buf_init(&text, 32 * TN_KIB);
	tn_schema_faults_write(faults, &text);
	if (call->item->faults == TENON_FAULTS_ARE_PROTOCOL_ERRORS) {
		tn_call_error(call, 200, TN_INVALID_PARAMS, tn_buf_str(&text), tn_str(NULL, 0));
	} else {
		tn_result_reset_content(call);
		tenon_call_set_error(call);
		tenon_call_add_text(call, text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static bool check_headers(struct tenon_call *call)
{
	struct tenon_error err;

	if (!call->view || call->revision != TN_R5 || !call->item->header_params ||
	    tn_header_params_check(call->item->header_params, call->view, call->arguments,
				   &call->arena, &err) == TENON_OK)
		return true;
	tn_call_error(call, 400, TN_HEADER_MISMATCH, tn_str_from(err.message), tn_str(NULL, 0));
	return false;
}

/* Entered again and again like the handler it stands before: nothing of that runs until the policy
 * or a person has said yes. */
static void run_admitted(struct tenon_call *call, void *data)
{
	if (tn_consent_admit(call))
		call->item->tool.call(call, data);
}

static bool fits(const struct tenon_call *call, struct tn_schema_faults *faults)
{
	const struct tn_item *item = call->item;

	return tn_plain_text_check(call->arguments, item->nul_arguments, faults) == TENON_OK &&
	       tn_schema_check(item->input, call->arguments, faults) == TENON_OK;
}

/* The tool that is meant, and its arguments; `redirected`: another one than the request names.
 * False: it is answered. */
static bool find_tool(struct tenon_call *call, bool *ret_redirected)
{
	struct tn_str name;

	if (!tn_method_string(call, "name", TN_NAME_BYTES_MAX, &name))
		return false;
	call->arguments = tn_json_get(call->params, "arguments");
	if (!call->arguments)
		call->arguments = &no_arguments; /* MCP-222 */
	if (call->arguments->type != TN_JSON_OBJECT) {
		tn_method_invalid(call, "arguments: expected an object, got %s",
				  tn_json_type_name(call->arguments));
		return false;
	}
	call->item = tn_call_find_item(call, TN_ITEM_TOOL, name);
	if (!call->item) {
		tn_method_invalid(call, "Unknown tool: %.*s", (int)name.size, name.data);
		return false;
	}
	*ret_redirected = tn_finder_redirect(call);
	call->item->references++;
	return true;
}

void tn_method_tools_call(struct tenon_call *call)
{
	struct tn_schema_faults faults;
	bool faulty, redirected;

	if (!find_tool(call, &redirected))
		return;
	/* Headers repeat arguments of the tool that the request names. */
	if (!tn_method_admit(call) || !tn_task_admit(call) ||
	    !(redirected || check_headers(call)) || !tn_call_take_answers(call))
		return;
	faults.root = "arguments";
	faulty = !fits(call, &faults);
	/* A tool error is a result, and the result of a task is the task's; an error is not. */
	if (!(faulty && call->item->faults == TENON_FAULTS_ARE_PROTOCOL_ERRORS) &&
	    !tn_task_begin(call))
		return;
	if (faulty) {
		refuse_arguments(call, &faults);
		return;
	}
	call->handler = call->server->consent ? run_admitted : call->item->tool.call;
	call->handler_data = call->item->tool.data ? call->item->tool.data : call->item->app_state;
	tn_call_run(call);
}
