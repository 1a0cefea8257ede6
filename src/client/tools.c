/* What the client remembers of listed tools: arguments that go into headers, the schema of the
 * result, whether a call may be a task. */
#include <stdio.h>

#include "base/mem.h"
#include "client/client.h"
#include "client/limits.h"
#include "jsonrpc/schema.h"
#include "mcp/header_params.h"

static void free_tool(struct tn_known_tool *tool)
{
	if (!tool)
		return;
	tn_header_params_free(tool->params);
	tn_schema_free(tool->output);
	tn_mem_free(tool);
}

void tn_tools_retire(struct tenon_client *client, uint64_t list)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&client->tools, &cursor, &key, &value)) {
		struct tn_known_tool *tool = value;

		if (tool->listed >= list)
			continue;
		(void)tn_map_remove(&client->tools, key);
		free_tool(tool);
	}
}

void tn_tools_clear(struct tenon_client *client)
{
	tn_tools_retire(client, UINT64_MAX);
}

const struct tn_known_tool *tn_tools_find(const struct tenon_client *client, struct tn_str name)
{
	return name.data ? tn_map_get(&client->tools, name) : NULL;
}

static bool is_hinted(const struct tn_json *tool, const char *hint)
{
	bool value = false;

	return tn_json_to_bool(tn_json_get(tn_json_get(tool, "annotations"), hint), &value) &&
	       value;
}

static void read_definition(struct tenon_client *client, const struct tn_json *tool,
			    struct tn_known_tool *ret)
{
	const struct tn_json *output = tn_json_get(tool, "outputSchema");
	struct tenon_error err;
	struct tn_str support;
	char text[TENON_ERROR_MESSAGE_MAX + 64];

	if (tn_json_to_str(tn_json_get(tn_json_get(tool, "execution"), "taskSupport"), &support)) {
		ret->must_be_task = tn_str_is(support, "required");
		ret->may_be_task = ret->must_be_task || tn_str_is(support, "optional");
	}
	ret->is_repeatable = is_hinted(tool, "readOnlyHint") || is_hinted(tool, "idempotentHint");
	/* A schema that we cannot read checks nothing; the result is handed on as it is. */
	if (output && tn_schema_compile(output, &ret->output, &err) != TENON_OK) {
		(void)snprintf(text, sizeof(text), "an outputSchema is not checked: %s",
			       err.message);
		tn_client_log(client, "warning", text);
		ret->output = NULL;
	}
}

/* In the place of what was known by that name. */
static void remember(struct tenon_client *client, struct tn_str name, struct tn_known_tool *tool)
{
	struct tn_known_tool *old = tn_map_remove(&client->tools, name);

	if (old && old->listed > tool->listed)
		tool->listed = old->listed;
	free_tool(old);
	if (client->tools.used >= TN_CLIENT_TOOLS_MAX ||
	    tn_map_put(&client->tools, name, tool, NULL) != TENON_OK)
		free_tool(tool); /* called like a tool that was not listed */
}

bool tn_tools_learn(struct tenon_client *client, const struct tn_json *tool, uint64_t list)
{
	bool is_http = client->carrier && client->carrier->kind == TN_CARRIER_HTTP &&
		       tn_client_is_modern(client);
	const struct tn_json *input = tn_json_get(tool, "inputSchema");
	struct tn_known_tool *known;
	struct tenon_error err;
	struct tn_str name;

	if (!tn_json_to_str(tn_json_get(tool, "name"), &name) || name.size == 0)
		return true; /* the program sees it as it came */
	known = tn_mem_alloc(sizeof(*known));
	if (!known)
		return true; /* called like a tool that was not listed */
	if (is_http && input &&
	    tn_header_params_find(input, name.data, &known->params, &err) == TENON_INVALID) {
		tn_client_log(client, "warning", err.message);
		free_tool(tn_map_remove(&client->tools, name));
		free_tool(known);
		return false;
	}
	read_definition(client, tool, known);
	known->listed = list;
	remember(client, name, known);
	return true;
}

enum tenon_code tn_tools_check(const struct tn_known_tool *tool, const struct tn_json *result,
			       struct tenon_error *err)
{
	const struct tn_json *content = tn_json_get(result, "structuredContent");
	struct tn_schema_faults faults = {.root = "structuredContent"};
	enum tenon_code code = TENON_OK;
	struct tn_buf text;

	if (!tool->output)
		return TENON_OK;
	if (!content)
		return tn_fail(err, TENON_INVALID,
			       "the result has no structuredContent, although the tool has an "
			       "outputSchema");
	if (tn_schema_check(tool->output, content, &faults) == TENON_OK)
		return TENON_OK;
	tn_buf_init(&text, TN_MIB);
	tn_schema_faults_write(&faults, &text);
	code = tn_fail(err, TENON_INVALID, "the result does not fit the tool's outputSchema: %.*s",
		       (int)(text.size < 180 ? text.size : 180), text.data ? text.data : "");
	tn_buf_finish(&text);
	return code;
}
