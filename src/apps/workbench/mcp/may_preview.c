/* Whether a preview may begin or end: what a person is asked before (V5). */
#include <stdio.h>

#include "apps/workbench/launch/launcher.h"
#include "apps/workbench/mcp/acting.h"
#include "base/limits.h"
#include "base/size.h"
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

/* What runs, word for word; of Vite what the configuration says of it; the variables of all. */
static void put_launcher(struct tn_buf *out, const struct tn_wb_acting *acting,
			 const struct tn_wb_launcher *launcher)
{
	static const char *const members[] = {"root", "configFile", "mount", "entry",
					      "environment"};
	const struct tn_json *value;

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "launcher", launcher->id);
	if (launcher->described) {
		tn_json_put_key(out, "described");
		tn_json_put_value(out, launcher->described);
	}
	for (size_t i = launcher->described ? TN_COUNT(members) - 1 : 0; i < TN_COUNT(members);
	     i++) {
		value = tn_wb_config_get(acting->workspace->config, "preview", members[i]);
		if (!value)
			continue;
		tn_json_put_key(out, members[i]);
		tn_json_put_value(out, value);
	}
	tn_json_end_object(out);
}

static void put_line(struct tn_buf *out, const char *name, const struct tn_json *value)
{
	struct tn_buf json;

	if (!value)
		return;
	tn_buf_init(&json, TN_MIB);
	tn_json_put_value(&json, value);
	tn_buf_format(out, "%s: ", name);
	tn_buf_append_str(out, tn_buf_str(&json));
	tn_buf_append_byte(out, '\n');
	tn_buf_finish(&json);
}

/* The command line to be run (V6). */
static void put_detail(struct tn_buf *out, const struct tn_wb_acting *acting,
		       const struct tn_wb_launcher *launcher, const struct tn_json *options)
{
	const struct tn_json *environment =
		tn_wb_config_get(acting->workspace->config, "preview", "environment");

	tn_buf_format(out, "directory: %s\n", acting->workspace->root);
	if (launcher->described) {
		put_line(out, "command", tn_json_get(launcher->described, "command"));
		put_line(out, "cwd", tn_json_get(launcher->described, "cwd"));
		put_line(out, "env", tn_json_get(launcher->described, "env"));
	} else {
		tn_buf_append_text(out, "the project's own Vite, with its configuration\n");
		put_line(out, "root",
			 tn_wb_config_get(acting->workspace->config, "preview", "root"));
	}
	if (environment && environment->count)
		put_line(out, "environment", environment);
	put_line(out, "options", options);
}

static bool ask_launcher(const struct tn_wb_acting *acting, const struct tn_json *options,
			 const struct tn_wb_launcher *launcher)
{
	struct tn_arena *arena = &acting->call->arena;
	struct tn_str shown = tn_utf8_cut(launcher->id, 200);
	struct tn_buf exactly, detail;
	bool agreed = false;
	struct tn_wb_question question = {
		.kind = "preview",
		.summary = tn_arena_format(arena, "Start the launcher %.*s of %.60s",
					   (int)shown.size, shown.data, acting->workspace->name),
		.always = tn_arena_format(arena, "Allow exactly this as long as %.60s is open",
					  acting->workspace->name)};

	tn_buf_init(&exactly, TN_RESULT_BYTES_MAX);
	tn_buf_init(&detail, TN_RESULT_BYTES_MAX);
	put_launcher(&exactly, acting, launcher);
	if (options) {
		tn_buf_append_byte(&exactly, ' ');
		tn_json_put_value(&exactly, options);
	}
	put_detail(&detail, acting, launcher, options);
	question.exactly = tn_buf_str(&exactly);
	question.detail = tn_buf_str(&detail);
	if (question.summary && question.always && !exactly.failed && !detail.failed)
		agreed = tn_wb_acting_consent(acting, &question);
	else
		tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
	tn_buf_finish(&exactly);
	tn_buf_finish(&detail);
	return agreed;
}

/* A launcher runs programs of the folder: this command with these options, and no other. */
static bool ask_managed(const struct tn_wb_acting *acting, const struct tn_wb_target *target)
{
	const struct tn_wb_config *config = acting->workspace->config;
	struct tn_str id = target->launcher;
	struct tn_wb_launcher launcher;

	if (!id.size)
		id = tn_wb_launcher_default(config);
	if (!id.size || !tn_wb_launcher_find(config, id, &launcher))
		return true; /* starting it says so */
	return ask_launcher(acting, target->options, &launcher);
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

/* Of a session: what it previews, whatever else its target says. */
static bool address_of(const struct tn_json *target, struct tn_str *ret)
{
	struct tn_str type = {0};

	(void)tn_json_to_str(tn_json_get(target, "type"), &type);
	return tn_json_to_str(tn_json_get(target, tn_str_is(type, "app") ? "url" : "harnessUrl"),
			      ret);
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
	    address_of(target, &url))
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
