/* generate_hcl: the configuration as Terraform files (FR-22). */
#include <string.h>

#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static bool is_wanted(const struct tn_json *names, struct tn_str name)
{
	for (const struct tn_json *at = names ? names->first : NULL; at; at = at->next) {
		if (tn_str_equal(at->text, name))
			return true;
	}
	return !names;
}

static bool check_names(const struct tn_json *names, const struct tn_studio_generated *generated,
			struct tn_studio_fault *fault)
{
	for (const struct tn_json *at = names ? names->first : NULL; at; at = at->next) {
		bool found = false;

		for (size_t i = 0; i < generated->file_count && !found; i++)
			found = tn_str_equal(generated->files[i].name, at->text);
		if (found)
			continue;
		(void)tn_studio_fail(fault, "NOT_FOUND", "no file '%.*s' is generated",
				     (int)at->text.size, at->text.data);
		for (size_t i = 0; i < generated->file_count; i++)
			tn_studio_fault_suggest(fault, generated->files[i].name);
		return false;
	}
	return true;
}

static void put_files(struct tn_studio_turn *turn, const struct tn_json *names,
		      const struct tn_studio_generated *generated)
{
	tn_json_put_key(&turn->result, "files");
	tn_json_begin_object(&turn->result);
	for (size_t i = 0; i < generated->file_count; i++) {
		const struct tn_studio_file *file = &generated->files[i];

		if (!is_wanted(names, file->name))
			continue;
		tn_json_put_key_str(&turn->result, file->name);
		tn_json_put_str(&turn->result, file->text);
		tn_buf_append_text(&turn->text, "# ");
		tn_buf_append_str(&turn->text, file->name);
		tn_buf_append_text(&turn->text, "\n\n");
		tn_buf_append_str(&turn->text, file->text);
		tn_buf_append_byte(&turn->text, '\n');
	}
	tn_json_end_object(&turn->result);
}

static bool write_files(struct tn_studio_turn *turn, struct tenon_call *call,
			const struct tn_studio_generated *generated)
{
	bool write = true, overwrite = false;

	(void)tenon_call_bool(call, "write", &write);
	(void)tenon_call_bool(call, "overwrite", &overwrite);
	if (write)
		return tn_studio_project_write(turn->act.project, generated, overwrite,
					       &turn->result, &turn->fault);
	tn_json_put_member_raw(&turn->result, "written", TN_STR("[]"));
	tn_json_put_member_raw(&turn->result, "unchanged", TN_STR("[]"));
	tn_json_put_member_raw(&turn->result, "removed", TN_STR("[]"));
	return true;
}

/* What else the result says, for those who read the text only (hosts.md HO-001): what was written
 * stands in it from `start` on, behind a comma. */
static void say(struct tn_studio_turn *turn, const struct tn_studio_diagnostics *list, size_t start)
{
	size_t end = turn->result.size;

	if (start < end && !turn->result.failed) {
		tn_buf_append_text(&turn->text, "# ");
		tn_buf_append(&turn->text, turn->result.data + start + 1, end - start - 1);
		tn_buf_append_byte(&turn->text, '\n');
	}
	for (const struct tn_studio_diagnostic *at = list->first; at; at = at->next) {
		tn_buf_append_text(&turn->text, "# ");
		tn_studio_say_diagnostic(&turn->text, at);
	}
}

static bool generate(struct tn_studio_turn *turn, struct tenon_call *call)
{
	const struct tn_studio_project *project = turn->act.project;
	const struct tn_json *names = tn_json_get(tn_call_arguments(call), "files");
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	size_t start;
	const struct tn_studio_check_options check = {.known_variables = project->secrets,
						      .deployed = tn_studio_status_deployed,
						      .status = project->status};

	if (!tn_studio_generate_project(project, &turn->arena, &list, &generated))
		return tn_studio_fail_memory(&turn->fault);
	tn_studio_check(&project->document, &check, &list);
	if (!check_names(names, &generated, &turn->fault))
		return false;
	put_files(turn, names, &generated);
	start = turn->result.size;
	if (!write_files(turn, call, &generated))
		return false;
	say(turn, &list, start);
	tn_json_put_key(&turn->result, "diagnostics");
	tn_studio_diagnostics_put(&turn->result, &list);
	tn_json_put_member_str(&turn->result, "digest", generated.digest);
	tn_json_put_member_int(&turn->result, "revision", (int64_t)tn_oplog_revision(project->log));
	tn_json_end_object(&turn->result);
	return true;
}

void tn_studio_call_generate(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_turn turn;

	if (!project)
		return;
	tn_studio_turn_begin(&turn, door, project);
	if (generate(&turn, call))
		tn_studio_reply(call, tn_buf_str(&turn.text), &turn.result);
	else
		tn_studio_turn_fail(&turn, call);
	tn_studio_turn_end(&turn);
}
