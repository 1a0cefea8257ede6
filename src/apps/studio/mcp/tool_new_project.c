/* new_project: a folder with an empty diagram (FR-19). */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "apps/studio/document/config.h"
#include "apps/studio/mcp/aside.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"

/* What is set, in the text if anything is; a model's data have no more than that. */
static void put_config(struct tn_studio_act *act, struct tn_buf *result)
{
	const struct tn_studio_document *document = &act->project->document;
	struct tn_buf set;

	tn_buf_init(&set, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_config_put_set(&set, document);
	tn_json_put_key(result, "config");
	if (act->lean)
		tn_json_put_raw(result, tn_buf_str(&set));
	else
		tn_studio_config_put(result, document, NULL, NULL);
	if (set.size > strlen("{}"))
		tn_buf_format(act->text, "config: %.*s\n", (int)set.size, set.data);
	tn_buf_inherit_failure(result, &set);
	tn_buf_finish(&set);
}

/* `warnings` NULL, or a JSON array that is not empty. */
static bool put_project(struct tn_studio_act *act, const char *warnings, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;

	act->names_project = true;
	tn_json_put_key(result, "project");
	tn_studio_project_put(result, project);
	tn_json_put_key(result, "diagram");
	tn_json_begin_object(result);
	if (!tn_studio_action_diagram.run(act, NULL, result))
		return false;
	tn_json_end_object(result);
	put_config(act, result);
	tn_json_put_member_raw(result, "warnings", tn_str_from(warnings ? warnings : "[]"));
	if (!act->lean || project->recovered)
		tn_json_put_member_bool(result, "recovered", project->recovered);
	if (warnings)
		tn_buf_format(act->text, "warnings:%s\n", warnings);
	if (project->recovered)
		tn_buf_append_str(act->text,
				  TN_STR("recovered: with changes that were not saved\n"));
	return true;
}

static bool put_aside(struct tn_studio_aside *aside)
{
	return put_project(&aside->turn.act, aside->data, &aside->turn.result);
}

static void answer_aside(struct tenon_call *call, struct tn_studio_aside *aside)
{
	tn_studio_turn_answer(call, &aside->turn, aside->good);
}

static void reply_aside(struct tenon_call *call, struct tn_studio_door *door,
			struct tn_studio_project *project, const char *warnings)
{
	struct tn_studio_aside *aside = tn_studio_aside_begin(call, door, project);

	if (!aside)
		return;
	aside->turn.act.lean = tn_call_is_lean(call);
	if (warnings) {
		aside->data = tn_mem_copy_text(warnings, strlen(warnings));
		aside->free_data = tn_mem_free;
	}
	tn_studio_aside_start(call, aside, put_aside, answer_aside);
}

static void reply_at_once(struct tenon_call *call, struct tn_studio_door *door,
			  struct tn_studio_project *project, const char *warnings)
{
	struct tn_studio_turn turn;

	tn_studio_turn_begin(&turn, door, project);
	turn.act.lean = tn_call_is_lean(call);
	turn.act.runs = NULL;
	turn.act.follows = NULL;
	tn_studio_turn_answer(call, &turn, put_project(&turn.act, warnings, &turn.result));
	tn_studio_turn_end(&turn);
}

void tn_studio_reply_project(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project, const char *warnings)
{
	struct tn_str actor =
		tn_utf8_cut(tn_str_from(tn_studio_actor_of(call)), sizeof(project->opened_by) - 1);

	(void)snprintf(project->opened_by, sizeof(project->opened_by), "%.*s", (int)actor.size,
		       actor.data);
	project->opened_by_person = tenon_call_is_person(call);
	if (warnings && strcmp(warnings, "[]") == 0)
		warnings = NULL;
	if (tn_studio_is_large(project))
		reply_aside(call, door, project, warnings);
	else
		reply_at_once(call, door, project, warnings);
	tn_studio_publish(door, project, "current");
}

void tn_studio_call_new_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;

	if (tenon_call_text(call, "template"))
		(void)tn_studio_fail(&fault, "UNSUPPORTED",
				     "there are no templates yet; leave `template` out");
	project = fault.code ? NULL
			     : tn_studio_project_new(
				       door->projects, tenon_call_text(call, "name"),
				       tn_call_path(call, tn_studio_projects_roots(door->projects),
						    tenon_call_text(call, "directoryPath")),
				       tn_json_get(tn_call_arguments(call), "config"), &fault);
	if (project)
		tn_studio_reply_project(call, door, project, NULL);
	else
		tn_studio_reply_fault(call, &fault);
}
