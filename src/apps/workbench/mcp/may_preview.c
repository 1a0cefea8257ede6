/* Whether a preview may begin or end: what a person is asked before (V5). */
#include <stdio.h>

#include "apps/workbench/launch/launcher.h"
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

/* What a command of a module is: its words, as they stand there. NULL: no memory. */
static const char *words_of(struct tn_arena *arena, const struct tn_wb_launcher *launcher)
{
	const struct tn_json *command = tn_json_get(launcher->described, "command");
	const char *words = "";

	for (const struct tn_json *at = command ? command->first : NULL; words && at; at = at->next)
		words = tn_arena_format(arena, "%s%s%.*s", words, *words ? " " : ": ",
					(int)at->text.size, at->text.data);
	return words ? tn_arena_copy(arena, tn_utf8_cut(tn_str_from(words), 500)) : NULL;
}

/* The launcher, what a module says of it, and with which options: these and no others. */
static void put_exactly(struct tn_buf *out, const struct tn_wb_launcher *launcher,
			const struct tn_wb_target *target)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "launcher", launcher->id);
	if (launcher->described) {
		tn_json_put_key(out, "described");
		tn_json_put_value(out, launcher->described);
	}
	if (target->options) {
		tn_json_put_key(out, "options");
		tn_json_put_value(out, target->options);
	}
	tn_json_end_object(out);
}

/* A launcher runs programs of the folder. */
static bool ask_managed(const struct tn_wb_acting *acting, const struct tn_wb_target *target)
{
	const struct tn_wb_config *config = acting->workspace->config;
	struct tn_arena *arena = &acting->call->arena;
	struct tn_str id = target->launcher, shown;
	struct tn_wb_launcher launcher;
	const char *always, *words;
	struct tn_buf exactly;
	bool agreed;

	if (!id.size)
		id = tn_wb_launcher_default(config);
	if (!tn_wb_launcher_find(config, id, &launcher))
		return true; /* starting it says what is wrong */
	shown = tn_utf8_cut(id, 200);
	tn_buf_init(&exactly, TN_RESULT_BYTES_MAX);
	put_exactly(&exactly, &launcher, target);
	words = words_of(arena, &launcher);
	always = tn_arena_format(arena, "Allow this launcher as long as %.60s is open",
				 acting->workspace->name);
	agreed = always && words && !exactly.failed &&
		 ask(acting,
		     tn_arena_format(arena,
				     "Start the launcher %.*s of %.60s, which runs programs "
				     "of %.300s%s",
				     (int)shown.size, shown.data, acting->workspace->name,
				     acting->workspace->root, words),
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
	return !workspace->trusted || ask_managed(&acting, &read);
}

bool tn_wb_may_draw(const struct tn_wb_acting *acting)
{
	const struct tn_wb_acting folder = {
		.door = acting->door, .call = acting->call, .workspace = acting->workspace};
	struct tn_wb_target read = {.asked = NULL};
	struct tn_json *target = NULL;
	struct tn_str url;

	if (tn_json_parse_copy(&acting->call->arena, tn_str_from(acting->session->target), &target,
			       NULL) == TENON_OK &&
	    (tn_json_to_str(tn_json_get(target, "url"), &url) ||
	     tn_json_to_str(tn_json_get(target, "harnessUrl"), &url)))
		return ask_attached(&folder, url);
	read.launcher = tn_str_from(acting->session->launcher);
	read.options = tn_json_get(target, "launcherOptions");
	return ask_managed(&folder, &read);
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
