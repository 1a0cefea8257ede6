/* Whether a preview may begin or end: what a person is asked before (V5). */
#include <stdio.h>

#include "apps/workbench/mcp/acting.h"
#include "base/limits.h"
#include "base/url.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static bool ask(const struct tn_wb_acting *acting, const char *summary, struct tn_str exactly,
		const char *always)
{
	const struct tn_wb_question question = {
		.kind = "preview", .summary = summary, .exactly = exactly, .always = always};

	if (summary && exactly.data)
		return tn_wb_acting_consent(acting, &question);
	tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
	return false;
}

/* Once per origin and epoch: the same words for once and for longer, so that each lasts. */
static bool ask_attached(const struct tn_wb_acting *acting, struct tn_str address)
{
	struct tn_arena *arena = &acting->call->arena;
	struct tn_str origin;
	struct tn_url url;
	const char *always;

	if (!tn_url_parse(address, &url))
		return true; /* starting it says what is wrong */
	origin = tn_utf8_cut(url.origin, 200);
	always = tn_arena_format(arena, "Allow previews of %.*s as long as %.60s is open",
				 (int)origin.size, origin.data, acting->workspace->name);
	return always &&
	       ask(acting,
		   tn_arena_format(arena, "Preview %.*s in %.60s, through a port of its own",
				   (int)origin.size, origin.data, acting->workspace->name),
		   url.origin, always);
}

/* A launcher runs programs of the folder: with these options and no others. */
static bool ask_managed(const struct tn_wb_acting *acting, const struct tn_json *target)
{
	struct tn_arena *arena = &acting->call->arena;
	struct tn_str id = TN_STR("of the project's configuration"), shown;
	struct tn_buf exactly;
	const char *always;
	bool agreed;

	(void)tn_json_to_str(tn_json_get(target, "launcherId"), &id);
	shown = tn_utf8_cut(id, 200);
	tn_buf_init(&exactly, TN_RESULT_BYTES_MAX);
	tn_buf_append_text(&exactly, "launcher ");
	if (target)
		tn_json_put_value(&exactly, target);
	always = tn_arena_format(arena, "Allow this launcher as long as %.60s is open",
				 acting->workspace->name);
	agreed = always && !exactly.failed &&
		 ask(acting,
		     tn_arena_format(arena,
				     "Start the launcher %.*s of %.60s, which runs programs "
				     "of %.300s",
				     (int)shown.size, shown.data, acting->workspace->name,
				     acting->workspace->root),
		     tn_buf_str(&exactly), always);
	tn_buf_finish(&exactly);
	return agreed;
}

bool tn_wb_may_start(struct tenon_call *call, struct tn_wb_door *door,
		     struct tn_wb_workspace *workspace, const struct tn_json *target)
{
	const struct tn_wb_acting acting = {.door = door, .call = call, .workspace = workspace};
	const struct tn_wb_target_rules rules = {.registry = workspace->registry};
	struct tn_wb_target read = {.asked = NULL};
	struct tenon_error err;

	/* Starting says what is wrong with it, and nobody is asked before. */
	if (target && tn_wb_target_read(target, &rules, &read, &err))
		return true;
	/* The address that will be previewed, whatever else the target says. */
	if (read.url.size)
		return ask_attached(&acting, read.url);
	return !workspace->trusted || ask_managed(&acting, target);
}

bool tn_wb_may_draw(const struct tn_wb_acting *acting)
{
	const struct tn_wb_acting folder = {
		.door = acting->door, .call = acting->call, .workspace = acting->workspace};
	struct tn_json *target = NULL;
	struct tn_str url;

	if (tn_json_parse_copy(&acting->call->arena, tn_str_from(acting->session->target), &target,
			       NULL) == TENON_OK &&
	    (tn_json_to_str(tn_json_get(target, "url"), &url) ||
	     tn_json_to_str(tn_json_get(target, "harnessUrl"), &url)))
		return ask_attached(&folder, url);
	return ask_managed(&folder, target);
}

void tn_wb_note_starter(struct tenon_call *call, struct tn_wb_session *session)
{
	(void)snprintf(session->starter, sizeof(session->starter), "%s",
		       tenon_call_is_person(call) ? "" : tenon_call_principal(call));
}

bool tn_wb_may_stop(struct tenon_call *call, struct tn_wb_door *door, struct tn_wb_session *session)
{
	const struct tn_wb_acting acting = {.door = door,
					    .call = call,
					    .workspace = session->set->data,
					    .session = session,
					    .group = session->group};

	if (strcmp(session->starter, tenon_call_principal(call)) == 0)
		return true;
	return ask(&acting,
		   tn_arena_format(&call->arena, "End the preview of %.60s at %.200s",
				   acting.workspace->name,
				   session->url ? session->url : "no address"),
		   TN_STR("stop"), NULL);
}
