#include "apps/studio/mcp/tool_state.h"

#include "apps/studio/document/change.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

enum { JSON_INTERNAL = -32603 };

/* ---- endings ---- */

void tn_studio_reply(struct tenon_call *call, struct tn_str text, struct tn_buf *structured)
{
	if (structured->failed) {
		tenon_call_refuse(call, JSON_INTERNAL,
				  "Out of memory, or the result is too large: ask for less.", NULL);
	} else {
		if (text.size == 0)
			text = tn_buf_str(structured);
		tenon_call_add_text(call, text.data, text.size);
		tenon_call_set_structured(call, structured->data, structured->size);
		tenon_call_finish(call);
	}
	tn_buf_finish(structured);
}

/* HO-001: to a client that is sent no structured content the text alone must say everything. */
void tn_studio_reply_headline(struct tenon_call *call, struct tn_str text,
			      struct tn_buf *structured)
{
	if (tn_call_sends_structured(call) || structured->failed) {
		tn_studio_reply(call, text, structured);
		return;
	}
	tenon_call_add_text(call, text.data, text.size);
	tenon_call_add_text(call, structured->data, structured->size);
	tenon_call_annotate(call, "assistant", -1);
	tenon_call_finish(call);
	tn_buf_finish(structured);
}

static void put_sentence(struct tn_buf *text, const struct tn_studio_fault *fault)
{
	tn_buf_format(text, "%s: %s", fault->code, fault->message);
	if (fault->suggestion_count > 0) {
		tn_buf_append_text(text, " Closest: ");
		for (unsigned i = 0; i < fault->suggestion_count; i++) {
			if (i > 0)
				tn_buf_append_text(text, ", ");
			tn_buf_append_str(text, fault->suggestions[i]);
		}
		tn_buf_append_byte(text, '.');
	}
}

void tn_studio_reply_fault(struct tenon_call *call, const struct tn_studio_fault *fault)
{
	struct tn_buf structured, text;

	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_studio_fault_put(&structured, fault);
	put_sentence(&text, fault);
	tn_buf_inherit_failure(&structured, &text);
	tenon_call_set_error(call);
	tn_studio_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

/* ---- beginnings ---- */

struct tn_studio_project *tn_studio_project_of(struct tenon_call *call, struct tn_studio_door *door)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project =
		tn_studio_project_find(door->projects, tenon_call_text(call, "project"), &fault);

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

/* ---- a turn ---- */

void tn_studio_turn_begin(struct tn_studio_turn *turn, struct tn_studio_door *door,
			  struct tn_studio_project *project)
{
	*turn = (struct tn_studio_turn){.door = door,
					.act = {.project = project, .runs = door->runs}};
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

bool tn_studio_turn_edit(struct tn_studio_turn *turn, struct tenon_call *call, const char *tool)
{
	struct tn_studio_project *project = turn->act.project;
	int64_t expected = -1;

	(void)tenon_call_int(call, "expectedRevision", &expected);
	turn->edit = (struct tn_studio_edit){.document = &project->document,
					     .log = project->log,
					     .arena = &turn->arena,
					     .fault = &turn->fault,
					     .actor = tn_studio_actor_of(call),
					     .tool = tool,
					     .project = project,
					     .deployed = tn_studio_status_deployed,
					     .status = project->status};
	if (!tn_studio_edit_begin(&turn->edit, expected))
		return false;
	turn->act.edit = &turn->edit;
	return true;
}

static bool prepare(struct tn_studio_turn *turn, const struct tn_studio_action *action)
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
	return true;
}

bool tn_studio_turn_run(struct tn_studio_turn *turn, const struct tn_studio_action *action,
			const struct tn_json *arguments, struct tn_buf *result)
{
	struct tenon_error err = {0};

	if (turn->act.project &&
	    tn_studio_document_index(&turn->act.project->document, &err) != TENON_OK)
		return tn_studio_fail_error(&turn->fault, &err);
	return prepare(turn, action) && action->run(&turn->act, arguments, result);
}

void tn_studio_turn_fail(struct tn_studio_turn *turn, struct tenon_call *call)
{
	if (!turn->fault.code)
		(void)tn_studio_fail_memory(&turn->fault);
	tn_studio_reply_fault(call, &turn->fault);
}

/* ---- an action ---- */

static bool commit(struct tn_studio_turn *turn)
{
	struct tn_change change = {.id = 0};

	if (!tn_studio_edit_finish(&turn->edit, NULL, false, &change))
		return false;
	tn_studio_put_change(&turn->result, &change);
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
		return commit(turn);
	tn_studio_edit_abandon(&turn->edit);
	return false;
}

void tn_studio_run_action(struct tenon_call *call, struct tn_studio_door *door,
			  const struct tn_studio_action *action)
{
	struct tn_studio_project *project = tn_studio_project_current(door->projects);
	struct tn_studio_turn turn;

	if (!action->without_project || tenon_call_text(call, "project")) {
		project = tn_studio_project_of(call, door);
		if (!project)
			return;
	}
	tn_studio_turn_begin(&turn, door, project);
	if (act(&turn, call, action)) {
		tn_json_end_object(&turn.result);
		if (action->writes)
			tn_studio_publish(door, project, action->changes);
		if (turn.act.headline && turn.text.size > 0)
			tn_studio_reply_headline(call, tn_buf_str(&turn.text), &turn.result);
		else
			tn_studio_reply(call, tn_buf_str(&turn.text), &turn.result);
	} else {
		tn_studio_turn_fail(&turn, call);
	}
	tn_studio_turn_end(&turn);
}

void tn_studio_call_action(struct tenon_call *call, void *action)
{
	tn_studio_run_action(call, tenon_call_app_state(call), action);
}

/* ---- the same as a resource ---- */

static void reply_contents(struct tenon_call *call, struct tn_studio_turn *turn)
{
	tn_json_end_object(&turn->result);
	if (turn->result.failed) {
		tenon_call_fail(call, "The result is too large.");
		return;
	}
	tenon_call_set_cache(call, 0, false);
	tenon_call_add_resource_text(call, NULL, "application/json", turn->result.data,
				     turn->result.size);
	tenon_call_finish(call);
}

void tn_studio_read_action(struct tenon_call *call, struct tn_studio_door *door,
			   const struct tn_studio_action *action, const char *arguments_json)
{
	struct tn_studio_project *project = tn_studio_project_current(door->projects);
	struct tn_json *arguments = NULL;
	struct tn_studio_turn turn;

	if (!project && !action->without_project) {
		/* ST-121. */
		tenon_call_not_found(call);
		return;
	}
	tn_studio_turn_begin(&turn, door, project);
	if (tn_json_parse_copy(&turn.arena, tn_str_from(arguments_json), &arguments, NULL) ==
		    TENON_OK &&
	    tn_studio_turn_run(&turn, action, arguments, &turn.result))
		reply_contents(call, &turn);
	else if (turn.fault.cause == TENON_NOT_FOUND)
		tenon_call_not_found(call);
	else
		tenon_call_fail(call, "%s", turn.fault.code ? turn.fault.message : "out of memory");
	tn_studio_turn_end(&turn);
}
