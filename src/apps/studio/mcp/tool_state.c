#include "apps/studio/mcp/tool_state.h"

#include "apps/studio/document/change.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/aside.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"
#include "mcp/fit.h"

/* ---- beginnings ---- */

struct tn_studio_project *tn_studio_project_of(struct tenon_call *call, struct tn_studio_door *door)
{
	struct tn_studio_fault fault = {.code = NULL};
	const char *which = tenon_call_text(call, "project");
	struct tn_studio_project *project = tn_studio_project_find(door->projects, which, &fault);

	if (!project && which) /* no id: a path, which may be a relative one */
		project = tn_studio_project_find(
			door->projects,
			tn_call_path(call, tn_studio_projects_roots(door->projects), which),
			&fault);
	if (!project)
		tn_studio_reply_fault(call, &fault);
	return project;
}

const char *tn_studio_actor_of(struct tenon_call *call)
{
	if (!tenon_call_is_person(call))
		return tenon_call_client_name(call);
	return "user (page)";
}

/* What a page calls its tab, so that it is the same actor on another connection, or to another
 * daemon. */
static bool tab_of(struct tenon_call *call, struct tn_str *ret_tab)
{
	static const char chosen[] = "0123456789abcdefghijklmnopqrstuvwxyz-";

	if (!tn_json_to_str(tn_json_get(call->meta, TN_STUDIO_TAB_KEY), ret_tab) ||
	    ret_tab->size == 0 || ret_tab->size > TN_STUDIO_TAB_MAX)
		return false;
	for (size_t i = 0; i < ret_tab->size; i++) {
		if (!ret_tab->data[i] || !strchr(chosen, ret_tab->data[i]))
			return false;
	}
	return true;
}

const char *tn_studio_actor_id(struct tenon_call *call, struct tn_arena *arena)
{
	const char *principal = call->peer->principal, *client = tenon_call_client_name(call);
	struct tn_str tab;

	if (tenon_call_is_person(call) && tab_of(call, &tab))
		return tn_arena_format(arena, TN_STUDIO_PERSON "%.36s/%.30s/%.*s", principal,
				       client, (int)tab.size, tab.data);
	if (tenon_call_is_person(call) && call->peer->kind != TN_PEER_HTTP_REQUEST)
		return tn_arena_format(arena, TN_STUDIO_PERSON "%.36s/%.30s/%llu", principal,
				       client, (unsigned long long)call->peer->number);
	return tn_arena_format(arena, "%s%.36s/%.40s",
			       tenon_call_is_person(call) ? TN_STUDIO_PERSON : "c/", principal,
			       client);
}

/* A connection's; of requests that come without one, the client's. */
static const char *gesture_of(struct tenon_call *call, struct tn_arena *arena)
{
	const char *gesture = tenon_call_text(call, "gesture");
	unsigned long long number =
		call->peer->kind == TN_PEER_HTTP_REQUEST ? 0 : call->peer->number;

	return gesture ? tn_arena_format(arena, "%llu %s", number, gesture) : NULL;
}

/* ---- a turn ---- */

void tn_studio_turn_begin(struct tn_studio_turn *turn, struct tn_studio_door *door,
			  struct tn_studio_project *project)
{
	*turn = (struct tn_studio_turn){
		.door = door,
		.act = {.project = project, .runs = door->runs, .follows = &door->follows}};
	turn->act.arena = &turn->arena;
	turn->act.fault = &turn->fault;
	turn->act.text = &turn->text;
	tn_arena_init(&turn->arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&turn->result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&turn->text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&turn->result);
}

void tn_studio_turn_end(struct tn_studio_turn *turn)
{
	tn_buf_finish(&turn->result);
	tn_buf_finish(&turn->text);
	tn_arena_finish(&turn->arena);
}

void tn_studio_turn_fit(struct tn_studio_turn *turn, const struct tenon_call *call,
			const struct tn_studio_action *action)
{
	turn->act.lean = tn_call_is_lean(call);
	turn->act.for_model = tn_call_is_for_model(call);
	if (!action->says_all || tn_call_sends_structured(call))
		return;
	tn_buf_finish(&turn->result);
	tn_buf_init_unwanted(&turn->result);
}

void tn_studio_turn_author(struct tn_studio_turn *turn, struct tenon_call *call, const char *tool)
{
	struct tn_studio_project *project = turn->act.project;

	turn->edit = (struct tn_studio_edit){.document = &project->document,
					     .log = project->log,
					     .arena = &turn->arena,
					     .fault = &turn->fault,
					     .actor = tn_studio_actor_of(call),
					     .tool = tool,
					     .folder = tn_call_folder(call),
					     .who = tn_studio_actor_id(call, &turn->arena),
					     .gesture = gesture_of(call, &turn->arena),
					     .project = project,
					     .deployed = tn_studio_status_deployed,
					     .status = project->status};
}

bool tn_studio_turn_expects(struct tn_studio_turn *turn, const struct tenon_call *call)
{
	return tn_studio_edit_expects(&turn->edit,
				      tn_json_get(tn_call_arguments(call), "expectedNodes"));
}

bool tn_studio_turn_edit(struct tn_studio_turn *turn, struct tenon_call *call, const char *tool)
{
	int64_t expected = -1;

	(void)tenon_call_int(call, "expectedRevision", &expected);
	tn_studio_turn_author(turn, call, tool);
	if (!tn_studio_turn_expects(turn, call) || !tn_studio_edit_begin(&turn->edit, expected))
		return false;
	turn->act.edit = &turn->edit;
	return true;
}

