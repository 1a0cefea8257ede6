#include "mcp/finder/finder.h"

#include "base/size.h"
#include "jsonrpc/schema.h"
#include "mcp/finder/tools.h"
#include "mcp/method.h"
#include "mcp/server.h"

static enum tenon_code add(struct tenon_server *server, const struct tenon_tool *tool,
			   enum tn_finder finder, struct tenon_error *err)
{
	enum tenon_code code = tenon_server_add_tool(server, tool, err);

	if (code == TENON_OK)
		tn_registry_find(&server->registry, TN_ITEM_TOOL, tn_str_from(tool->name))->finder =
			finder;
	return code;
}

enum tenon_code tn_finders_add(struct tenon_server *server, struct tenon_error *err)
{
	enum tenon_code code = add(server, &tn_finder_tool_find, TN_FINDS, err);

	if (code == TENON_OK)
		code = add(server, &tn_finder_tool_call, TN_CALLS_READERS, err);
	if (code == TENON_OK)
		code = add(server, &tn_finder_tool_call_writing, TN_CALLS_ALL, err);
	if (code == TENON_OK)
		server->registry.listing = TN_LISTS_EVERYDAY;
	return code;
}

const struct tenon_tool *tn_finder_at(size_t index)
{
	return index < TN_COUNT(tn_finder_tools) ? tn_finder_tools[index] : NULL;
}

const struct tenon_tool *tn_finder_by_name(struct tn_str name)
{
	for (size_t i = 0; tn_finder_tools[i]; i++) {
		if (tn_str_is(name, tn_finder_tools[i]->name))
			return tn_finder_tools[i];
	}
	return NULL;
}

bool tn_finder_redirect(struct tenon_call *call)
{
	static const struct tn_json none = {.type = TN_JSON_OBJECT};
	enum tn_finder finder = call->item->finder;
	const struct tn_json *arguments = tn_json_get(call->arguments, "arguments");
	struct tn_item *item;
	struct tn_str name;

	if ((finder != TN_CALLS_READERS && finder != TN_CALLS_ALL) ||
	    tn_schema_check(call->item->input, call->arguments, NULL) != TENON_OK ||
	    !tn_json_to_str(tn_json_get(call->arguments, "name"), &name))
		return false;
	item = tn_call_find_item(call, TN_ITEM_TOOL, name);
	if (!item || item->finder ||
	    (finder == TN_CALLS_READERS &&
	     !(tn_tool_flags(&item->tool, arguments) & TENON_READ_ONLY)))
		return false;
	call->through = call->item->tool.name;
	call->item = item;
	call->arguments = arguments ? arguments : &none;
	return true;
}
