/* show_on_canvas: marks nodes on every page that has the project open (SC-018). */
#include "apps/studio/mcp/presence.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/server.h"

static bool put_ids(struct tn_buf *out, const struct tn_studio_project *project,
		    const struct tn_json *ids, struct tn_studio_fault *fault)
{
	tn_json_begin_array(out);
	for (const struct tn_json *at = ids->first; at; at = at->next) {
		struct tn_str id = tn_str("", 0);

		(void)tn_json_to_str(at, &id);
		if (!tn_studio_node_find(&project->document, id))
			return tn_studio_fail(fault, "NOT_FOUND",
					      "there is no node '%.*s'; list_resources has the ids",
					      (int)id.size, id.data);
		tn_json_put_str(out, id);
	}
	tn_json_end_array(out);
	return true;
}

static void put_who(struct tn_buf *out, struct tenon_call *call, struct tn_studio_door *door)
{
	struct tn_arena arena;
	char time[TN_CLOCK_ISO_SIZE];

	tn_arena_init(&arena, TN_MIB);
	tn_clock_format_iso(tn_clock_wall_ms(door->server->clock), time);
	tn_json_put_key(out, "actor");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", tn_studio_actor_id(call, &arena));
	tn_json_put_member_text(out, "name", tn_studio_actor_of(call));
	tn_json_put_member_bool(out, "person", tenon_call_is_person(call));
	tn_json_end_object(out);
	tn_json_put_member_text(out, "at", time);
	tn_arena_finish(&arena);
}

static void answer(struct tenon_call *call, size_t pages, struct tn_str ids)
{
	struct tn_buf result, text;

	tn_buf_init(&result, TN_MIB);
	tn_buf_init(&text, TN_MIB);
	tn_json_begin_object(&result);
	tn_json_put_member_int(&result, "pages", (int64_t)pages);
	tn_json_put_member_raw(&result, "shown", ids);
	tn_json_end_object(&result);
	if (pages == 0)
		tn_buf_append_text(&text, "No page has the project open: nobody sees it");
	else
		tn_buf_format(&text, "Shown on %zu page%s", pages, pages == 1 ? "" : "s");
	tn_studio_reply(call, tn_buf_str(&text), &result);
	tn_buf_finish(&text);
}

void tn_studio_call_show(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	const char *message = tenon_call_text(call, "message");
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf ids, said;

	if (!project)
		return;
	tn_buf_init(&ids, TN_MIB);
	tn_buf_init(&said, TN_MIB);
	if (put_ids(&ids, project, tn_json_get(tn_call_arguments(call), "instanceIds"), &fault)) {
		put_who(&said, call, door);
		tn_json_put_member_raw(&said, "instanceIds", tn_buf_str(&ids));
		if (message)
			tn_json_put_member_text(&said, "message", message);
		answer(call, tn_studio_here_show(door, project, tn_buf_str(&said)),
		       tn_buf_str(&ids));
	} else {
		tn_studio_reply_fault(call, &fault);
	}
	tn_buf_finish(&said);
	tn_buf_finish(&ids);
}