bool tn_studio_turn_prepare(struct tn_studio_turn *turn, const struct tn_studio_action *action)
{
	if (action->needs_registry && !turn->act.registry) {
		turn->act.registry = tn_studio_door_registry(turn->door, &turn->fault);
		if (!turn->act.registry)
			return false;
	}
	if (action->needs_prices && !turn->act.prices) {
		turn->act.prices = tn_studio_door_prices(turn->door, &turn->fault);
		if (!turn->act.prices)
			return false;
	}
	return !action->before || action->before(&turn->act);
}

bool tn_studio_turn_run(struct tn_studio_turn *turn, const struct tn_studio_action *action,
			const struct tn_json *arguments, struct tn_buf *result)
{
	struct tenon_error err = {0};

	if (turn->act.project &&
	    tn_studio_document_index(&turn->act.project->document, &err) != TENON_OK)
		return tn_studio_fail_error(&turn->fault, &err);
	return tn_studio_turn_prepare(turn, action) && action->run(&turn->act, arguments, result);
}

void tn_studio_turn_fail(struct tn_studio_turn *turn, struct tenon_call *call)
{
	if (!turn->fault.code)
		(void)tn_studio_fail_memory(&turn->fault);
	tn_studio_reply_fault(call, &turn->fault);
}

/* ---- an action ---- */

static void put_change(struct tn_buf *text, const struct tn_change *change)
{
	tn_buf_format(text, " [revision %llu", (unsigned long long)change->revision);
	if (change->id > 0)
		tn_buf_format(text, ", change-%llu", (unsigned long long)change->id);
	tn_buf_append_byte(text, ']');
}

void tn_studio_turn_changed(struct tn_studio_turn *turn, const struct tenon_call *call,
			    const struct tn_change *change)
{
	tn_studio_put_change(&turn->result, change);
	if (turn->text.size > 0 && !turn->act.headline && tn_call_says_all(call))
		put_change(&turn->text, change);
}

static bool commit(struct tn_studio_turn *turn, const struct tenon_call *call)
{
	struct tn_change change = {.id = 0};

	if (!tn_studio_edit_finish(&turn->edit, NULL, false, &change))
		return false;
	tn_studio_turn_changed(turn, call, &change);
	return true;
}

static bool act(struct tn_studio_turn *turn, struct tenon_call *call,
		const struct tn_studio_action *action)
{
	const struct tn_json *arguments = tn_call_arguments(call);

	if (!action->writes)
		return tn_studio_turn_run(turn, action, arguments, &turn->result);
	if (!tn_studio_turn_edit(turn, call, call->item->tool.name))
		return false;
	if (tn_studio_turn_run(turn, action, arguments, &turn->result))
		return commit(turn, call);
	tn_studio_edit_abandon(&turn->edit);
	return false;
}

void tn_studio_turn_answer(struct tenon_call *call, struct tn_studio_turn *turn, bool good)
{
	if (!good) {
		tn_studio_turn_fail(turn, call);
		return;
	}
	tn_json_end_object(&turn->result);
	if (turn->act.headline && turn->text.size > 0)
		tn_studio_reply_headline(call, tn_buf_str(&turn->text), &turn->result);
	else
		tn_studio_reply(call, tn_buf_str(&turn->text), &turn->result);
}

void tn_studio_act_now(struct tenon_call *call, struct tn_studio_door *door,
		       struct tn_studio_project *project, const struct tn_studio_action *action)
{
	struct tn_studio_turn turn;
	bool good;

	tn_studio_turn_begin(&turn, door, project);
	tn_studio_turn_fit(&turn, call, action);
	good = act(&turn, call, action);
	if (good && action->writes)
		tn_studio_publish(door, project, action->changes);
	if (good && action->after)
		action->after(&turn.act, &turn.result);
	tn_studio_turn_answer(call, &turn, good);
	tn_studio_turn_end(&turn);
}

/* ---- the same as a resource ---- */

static void answer_contents(struct tenon_call *call, struct tn_studio_turn *turn, bool good)
{
	if (good)
		tn_studio_reply_contents(call, &turn->result);
	else if (turn->fault.cause == TENON_NOT_FOUND)
		tenon_call_not_found(call);
	else
		tenon_call_fail(call, "%s",
				turn->fault.code ? turn->fault.message : "out of memory");
}

void tn_studio_read_action(struct tenon_call *call, struct tn_studio_door *door,
			   struct tn_studio_project *project, const struct tn_studio_action *action,
			   const char *arguments_json)
{
	struct tn_json *arguments = NULL;
	struct tn_studio_turn turn;
	bool good;

	if (!project && !action->without_project) {
		/* ST-121. */
		tenon_call_not_found(call);
		return;
	}
	if (tn_studio_goes_aside(action, project)) {
		tn_studio_act_aside(call, door, project, action, arguments_json, answer_contents);
		return;
	}
	tn_studio_turn_begin(&turn, door, project);
	good = tn_json_parse_copy(&turn.arena, tn_str_from(arguments_json), &arguments, NULL) ==
		       TENON_OK &&
	       tn_studio_turn_run(&turn, action, arguments, &turn.result);
	if (good && action->after)
		action->after(&turn.act, &turn.result);
	answer_contents(call, &turn, good);
	tn_studio_turn_end(&turn);
}
