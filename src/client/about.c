/* What a server says about itself: in the result of server/discover or initialize. */
#include "base/mem.h"
#include "client/client.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

void tn_about_clear(struct tn_client_about *about)
{
	tn_mem_free(about->name);
	tn_mem_free(about->version);
	tn_mem_free(about->instructions);
	tn_mem_free(about->capabilities);
	*about = (struct tn_client_about){0};
}

static bool copy_member(char **ret, const struct tn_json *object, const char *key)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(object, key), &text))
		return true;
	*ret = tn_mem_copy_text(text.data, text.size);
	return *ret != NULL;
}

static bool copy_value(char **ret, const struct tn_json *value)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_CLIENT_MESSAGE_MAX);
	if (value)
		tn_json_put_value(&text, value);
	else
		tn_buf_append_text(&text, "{}");
	if (!text.failed)
		*ret = tn_mem_copy_text(text.data, text.size);
	tn_buf_finish(&text);
	return *ret != NULL;
}

static bool flag(const struct tn_json *object, const char *key)
{
	bool value = false;

	return tn_json_to_bool(tn_json_get(object, key), &value) && value;
}

static void read_capabilities(struct tn_client_about *about, const struct tn_json *all)
{
	const struct tn_json *tools = tn_json_get(all, "tools");
	const struct tn_json *resources = tn_json_get(all, "resources");
	const struct tn_json *prompts = tn_json_get(all, "prompts");
	const struct tn_json *requests = tn_json_get(tn_json_get(all, "tasks"), "requests");

	about->tools = tn_json_is(tools, TN_JSON_OBJECT);
	about->resources = tn_json_is(resources, TN_JSON_OBJECT);
	about->prompts = tn_json_is(prompts, TN_JSON_OBJECT);
	about->tools_changed = flag(tools, "listChanged");
	about->resources_changed = flag(resources, "listChanged");
	about->prompts_changed = flag(prompts, "listChanged");
	about->subscribe = flag(resources, "subscribe");
	about->tasks_r4 =
		tn_json_is(tn_json_get(tn_json_get(requests, "tools"), "call"), TN_JSON_OBJECT);
	about->tasks = tn_json_is(
		tn_json_get(tn_json_get(all, "extensions"), "io.modelcontextprotocol/tasks"),
		TN_JSON_OBJECT);
}

enum tenon_code tn_about_read(struct tn_client_about *about, const struct tn_json *result,
			      struct tenon_error *err)
{
	const struct tn_json *info = tn_json_get(result, "serverInfo");
	const struct tn_json *capabilities = tn_json_get(result, "capabilities");

	if (!tn_json_is(capabilities, TN_JSON_OBJECT))
		capabilities = NULL;
	if (!info)
		info = tn_json_get(tn_json_get(result, "_meta"),
				   "io.modelcontextprotocol/serverInfo");
	tn_about_clear(about);
	if (!copy_member(&about->name, info, "name") ||
	    !copy_member(&about->version, info, "version") ||
	    !copy_member(&about->instructions, result, "instructions") ||
	    !copy_value(&about->capabilities, capabilities)) {
		tn_about_clear(about);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	read_capabilities(about, capabilities);
	return TENON_OK;
}
