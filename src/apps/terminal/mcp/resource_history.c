/* terminal://history{?query,type,limit}: what search_history finds (terminal.md section 8). */
#include "apps/terminal/mcp/resource.h"
#include "apps/terminal/mcp/tool_search_history.h"

enum { INVALID_PARAMS = -32602, LIMIT_DEFAULT = 20, LIMIT_MAX = 100, QUERY_BYTES_MAX = 4000 };

static void reply(struct tenon_call *call, const struct tn_history_found *found,
		  struct tn_buf *json)
{
	(void)found;
	if (json->failed) {
		tenon_call_fail(call, "The result is too large.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/json", json->data,
					     json->size);
		tenon_call_finish(call);
	}
	tn_buf_finish(json);
}

/* Variables are strings, and any of them may be missing: without a query the newest entries. */
static void read_history(struct tenon_call *call, void *data)
{
	const struct tn_term_door *door = data;
	struct tn_str limit = tn_str_from(tenon_call_text(call, "limit"));
	struct tn_history_search search = {
		.types = tn_term_search_types(tn_str_from(tenon_call_text(call, "type")))};
	uint64_t number = LIMIT_DEFAULT;

	(void)tenon_call_bytes(call, "query", &search.query.data, &search.query.size);
	if (limit.size && (!tn_str_to_uint(limit, &number) || number < 1 || number > LIMIT_MAX))
		tenon_call_refuse(call, INVALID_PARAMS, "limit: send 1 to 100", NULL);
	else if (!search.types)
		tenon_call_refuse(call, INVALID_PARAMS, "type: send commands, output or all", NULL);
	else if (search.query.size > QUERY_BYTES_MAX)
		tenon_call_refuse(call, INVALID_PARAMS, "query: send at most 1000 characters",
				  NULL);
	else if (!door->backend)
		tenon_call_not_found(call);
	else {
		search.limit = (unsigned)number;
		tn_term_search(call, door, &search, reply);
	}
}

const struct tenon_resource_template tn_term_resource_history = {
	.uri_template = "terminal://history{?query,type,limit}",
	.name = "history",
	.title = "What was run",
	.description = "Commands and output lines, as search_history returns them; without a query "
		       "the newest.",
	.mime_type = "application/json",
	.read = read_history,
};
