#include "mcp/method.h"

#include "base/size.h"
#include "mcp/extension.h"
#include "mcp/feed.h"
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
