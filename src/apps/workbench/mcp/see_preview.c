/* skaffa://preview/...: what is previewed, and what is selected there. */
#include "apps/workbench/mcp/door.h"
#include "jsonrpc/json_write.h"

/* L5: without a workspace or a session it is an empty list and no selection, never a failure. */
void tn_wb_say_why_empty(struct tn_wb_look *look)
{
	if (!look->workspace || !look->workspace->config) {
		look->status = look->workspace ? "loading" : "no_workspace";
		look->message = look->workspace
					? "The workspace is being read: read again in a moment."
					: "No workspace is open. A person opens one: tenon "
					  "workbench open PATH";
	} else {
		look->status = "no_session";
		look->message = "Nothing is previewed in this workspace.";
	}
}

/* What modules offer to start; without a workspace nothing. */
static void put_launchers(struct tn_buf *out, const struct tn_wb_workspace *workspace)
{
	static const char *const members[] = {"id", "displayName", "description",
					      "supportedSessionTypes"};
	const struct tn_wb_config *config = workspace ? workspace->config : NULL;

	tn_json_begin_array(out);
	for (size_t i = 0; config && i < config->module_count; i++) {
		const struct tn_json *list = config->modules[i].launchers;

		for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next) {
			tn_json_begin_object(out);
			for (size_t k = 0; k < sizeof(members) / sizeof(members[0]); k++) {
				const struct tn_json *member = tn_json_get(at, members[k]);

				if (member) {
					tn_json_put_key(out, members[k]);
					tn_json_put_value(out, member);
				}
			}
			tn_json_end_object(out);
		}
	}
	tn_json_end_array(out);
}

enum tn_wb_seen tn_wb_see_sessions(struct tn_wb_look *look)
{
	struct tn_buf *out = look->data;

	tn_wb_say_why_empty(look);
	tn_json_begin_object(out);
	tn_json_put_key(out, "sessions");
	tn_json_begin_array(out);
	tn_json_end_array(out);
	tn_json_put_key(out, "launchers");
	put_launchers(out, look->workspace);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_selection(struct tn_wb_look *look)
{
	struct tn_buf *out = look->data;

	tn_wb_say_why_empty(look);
	tn_json_begin_object(out);
	tn_json_put_member_null(out, "activeSessionId");
	tn_json_put_member_null(out, "current");
	tn_json_put_key(out, "others");
	tn_json_begin_array(out);
	tn_json_end_array(out);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}
