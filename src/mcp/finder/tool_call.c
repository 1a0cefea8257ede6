#include "mcp/finder/finder.h"
#include "mcp/finder/tools.h"
#include "mcp/method.h"

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
	else
		tenon_call_fail(call,
				"There is no tool \"%.64s\". find_tools finds those that there "
				"are, by words of what is to be done.",
				name ? name : "");
}
