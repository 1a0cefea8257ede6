/* What the client remembers of listed tools: arguments that go into headers, the schema of the
 * result, whether a call may be a task. */
#include <stdio.h>

#include "base/mem.h"
#include "client/client.h"
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

void tn_tools_clear(struct tenon_client *client)
{
	size_t cursor = 0;
	struct tn_str key;
	void *tool;

	while (tn_map_next(&client->tools, &cursor, &key, &tool)) {
		(void)tn_map_remove(&client->tools, key);
		free_tool(tool);
	}
	client->tools_known = false;
}

const struct tn_known_tool *tn_tools_find(const struct tenon_client *client, struct tn_str name)
{
	return name.data ? tn_map_get(&client->tools, name) : NULL;
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
	/* A schema that we cannot read checks nothing; the result is handed on as it is. */
	if (output && tn_schema_compile(output, &ret->output, &err) != TENON_OK) {
		(void)snprintf(text, sizeof(text), "an outputSchema is not checked: %s",
			       err.message);
		tn_client_log(client, "warning", text);
		ret->output = NULL;
	}
}

bool tn_tools_learn(struct tenon_client *client, const struct tn_json *tool)
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
	free_tool(tn_map_remove(&client->tools, name));
	if (client->tools.used >= TN_CLIENT_TOOLS_MAX ||
	    tn_map_put(&client->tools, name, known, NULL) != TENON_OK)
		free_tool(known);
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
