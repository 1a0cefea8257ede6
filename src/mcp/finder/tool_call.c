#include "mcp/finder/finder.h"
#include "mcp/finder/finder_search.h"
#include "mcp/finder/tools.h"
#include "mcp/method.h"
#include "mcp/scope.h"
#include "mcp/server.h"

/* The tool that a caller sees and means who writes its name as a host does. NULL: none. */
static const struct tn_item *meant(const struct tenon_call *call, struct tn_str name)
{
	const struct tn_list *list = &call->server->registry.lists[TN_ITEM_TOOL];
	const struct tn_sight sight = tn_peer_sight(call->peer);

	for (size_t i = 0; i < list->count; i++) {
		if (tn_finder_naming(name, list->items[i]->key) != TN_FINDER_NOT_NAMED &&
		    tn_sees(&sight, list->items[i]))
			return list->items[i];
	}
	return NULL;
}

/* Only what could not be made a call of the tool that is named comes here (finder.h). */
void tn_finder_call_call(struct tenon_call *call, void *data)
{
	const char *name = tenon_call_text(call, "name");
	const struct tn_item *item =
		tn_call_find_item(call, TN_ITEM_TOOL, tn_str_from(name ? name : ""));

	(void)data;
	if (item && item->finder)
		tenon_call_fail(call, "%s is called by its own name.", item->tool.name);
	else if (item)
		tenon_call_fail(call,
				"%s writes or runs something: call it with call_writing_tool, or "
				"by its own name.",
				item->tool.name);
	else if (name && (item = meant(call, tn_str_from(name))) != NULL)
		tenon_call_fail(call, "There is no tool \"%.64s\": here it is called %s.", name,
				item->tool.name);
	else
		tenon_call_fail(call,
				"There is no tool \"%.64s\". find_tools finds those that there "
				"are, by words of what is to be done.",
				name ? name : "");
}
