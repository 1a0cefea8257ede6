#include "mcp/method.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/size.h"
#include "mcp/extension.h"
#include "mcp/fault.h"
#include "mcp/feed.h"
#include "mcp/scope.h"
#include "mcp/server.h"

static const struct tn_method methods[] = {
	{"tools/call", TN_METHOD_BOTH, TN_FEATURE_TOOLS, "name", tn_method_tools_call},
	{"tools/list", TN_METHOD_BOTH, TN_FEATURE_TOOLS, NULL, tn_method_tools_list},
	{"resources/read", TN_METHOD_BOTH, TN_FEATURE_RESOURCES, "uri", tn_method_resources_read},
	{"resources/list", TN_METHOD_BOTH, TN_FEATURE_RESOURCES, NULL, tn_method_resources_list},
	{"resources/templates/list", TN_METHOD_BOTH, TN_FEATURE_RESOURCES, NULL,
	 tn_method_templates_list},
	{"resources/subscribe", TN_METHOD_LEGACY, TN_FEATURE_RESOURCES, NULL, tn_method_subscribe},
	{"resources/unsubscribe", TN_METHOD_LEGACY, TN_FEATURE_RESOURCES, NULL,
	 tn_method_unsubscribe},
	{"prompts/get", TN_METHOD_BOTH, TN_FEATURE_PROMPTS, "name", tn_method_prompts_get},
	{"prompts/list", TN_METHOD_BOTH, TN_FEATURE_PROMPTS, NULL, tn_method_prompts_list},
	{"completion/complete", TN_METHOD_BOTH, TN_FEATURE_COMPLETIONS, NULL, tn_method_complete},
	{"tasks/get", TN_METHOD_BOTH, TN_FEATURE_TASKS, "taskId", tn_method_tasks_get},
	{"tasks/cancel", TN_METHOD_BOTH, TN_FEATURE_TASKS, "taskId", tn_method_tasks_cancel},
	{"tasks/update", TN_METHOD_MODERN, TN_FEATURE_TASKS, "taskId", tn_method_tasks_update},
	{"tasks/result", TN_METHOD_LEGACY, TN_FEATURE_TASKS, NULL, tn_method_tasks_result},
	{"tasks/list", TN_METHOD_LEGACY, TN_FEATURE_TASKS, NULL, tn_method_tasks_list},
	{"ping", TN_METHOD_LEGACY, TN_FEATURE_NONE, NULL, tn_method_ping},
	{"logging/setLevel", TN_METHOD_LEGACY, TN_FEATURE_NONE, NULL, tn_method_set_level},
	{"server/discover", TN_METHOD_MODERN, TN_FEATURE_NONE, NULL, tn_method_discover},
	{"subscriptions/listen", TN_METHOD_MODERN, TN_FEATURE_NONE, NULL, tn_feed_listen},
};

bool tn_peer_has_feature(const struct tn_peer *peer, enum tn_feature feature)
{
	const struct tn_registry *offered = &peer->server->registry;
	uint32_t hidden = tn_peer_sight(peer).hidden;

	switch (feature) {
	case TN_FEATURE_TOOLS:
		return tn_registry_offers(offered, TN_ITEM_TOOL, hidden);
	case TN_FEATURE_RESOURCES:
		return peer->server->cuts_texts ||
		       tn_registry_offers(offered, TN_ITEM_RESOURCE, hidden) ||
		       tn_registry_offers(offered, TN_ITEM_TEMPLATE, hidden);
	case TN_FEATURE_PROMPTS:
		return tn_registry_offers(offered, TN_ITEM_PROMPT, hidden);
	case TN_FEATURE_COMPLETIONS:
		return tn_registry_offers(offered, TN_ITEM_PROMPT, hidden) ||
		       tn_registry_offers(offered, TN_ITEM_TEMPLATE, hidden);
	case TN_FEATURE_TASKS:
		return peer->server->tasks.tools > 0 && tn_registry_offers_tasks(offered, hidden);
	case TN_FEATURE_NONE:
		break;
	}
	return true;
}

static bool serves(const struct tenon_call *call, const struct tn_method *method)
{
	if (method->feature == TN_FEATURE_TASKS &&
	    (call->revision < TN_R4 ||
	     (method->call == tn_method_tasks_list && !tn_task_may_list(call))))
		return false;
	return tn_peer_has_feature(call->peer, method->feature);
}

const struct tn_method *tn_method_find(const struct tenon_call *call, struct tn_str name)
{
	unsigned era = call->revision == TN_R5 ? TN_METHOD_MODERN : TN_METHOD_LEGACY;

	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		const struct tn_method *method = &methods[i];

		if (tn_str_is(name, method->name))
			return (method->eras & era) && serves(call, method) ? method : NULL;
	}
	return tn_extension_find_method(call, name);
}

bool tn_method_is_known(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		if (tn_str_is(name, methods[i].name))
			return true;
	}
	return false;
}

struct tn_item *tn_call_find_item(const struct tenon_call *call, enum tn_item_kind kind,
				  struct tn_str key)
{
	struct tn_item *item = tn_registry_find(&call->server->registry, kind, key);
	const struct tn_sight sight = tn_peer_sight(call->peer);

	return item && tn_sees(&sight, item) ? item : NULL;
}

bool tn_method_admit(struct tenon_call *call)
{
	if (!call->server->disabled || call->person)
		return true;
	tn_call_fail_code(call, "SERVER_DISABLED", true, "%s", TN_DISABLED_WORDS);
	return false;
}

void tn_method_invalid(struct tenon_call *call, const char *format, ...)
{
	char message[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args); /* cut is fine */
	va_end(args);
	tn_call_error(call, 200, TN_INVALID_PARAMS, tn_str_from(message), tn_str(NULL, 0));
}

bool tn_method_string(struct tenon_call *call, const char *name, size_t max, struct tn_str *ret)
{
	const struct tn_json *value = tn_json_get(call->params, name);

	if (!value)
		tn_method_invalid(call, "%s is missing", name);
	else if (!tn_json_to_str(value, ret))
		tn_method_invalid(call, "%s: expected a string, got %s", name,
				  tn_json_type_name(value));
	else if (ret->size > max)
		tn_method_invalid(call, "%s: longer than %zu bytes", name, max);
	else
		return true;
	return false;
}
