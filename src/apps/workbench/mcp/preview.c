/* Previews begin and end: of servers that run already, and of those that we start (10.1). */
#include "mcp/preview_ports.h"

#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "base/mem.h"
#include "base/url.h"
#include "jsonrpc/json_write.h"
#include "mcp/server.h"

/* ---- time ---- */

static void close_port(struct tn_wb_door *door, struct tn_wb_session *session)
{
	if (session->user)
		door->ports->close(session->user);
	session->user = NULL;
}

static void release_stopped(struct tn_wb_door *door, struct tn_wb_workspace *workspace)
{
	for (struct tn_wb_session *at = workspace->sessions.first, *next; at; at = next) {
		next = at->next;
		if (at->state != TN_WB_SESSION_STOPPED || at->pages || at->launch)
			continue;
		close_port(door, at);
		tn_wb_session_released(at);
	}
}

/* T21: programs of a folder that is not trusted any more do not run. */
static void stop_untrusted(struct tn_wb_workspace *workspace)
{
	for (struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		if (at->launch && tn_wb_session_state_is_live(at->state))
			(void)tn_wb_session_stop(at);
}

static void tick(struct tn_timer *timer, void *data)
{
	struct tn_wb_door *door = data;
	bool compare = door->launches_differ;
	uint64_t next = UINT64_MAX, due;

	door->preview_soon = door->launches_differ = false;
	for (struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next) {
		due = tn_wb_sessions_tick(&at->sessions);
		next = due < next ? due : next;
		if (!at->trusted)
			stop_untrusted(at);
		if (compare && at->config)
			tn_wb_launches_compare(door, at);
	}
	due = tn_wb_launches_tick(door);
	next = due < next ? due : next;
	for (struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next)
		release_stopped(door, at);
	if (next != UINT64_MAX && !door->preview_soon)
		tn_timer_start(timer, next ? next : 1);
}

/* ---- life ---- */

enum tenon_code tn_wb_preview_open(struct tn_wb_door *door, struct tenon_error *err)
{
	door->ports = door->server->preview_ports;
	door->workspaces.session_events = &tn_wb_preview_events;
	door->workspaces.session_data = door;
	return tn_timer_open(door->server->loop, tick, door, &door->preview_timer, err);
}

void tn_wb_preview_changed(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
			   unsigned what)
{
	const unsigned launched_with = TN_WB_CHANGED_STATE | TN_WB_CHANGED_CONFIG |
				       TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_LAUNCHERS;

	if (workspace->state == TN_WB_CLOSING)
		tn_wb_preview_close_all(door, workspace);
	if (!(what & launched_with) || !door->launches)
		return;
	door->launches_differ = true;
	tn_wb_preview_run_soon(door);
}

void tn_wb_preview_close_all(struct tn_wb_door *door, struct tn_wb_workspace *workspace)
{
	tn_wb_launches_leave(door, workspace);
	for (struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		close_port(door, at);
}

void tn_wb_preview_close(struct tn_wb_door *door)
{
	for (struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next)
		tn_wb_preview_close_all(door, at);
	tn_wb_launches_finish(door);
	tn_timer_close(door->preview_timer);
	door->preview_timer = NULL;
}

/* ---- starting and stopping ---- */

static const char *start_attached(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
				  const struct tn_wb_target *target, struct tn_wb_session **ret,
				  struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_url url;

	if (tn_url_parse(target->url, &url) && tn_wb_preview_is_ours(door, &url)) {
		(void)tn_fail(err, TENON_INVALID, "that is a port of ours, and no app");
		return "invalid_target";
	}
	code = tn_wb_session_start(&workspace->sessions, target, ret, err);
	if (code != TENON_OK)
		return code == TENON_LIMIT ? "limit_exceeded" : "internal_error";
	code = tn_wb_preview_attach(door, *ret, target->url, err);
	if (code != TENON_OK)
		tn_wb_preview_stop(door, *ret);
	return code == TENON_OK        ? NULL
	       : code == TENON_INVALID ? "unsupported_target"
				       : "launch_failed";
}

/* ---- servers of ours ---- */

static const char *refuse_default(const struct tn_wb_workspace *workspace, struct tenon_error *err)
{
	bool vite = tn_wb_preview_names(workspace, "\"vite\"");

	(void)tn_fail(
		err, TENON_NOT_FOUND,
		vite ? "Vite is named in package.json, and is not installed: install the "
		       "project's packages first (npm install)"
		     : "nothing here says how this app is started: start its server yourself "
		       "and give its url, or describe a launcher in a module (preview.launcher "
		       "in skaffa.config.json)");
	return "launcher_unknown";
}

/* Which launcher a target means, and whether it may start. */
static const char *wish_of(struct tn_wb_workspace *workspace, struct tn_wb_target *target,
			   struct tn_wb_launch_wish *ret, struct tenon_error *err)
{
	*ret = (struct tn_wb_launch_wish){.workspace = workspace, .options = target->options};
	if (!target->launcher.size)
		target->launcher = tn_wb_launcher_default(workspace->config);
	if (!target->launcher.size)
		return refuse_default(workspace, err);
	if (!tn_wb_launcher_find(workspace->config, target->launcher, &ret->launcher)) {
		(void)tn_fail(err, TENON_NOT_FOUND,
			      "there is no launcher %.*s; skaffa://preview/sessions lists them",
			      (int)(target->launcher.size < 60 ? target->launcher.size : 60),
			      target->launcher.data);
		return "launcher_unknown";
	}
	if (target->component.size && ret->launcher.described) {
		(void)tn_fail(err, TENON_INVALID,
			      "only Vite shows one component alone: give harnessUrl, the page that "
			      "shows it");
		return "unsupported_target";
	}
	if (!workspace->trusted) {
		(void)tn_fail(err, TENON_DENIED,
			      "that starts programs of this folder, which a person has not trusted "
			      "yet: tenon workbench open --trust");
		return "untrusted_workspace";
	}
	return NULL;
}

/* Tried again: the one that failed makes room (S4 keeps it until then, for what it says). */
static void forget_failed(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
			  const struct tn_wb_target *target)
{
	for (struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		if (at->state == TN_WB_SESSION_FAILED && at->launcher &&
		    tn_str_is(target->launcher, at->launcher) &&
		    tn_str_equal(target->component, tn_str_from(at->component)))
			(void)tn_wb_session_stop(at);
	release_stopped(door, workspace);
}

static const char *start_managed(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
				 struct tn_wb_target *target, struct tn_wb_session **ret,
				 bool *ret_reused, struct tenon_error *err)
{
	struct tn_wb_launch_wish wish;
	const char *refused = wish_of(workspace, target, &wish, err);
	enum tenon_code code;

	if (refused)
		return refused;
	*ret = tn_wb_launch_find_session(&wish, target->component);
	*ret_reused = *ret != NULL;
	if (*ret)
		return NULL;
	forget_failed(door, workspace, target);
	code = tn_wb_session_start(&workspace->sessions, target, ret, err);
	if (code != TENON_OK)
		return code == TENON_LIMIT ? "limit_exceeded" : "internal_error";
	code = tn_wb_launch_begin(door, &wish, *ret, err);
	if (code != TENON_OK)
		tn_wb_preview_stop(door, *ret);
	return code == TENON_OK ? NULL : "launch_failed";
}

static const char *start(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
			 const struct tn_json *json, struct tn_wb_session **ret, bool *ret_reused,
			 struct tenon_error *err)
{
	const struct tn_wb_target_rules rules = {.registry = workspace->registry};
	struct tn_wb_target target;
	const char *code = tn_wb_target_read(json, &rules, &target, err);

	*ret_reused = false;
	if (code)
		return code;
	if (!door->ports) {
		(void)tn_fail(err, TENON_INVALID, "this process shows no previews");
		return "unsupported_target";
	}
	code = target.url.size ? start_attached(door, workspace, &target, ret, err)
			       : start_managed(door, workspace, &target, ret, ret_reused, err);
	tn_wb_preview_run_soon(door);
	return code;
}

const char *tn_wb_preview_start(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
				const struct tn_json *target, struct tn_wb_session **ret,
				bool *ret_reused, struct tenon_error *err)
{
	struct tn_str id = tn_wb_launcher_default(workspace->config);
	struct tn_arena arena;
	struct tn_json *made = NULL;
	struct tn_buf text;
	const char *code;

	if (target)
		return start(door, workspace, target, ret, ret_reused, err);
	if (!id.size)
		return refuse_default(workspace, err);
	tn_buf_init(&text, TN_KIB);
	tn_arena_init(&arena, 16 * TN_KIB);
	tn_json_begin_object(&text);
	tn_json_put_member_text(&text, "type", "app");
	tn_json_put_member_str(&text, "launcherId", id);
	tn_json_end_object(&text);
	code = tn_json_parse_copy(&arena, tn_buf_str(&text), &made, err) == TENON_OK
		       ? start(door, workspace, made, ret, ret_reused, err)
		       : "internal_error";
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	return code;
}

void tn_wb_preview_stop(struct tn_wb_door *door, struct tn_wb_session *session)
{
	(void)tn_wb_session_stop(session);
	tn_wb_preview_run_soon(door);
}
