/* What a handler reads of its call: arguments and who asks. */
#include "mcp/call.h"

#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/extension.h"

const struct tn_json *tn_call_arguments(const struct tenon_call *call)
{
	return call->arguments;
}

unsigned tn_tool_flags(const struct tenon_tool *tool, const struct tn_json *arguments)
{
	if (!tool->writes_with)
		return tool->flags;
	if (tn_json_get(arguments, tool->writes_with))
		return tool->flags & ~(unsigned)TENON_READ_ONLY;
	return tool->flags | TENON_READ_ONLY;
}

static const struct tn_json *argument(const struct tenon_call *call, const char *name)
{
	return tn_json_get(call->arguments, name);
}

const char *tenon_call_text(const struct tenon_call *call, const char *name)
{
	struct tn_str text;

	return tn_json_to_str(argument(call, name), &text) ? text.data : NULL;
}

bool tenon_call_bytes(const struct tenon_call *call, const char *name, const char **ret_data,
		      size_t *ret_size)
{
	struct tn_str text;

	if (!tn_json_to_str(argument(call, name), &text))
		return false;
	*ret_data = text.data;
	*ret_size = text.size;
	return true;
}

bool tenon_call_int(const struct tenon_call *call, const char *name, int64_t *ret)
{
	return tn_json_to_int(argument(call, name), ret);
}

bool tenon_call_double(const struct tenon_call *call, const char *name, double *ret)
{
	return tn_json_to_double(argument(call, name), ret);
}

bool tenon_call_bool(const struct tenon_call *call, const char *name, bool *ret)
{
	return tn_json_to_bool(argument(call, name), ret);
}

const char *tn_call_json_text(struct tenon_call *call, const struct tn_json *value)
{
	struct tn_buf text;
	const char *copy = NULL;

	if (!value)
		return NULL;
	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	tn_json_put_value(&text, value);
	if (!text.failed)
		copy = tn_arena_copy(&call->arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	if (!copy)
		tn_call_starve(call);
	return copy;
}

const char *tenon_call_json(struct tenon_call *call, const char *name)
{
	if (name)
		return tn_call_json_text(call, argument(call, name));
	return call->arguments ? tn_call_json_text(call, call->arguments) : "{}";
}

const char *tenon_call_uri(const struct tenon_call *call)
{
	return call->uri.data;
}

void tenon_call_completing(const struct tenon_call *call, const char **ret_name,
			   const char **ret_value)
{
	*ret_name = call->complete_name.data;
	*ret_value = call->complete_value.data;
}

bool tenon_call_is_person(const struct tenon_call *call)
{
	return call->person;
}

const char *tenon_call_meta(struct tenon_call *call, const char *key)
{
	return tn_call_json_text(call, key ? tn_json_get(call->meta, key) : call->meta);
}

const char *tenon_call_extension(struct tenon_call *call, const char *id)
{
	return tn_call_json_text(call, tn_extension_of_client(call, id));
}

const char *tenon_call_client_name(const struct tenon_call *call)
{
	return call->client_name ? call->client_name : "";
}

void *tenon_call_app_state(const struct tenon_call *call)
{
	return call->item ? call->item->app_state : NULL;
}

const char *tenon_call_principal(const struct tenon_call *call)
{
	return call->principal;
}

const char *tenon_call_revision(const struct tenon_call *call)
{
	return tn_revision_name(call->revision).data;
}

bool tenon_call_can(const struct tenon_call *call, enum tenon_ability ability)
{
	return (call->abilities & ability) != 0;
}
