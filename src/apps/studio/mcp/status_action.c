/* status_action.c - what of the diagram exists, as get_deployment_status and the resource say it
 * (studio.md section 10). */
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tool_state.h"
#include "jsonrpc/json_write.h"

static void put_details(const struct tn_studio_act *act, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};
	struct tn_studio_generated generated = {.file_count = 0};
	struct tn_studio_diagnostics list;
	bool good;

	tn_studio_diagnostics_init(&list, act->arena);
	good = tn_studio_generate(&project->document, &options, act->arena, &list, &generated);
	tn_json_put_key(result, "details");
	tn_json_begin_object(result);
	for (size_t i = 0; i < project->document.node_count; i++) {
		const struct tn_studio_node *node = project->document.nodes[i];

		tn_json_put_key_str(result, node->id);
		tn_studio_status_put(result, project->status, node, good ? &generated : NULL);
	}
	tn_json_end_object(result);
}

static void put_member(struct tn_buf *out, const struct tn_json *whole, const char *key)
{
	if (!tn_json_get(whole, key))
		return;
	tn_json_put_key(out, key);
	tn_json_put_value(out, tn_json_get(whole, key));
}

/* Runs are the loop's: what is told of the last one is put together before the rest. */
static bool find_last_run(struct tn_studio_act *act)
{
	const struct tn_studio_run *run =
		act->runs ? tn_studio_run_find(act->runs, act->project, NULL) : NULL;
	struct tn_json *whole = NULL, *last = NULL;
	struct tn_buf text;

	if (!run)
		return true;
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_run_put(&text, run, NULL);
	if (tn_json_parse_copy(act->arena, tn_buf_str(&text), &whole, NULL) == TENON_OK) {
		tn_buf_clear(&text);
		tn_json_begin_object(&text);
		tn_json_put_member_text(&text, "runId", tn_studio_run_id(run));
		tn_json_put_member_text(&text, "command",
					tn_studio_command_name(tn_studio_run_command(run)));
		put_member(&text, whole, "status");
		put_member(&text, whole, "success");
		put_member(&text, whole, "finishedAt");
		tn_json_end_object(&text);
		if (tn_json_parse_copy(act->arena, tn_buf_str(&text), &last, NULL) != TENON_OK)
			last = NULL;
	}
	tn_buf_finish(&text);
	act->beside = last;
	return true;
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;
	struct tenon_error err = {0};
	bool detail = false;

	if (tn_studio_document_index(&act->project->document, &err) != TENON_OK)
		return tn_studio_fail_error(act->fault, &err);
	(void)tn_json_to_bool(tn_json_get(arguments, "detail"), &detail);
	tn_json_put_key(result, "statuses");
	tn_json_begin_object(result);
	for (size_t i = 0; i < project->document.node_count; i++) {
		const struct tn_studio_node *node = project->document.nodes[i];
		const char *word = tn_studio_status_of(project->status, node->id);

		tn_json_put_key_str(result, node->id);
		tn_json_put_text(result, word);
		tn_buf_format(act->text, "%.*s (%.*s): %s\n", (int)node->name.size, node->name.data,
			      (int)node->id.size, node->id.data, word);
	}
	tn_json_end_object(result);
	act->headline = detail;
	if (detail)
		put_details(act, result);
	if (act->beside) {
		tn_json_put_key(result, "lastRun");
		tn_json_put_value(result, act->beside);
	}
	return true;
}

const struct tn_studio_action tn_studio_action_status = {
	.stands_aside = true, .before = find_last_run, .run = run};
